# %% [markdown]
# Stage 5: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from forge.grading.inside.outcomes import outcome, scene
from forge.memory import MemoryRecord, MemoryScope, MemoryStore

WORDS = (
    "a moment",
    "expires_at must be later than created_at",
    "the memory is stale",
    "memory_id must be unique",
    "scope",
    "subject_id",
    "memory_id was refused",
    "limit was refused",
)


def when(given):
    """A moment from its text; what begins with ! is given as it is behind it, to be refused."""
    if not isinstance(given, str):
        return given
    return given[1:] if given.startswith("!") else datetime.fromisoformat(given)


def record_of(given):
    return MemoryRecord(
        **{**given, "created_at": when(given["created_at"]), "expires_at": when(given["expires_at"])}
    )


def shown(value):
    return value.model_dump(mode="json") if isinstance(value, MemoryRecord) else value


def rows(store):
    return [list(row) for row in store.connection.execute("SELECT * FROM memories ORDER BY memory_id")]


def with_store(given, act):
    """What `act` does to a store of the given memories, and what the store holds then."""
    with MemoryStore(Path("memories.db"), durable=False) as store:
        first, *others = given["memories"]
        text = first["content"]
        copy = {**first, "memory_id": "copy", "content": 9 * text, "key": None}
        for memory in (copy, *others, first):
            store.put(record_of(memory))
        # SQLite moves rows as a table grows, and may leave their old bytes behind: here, on purpose.
        store.connection.execute("PRAGMA secure_delete = OFF")
        store.connection.execute("DELETE FROM memories WHERE memory_id = 'copy'")
        store.connection.execute("PRAGMA secure_delete = ON")
        found = [outcome(lambda: act(store), words=WORDS), rows(store)]
        return [*found, any(text.encode() in held for held in store.database.contents().values())]


def inside(given):
    return MemoryScope(given["scope"]), given["subject_id"]


def offset_cut_off(instant, given):
    before = os.environ.get("TZ")
    os.environ["TZ"] = given["zone"]
    time.tzset()
    try:
        return outcome(lambda: instant(when(given["when"])), words=WORDS[:1])
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()


def the_later_one_stays(_supersede, given):
    return with_store(given, lambda store: store.put(record_of(given["late"])))


def hide_the_expired(query, given):
    def found(store):
        more = {name: given[name] for name in ("limit",) if given[name] is not None}
        more |= {"now": when(given["now"])} if given["now"] is not None else {}
        return [shown(each) for each in query(store, *inside(given), **more)]

    return with_store(given, found)


def scope_forgotten(get, given):
    return with_store(
        given, lambda store: shown(get(store, given["memory_id"], *inside(given), now=when(given["now"])))
    )


def creation_moved(replace, given):
    return with_store(
        given, lambda store: shown(replace(store, record_of(given["new"]), now=when(given["now"])))
    )


def nothing_deleted(delete, given):
    return with_store(given, lambda store: [delete(store, name) for name in given["names"]])


def sweep_what_is_hidden(purge_expired, given):
    moments = [{} if moment is None else {"now": when(moment)} for moment in given["moments"]]
    return with_store(given, lambda store: [purge_expired(store, **moment) for moment in moments])


def song_memories(answer, given):
    nine = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)

    def told(found):
        preferences, drafts = found
        with MemoryStore(Path("songs.db"), durable=False) as store:
            moments = [nine, nine + timedelta(seconds=299), nine + timedelta(minutes=5)]
            user = [
                [each.content for each in store.query(MemoryScope.USER, "user-1", now=now)] for now in moments
            ]
            late = nine.replace(year=2126)
            run = [each.content for each in store.query(MemoryScope.RUN, "run-1", now=late)]
        kept = [
            [each.content, str(each.scope), each.subject_id, each.created_at.isoformat()] for each in drafts
        ]
        return [[each.content for each in preferences], kept, user, run]

    return scene(answer, given, told)


expired_returned = hide_the_expired

# %%
from datetime import timezone

from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "05_memory_boundaries"
QUERY, RECORD = "forge.memory:MemoryStore.query", "forge.memory:record_of"
BASE = datetime(2031, 3, 9, 9, 0, tzinfo=UTC)
TEXTS = ("prefers tea", "prefers minor keys", "branch: search", "speaks Dutch", "likes short answers")


def at(minutes, *, offset=0, micro=0):
    moment = BASE + timedelta(minutes=minutes, microseconds=micro)
    return moment.astimezone(timezone(timedelta(hours=offset))).isoformat()


def a_memory(rng, name, scope="user", subject="user-1", *, created=None, ends=None, key=None):
    return {
        "memory_id": name,
        "scope": scope,
        "subject_id": subject,
        "content": f"{rng.choice(TEXTS)} #{rng.randrange(100_000, 999_999)}",
        "created_at": created or at(0),
        "expires_at": ends,
        "source": rng.choice((None, "event e3")),
        "key": key,
    }


# %%
def of_instant(rng):
    def case(moment, zone="UTC0"):
        return {"when": moment, "zone": zone}

    minutes = rng.randrange(1_000, 90_000)
    yield "a moment in UTC is counted from 1970", case(at(minutes))
    for offset in rng.sample((-9, -5, 2, 9, 12), 3):
        yield "a moment with another offset is the moment it is", case(at(minutes, offset=offset))
    yield "half a second counts", case(at(minutes, micro=500_000))
    yield "a microsecond counts", case(at(minutes, micro=rng.randrange(1, 999_999)))
    yield "where the clock stands does not count", case(at(minutes), zone="ABC5")
    yield (
        "where the clock stands does not count for another offset either",
        case(at(minutes, offset=9), zone="ABC-3"),
    )
    yield "a moment before 1970 is below zero", case("1969-12-31T23:00:00.000001+00:00")
    yield "a moment without an offset is refused", case("2031-03-09T09:00:00")
    yield "text is no moment", case("!2031-13-01")
    yield "a number is no moment", case(0)


def of_supersede(rng):
    tea, tone = a_memory(rng, "m1", key="drink"), a_memory(rng, "m2", key="tone")
    other, run = (
        a_memory(rng, "m3", subject="user-2", key="drink"),
        a_memory(rng, "m4", "run", "user-1", key="drink"),
    )
    memories = [tea, tone, other, run, a_memory(rng, "m5")]

    def case(late, held=memories):
        return {"memories": held, "late": late}

    for minutes in (1, rng.randrange(2, 999)):
        yield (
            "the later answer to a question stays",
            case(a_memory(rng, "m0", created=at(minutes), key="drink")),
        )
    yield (
        "the later answer stays, by a microsecond",
        case(a_memory(rng, "z", created=at(0, micro=1), key="drink")),
    )
    ends = a_memory(rng, "m9", created=at(1), ends=at(2), key="drink")
    yield "the end of the later one does not count", case(ends)
    yield (
        "a question nobody has answered takes nothing away",
        case(a_memory(rng, "m9", created=at(1), key="mood")),
    )
    yield "a memory without a key takes nothing away", case(a_memory(rng, "m9", created=at(1)))
    yield (
        "a key counts for its own subject",
        case(a_memory(rng, "m9", subject="user-3", created=at(1), key="drink")),
    )
    yield "a key counts for its own scope", case(a_memory(rng, "m9", "session", created=at(1), key="drink"))
    yield "an answer of the same moment is stale", case(a_memory(rng, "m9", key="drink"))
    yield (
        "an answer of the same moment in another zone is stale",
        case(a_memory(rng, "m9", created=at(0, offset=3), key="drink")),
    )
    yield "an answer from before is stale", case(a_memory(rng, "m9", created=at(-1), key="drink"))
    yield (
        "an answer from before that ends later is stale",
        case(a_memory(rng, "m9", created=at(-9), ends=at(99), key="drink")),
    )


def of_query(rng):
    ends = rng.randrange(20, 500)
    soon, later = a_memory(rng, "m2", ends=at(ends)), a_memory(rng, "m1", created=at(1), ends=at(ends + 60))
    never, half = a_memory(rng, "m0", created=at(2)), a_memory(rng, "m4", ends=at(ends, micro=500_000))
    abroad = a_memory(rng, "m5", ends=at(ends, offset=-5))
    others = [a_memory(rng, "o1", "run", "user-1"), a_memory(rng, "o2", subject="user-2")]
    memories = [soon, later, never, half, abroad, *others]

    def case(now, *, limit=None, scope="user", subject="user-1", held=memories):
        return {"memories": held, "now": now, "limit": limit, "scope": scope, "subject_id": subject}

    yield "before any end all are found, in the order of their creation", case(at(10))
    yield "a microsecond before its end a memory is found", case(at(ends, micro=-1))
    yield "at its end a memory is gone", case(at(ends))
    yield "half a second counts", case(at(ends, micro=499_999))
    yield "at half a second it is gone", case(at(ends, micro=500_000))
    yield "now may be given in another zone", case(at(ends - 1, offset=9))
    yield "now in another zone, after the end", case(at(ends + 1, offset=-9))
    yield "long after, those without an end are found", case(at(9_000_000))
    yield "before it was created a memory is found", case(at(-500))
    yield "another scope has its own", case(at(10), scope="run")
    yield "another subject has its own", case(at(10), subject="user-2")
    yield "where nothing was put nothing is found", case(at(10), scope="session")
    gone = [a_memory(rng, f"a{n}", ends=at(5)) for n in range(5)]
    live = [a_memory(rng, f"b{n}") for n in range(5)]
    for limit in (1, rng.randrange(2, 5)):
        yield "a limit counts live memories only", case(at(6), limit=limit, held=gone + live)
    yield "a limit above their number gives all", case(at(6), limit=9, held=gone + live)
    yield "a limit below none is refused", case(at(6), limit=-1, held=live)
    yield "a limit of none gives none", case(at(6), limit=0, held=live)
    old = a_memory(rng, "p", created="2001-01-01T00:00:00+00:00", ends="2002-01-01T00:00:00+00:00")
    far = a_memory(rng, "q", created="2001-01-01T00:00:00+00:00", ends="9000-01-01T00:00:00+00:00")
    yield "without a moment the question is about this one", case(None, held=[old, far])
    yield "a moment without an offset is refused", case("2031-03-09T10:00:00")
    yield "text is no moment", case("!never")


def of_get(rng):
    ends = rng.randrange(20, 500)
    memories = [
        a_memory(rng, "m1", ends=at(ends)),
        a_memory(rng, "m2", "run", "run-1"),
        a_memory(rng, "m3", subject="user-2"),
    ]

    def case(name, scope="user", subject="user-1", now=None):
        moment = now or at(5)
        return {"memories": memories, "memory_id": name, "scope": scope, "subject_id": subject, "now": moment}

    yield "a memory is found inside its boundary", case("m1")
    yield "a memory of a run is found by its run", case("m2", "run", "run-1")
    yield "a memory of another user is found by that user", case("m3", subject="user-2")
    yield "a microsecond before its end it is found", case("m1", now=at(ends, micro=-1))
    yield "at its end it is gone", case("m1", now=at(ends))
    yield "after its end it is gone", case("m1", now=at(ends + 1))
    yield "another subject does not find it", case("m1", subject="user-2")
    yield "another scope does not find it", case("m2", "session", "run-1")
    yield "a user does not find what is of a run", case("m2", "user", "run-1")
    yield "what is not there is not found", case("m9")
    yield "what can be no id is refused", case("")


def of_replace(rng):
    ends = rng.randrange(20, 500)
    memories = [
        a_memory(rng, "m1", ends=at(ends), key="drink"),
        a_memory(rng, "m2"),
        a_memory(rng, "m3", "run", "r"),
    ]

    def case(new, now=None):
        return {"memories": memories, "new": new, "now": now or at(5)}

    yield (
        "what is replaced keeps its beginning and its key",
        case(a_memory(rng, "m1", created=at(3), ends=at(ends + 5), key="other")),
    )
    yield "an end can be taken away", case(a_memory(rng, "m1", created=at(3)))
    yield "an end can be given", case(a_memory(rng, "m2", created=at(1), ends=at(900)))
    yield "a beginning from before does not count either", case(a_memory(rng, "m2", created=at(-30)))
    yield "a memory of a run is replaced by its run", case(a_memory(rng, "m3", "run", "r", created=at(2)))
    yield "what has ended is not replaced", case(a_memory(rng, "m1"), now=at(ends))
    yield "another subject replaces nothing", case(a_memory(rng, "m1", subject="user-2"))
    yield "another scope replaces nothing", case(a_memory(rng, "m3", "session", "r"))
    yield "what is not there is not replaced", case(a_memory(rng, "m9"))
    yield (
        "an end before the kept beginning is refused",
        case(a_memory(rng, "m2", created=at(-90), ends=at(-60))),
    )


def of_delete(rng):
    names = [f"m{n}" for n in rng.sample(range(100), 4)]
    memories = [
        a_memory(rng, names[0], ends=at(9)),
        a_memory(rng, names[1]),
        a_memory(rng, names[2], "run", "r"),
    ]

    def case(*wanted):
        return {"memories": memories, "names": list(wanted)}

    for name in names[:3]:
        yield "a memory is deleted, and it is said", case(name)
    yield "deleting again says that there was nothing", case(names[1], names[1])
    yield "deleting what is not there says so", case(names[3])
    yield "each deletion is told for itself", case(names[3], names[0], names[2], names[0])
    yield "the beginning of a name deletes nothing", case("m")
    yield "what can be no id is refused", case("")
    yield "a number is no id", case(7)


def of_purge(rng):
    ends = rng.randrange(20, 500)
    memories = [
        a_memory(rng, "m1", ends=at(ends)),
        a_memory(rng, "m2", "run", "run-1", ends=at(ends)),
        a_memory(rng, "m3", "session", "s", ends=at(ends + 60)),
        a_memory(rng, "m4"),
        a_memory(rng, "m5", subject="user-2", ends=at(ends, micro=500_000)),
        a_memory(rng, "m6", created=at(-9_000)),
    ]

    def case(*moments, held=memories):
        return {"memories": held, "moments": list(moments)}

    yield "before any end nothing is swept", case(at(10))
    yield "a microsecond before an end nothing is swept", case(at(ends, micro=-1))
    yield "at an end those are swept that end, of every scope", case(at(ends))
    yield "half a second counts", case(at(ends, micro=499_999), at(ends, micro=500_000))
    yield "a sweep is counted once", case(at(ends + 60), at(ends + 60))
    yield "what has no end is kept for ever", case(at(9_000_000))
    yield "now may be given in another zone", case(at(ends - 1, offset=-5), at(ends + 1, offset=9))
    old = a_memory(rng, "p", created="2001-01-01T00:00:00+00:00", ends="2002-01-01T00:00:00+00:00")
    far = a_memory(rng, "q", created="2001-01-01T00:00:00+00:00", ends="9000-01-01T00:00:00+00:00")
    yield "without a moment a sweep goes by this one", case(None, held=[old, far])
    yield "a moment without an offset is refused", case("2031-03-09T10:00:00")


def of_song_memories(rng):
    yield "forge as it is", {QUERY: reference(QUERY), RECORD: reference(RECORD)}
    yield "forge with a query in other words", {QUERY: in_other_words(reference(QUERY), rng)}
    yield "forge with records in other words", {RECORD: in_other_words(reference(RECORD), rng)}
    yield "a forge with a day of grace is noticed", faulty(STEM, "a_day_of_grace")
    yield "a forge that ignores the boundary is noticed", faulty(STEM, "boundary_ignored")
    yield "a forge that shortens the content is noticed", faulty(STEM, "content_shortened")
    ignored = changed(QUERY, "{INSIDE} AND {LIVE}", "{INSIDE}")
    yield "a forge that returns the expired is noticed", ignored
    yield "a forge that finds nothing is noticed", changed(QUERY, "for row in rows]", "for row in rows[:0]]")
    capital = '"expires_at": ends, "content": row["content"].upper()}'
    yield "a forge that changes the content is noticed", changed(RECORD, '"expires_at": ends}', capital)


# %%
PROBES = {
    "offset_cut_off": of_instant,
    "the_later_one_stays": of_supersede,
    "hide_the_expired": of_query,
    "expired_returned": of_query,
    "scope_forgotten": of_get,
    "creation_moved": of_replace,
    "nothing_deleted": of_delete,
    "sweep_what_is_hidden": of_purge,
    "song_memories": of_song_memories,
}
