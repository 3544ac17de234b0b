# %% [markdown]
# Capstone 1: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
from collections.abc import Mapping

from forge.chain import freeze
from forge.errors import ContractError
from forge.grading.inside.outcomes import outcome, scene
from forge.versions.events import Event, ImportDocument, RevokeDocument
from forge.versions.questions import Answer
from forge.versions.repository import Repository

KINDS = (ContractError,)
WORDS = (
    "historical prefix",
    "event chain corrupted",
    "the snapshot differs from the events",
    "a new version must be greater",
    "a revocation names the current version",
    "a date was refused",
    "no such event",
    "was refused",
)


def plain(value):
    """The value in lists and mappings of JSON; a key that is no text is told apart from one that is."""
    if isinstance(value, Mapping):
        return {key if type(key) is str else f"not text: {key!r}": plain(value[key]) for key in value}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def told(act):
    return outcome(lambda: plain(act()), words=WORDS, kinds=KINDS)


def on_a_state(act, given):
    """What comes of it, and whether the state that was given is as it was."""
    state = freeze(given)
    found = told(lambda: act(state))
    return [found, plain(state) == given]


def true_is_one(as_event, given):
    def made():
        if given["made"]:
            event = ImportDocument(**given["event"])
            return as_event(event) is event
        event = as_event(given["event"])
        return [type(event).__name__, dict(event)] if isinstance(event, Event) else "no event"

    return told(made)


def joined_with_a_slash(identity_of, given):
    return told(lambda: identity_of(*given))


def old_version_revived(revoke_version, given):
    event = RevokeDocument(**given["event"])
    return on_a_state(lambda state: revoke_version(state, event), given["state"])


def new_version(import_version, given):
    event = ImportDocument(**given["event"])
    return on_a_state(lambda state: import_version(state, event), given["state"])


def both_on_the_last_day(status_on, given):
    row = freeze(given["row"])
    return told(lambda: [status_on(row, day) for day in given["days"]])


def date_view(temporal_view, given):
    return on_a_state(lambda state: temporal_view(state, given["on"]), given["state"])


def filter_after_top_k(recall, given):
    limit = () if given["limit"] is None else (given["limit"],)
    return on_a_state(lambda state: list(recall(state, given["question"], *limit)), given["state"])


def verify_a_row(verified, given):
    return told(lambda: verified(given["row"], given["seq"], given["previous"]))


def replay_prefix(answer, given):
    return told(lambda: answer(given["rows"], *given["as_of"]))


def kept(path, events):
    with Repository(path, durable=False) as repository:
        for event in events:
            repository.append(event)


def snapshot_without_the_chain(replay_all, given):
    kept("memory.sqlite", given["events"])
    kept("other.sqlite", given["other"])
    with Repository("memory.sqlite", durable=False) as repository:
        for statement in given["then"]:
            repository.db.execute(statement)
        kept_before = sorted(map(tuple, repository.db.execute("SELECT * FROM snapshot")))
        found = told(lambda: replay_all(repository, given["as_of"]))
        return [found, sorted(map(tuple, repository.db.execute("SELECT * FROM snapshot"))) == kept_before]


def earlier_belief_lost(ask, given):
    kept("memory.sqlite", given["events"])

    def asked():
        found = ask(repository, *given["asked"])
        return [found.value, found.citation] if isinstance(found, Answer) else "no answer"

    with Repository("memory.sqlite", durable=False) as repository:
        return told(asked)


def price_list(answer, given):
    def shown(answers):
        return [
            (each.value, each.citation and (each.citation.as_of, each.citation.on))
            for each in answers
            if isinstance(each.question, str)
        ]

    return scene(answer, given, shown)


quote_obeyed = new_version

# %%
import json

from forge.chain import GENESIS, thaw
from forge.grading.stripped import changed, faulty, in_other_words, reference
from forge.versions.digests import canonical, sha
from forge.versions.states import EMPTY, reduce_event

STEM = "capstone_1_version_memory"
ASK = "forge.versions.repository:Repository.ask"
REPLAY = "forge.versions.repository:Repository.replay"
IMPORT = "forge.versions.states:import_version"
STATUS = "forge.versions.views:status_on"
DOCS = ("rules", "prices", "menu", "timetable", "route", "handbook", "Hausordnung", "规则")
PLACES = ("hall", "room 4", "the old school", "Café", "laboratory")


def a_document(doc_id, version, text, begins=None, ends=None):
    return {
        "kind": "import_document",
        "doc_id": doc_id,
        "version": version,
        "title": f"About {doc_id}",
        "text": text,
        "sha256": sha(text),
        "effective_from": begins,
        "effective_until": ends,
    }


def a_text(rng):
    return f"- meeting place: {rng.choice(PLACES)}\n- fee: {rng.randrange(2, 90)}"


def a_memory(rng, version, scope="club", key="answer order"):
    value = f"{rng.choice(PLACES)} first"
    return {
        "kind": "write_memory",
        "key": key,
        "value": value,
        "scope": scope,
        "version": version,
        "approved": True,
    }


def revoked(doc_id, version):
    return {"kind": "revoke_document", "doc_id": doc_id, "version": version}


def state_of(events):
    state = EMPTY
    for event in events:
        state = reduce_event(state, event)
    return thaw(state)


def a_day(rng, month=None):
    return f"2027-{month or rng.randrange(1, 13):02}-{rng.randrange(3, 27):02}"


def days_around(day):
    """The day before, the day, and the day after; the day is none of the first or last two of its month."""
    head, number = day[:8], int(day[8:])
    return [f"{head}{number + step:02}" for step in (-1, 0, 1)]


def some_events(rng):
    """A history in which everything happens: ten events about three documents and two memories."""
    a, b, c = rng.sample(DOCS, 3)
    first = rng.randrange(1, 5)
    return [
        a_document(a, first, a_text(rng)),
        a_document(b, 1, a_text(rng), a_day(rng, 3), a_day(rng, 9)),
        a_memory(rng, 1),
        a_document(a, first + rng.randrange(1, 4), a_text(rng), a_day(rng)),
        revoked(b, 1),
        a_memory(rng, 1, scope=f"team {rng.randrange(9)}"),
        a_document(c, 9, a_text(rng)),
        a_memory(rng, 2),
        a_document(c, 10, a_text(rng)),
        {"kind": "revoke_memory", "key": "answer order", "scope": "club", "version": 2},
    ]


def rows_of(events):
    rows, previous = [], GENESIS
    for seq, event in enumerate(events):
        event = dict(event)
        digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
        rows.append({"seq": seq, "previous": previous, "sha": digest, "payload": canonical(event)})
        previous = digest
    return rows


# %%
def of_as_event(rng):
    def case(event, made=False, **more):
        event = {**event, **more} if isinstance(event, dict) else event
        return {"event": event, "made": made}

    doc, version = rng.choice(DOCS), rng.randrange(2, 90)
    document, memory = a_document(doc, version, a_text(rng)), a_memory(rng, version)
    yield "the fields of an import give it", case(document)
    yield "the fields of a revocation give it", case(revoked(doc, version))
    yield "the fields of a memory give it", case(memory)
    forgotten = {"kind": "revoke_memory", "key": "tone", "scope": "club", "version": version}
    yield "the fields of a revoked memory give it", case(forgotten)
    yield "an event is given back as it is", case(document, made=True)
    for event in (document, revoked(doc, 1), memory, forgotten):
        yield "True is no version", case(event, version=True)
    for wrong in (False, 0, -version, float(version), str(version), None):
        yield "what is no whole number from 1 on is no version", case(document, version=wrong)
    for wrong in (1, "true", False):
        yield "what is not True approves nothing", case(memory, approved=wrong)
    yield "an unknown kind is refused", case({"kind": f"kind-{rng.randrange(99)}"})
    yield "no kind is refused", case({"doc_id": doc, "version": version})
    for wrong in (None, "import_document", [document]):
        yield "what is no mapping is refused", case(wrong)
    yield "a text with another digest is refused", case(document, text="other")
    yield "an unknown field is refused", case(document, today=True)


def of_identity_of(rng):
    letters = [f"{rng.choice('abcdefgh')}{rng.randrange(99)}" for _ in range(3)]
    for mark in ("/", ":", "::", '"', "\\", ",", '","', "\n", " "):
        scope, key = rng.choice(((letters[:2], letters[2:]), (letters[:1], letters[1:])))
        yield "a separator may stand in a part", [mark.join(scope), mark.join(key)]
    yield "two plain names", letters[:2]
    yield "the scope comes first", letters[1::-1]
    yield "letters of all kinds", [f"班级 {letters[0]}", f"Größe {letters[1]}"]


def of_revoke_version(rng):
    events = some_events(rng)
    doc, gone, last = (events[place]["doc_id"] for place in (0, 1, 6))
    old, new = events[0]["version"], events[3]["version"]

    def case(doc_id, version, *then):
        event = {name: value for name, value in revoked(doc_id, version).items() if name != "kind"}
        return {"state": state_of([*events, *then]), "event": event}

    yield "the active version is revoked and the older one stays superseded", case(doc, new)
    yield "version 10 is revoked after 9", case(last, 10)
    again = a_document(doc, new + 2, a_text(rng))
    yield "of three versions the last is revoked", case(doc, new + 2, again)
    only = a_document("only", 7, a_text(rng))
    yield "an only version is revoked", case("only", 7, only)
    yield "after a revocation the new version can be revoked", case(gone, 2, a_document(gone, 2, a_text(rng)))
    yield "a superseded version cannot be revoked", case(doc, old)
    yield "a revoked version cannot be revoked again", case(gone, 1)
    yield "a version that is not known cannot be revoked", case(doc, new + rng.randrange(1, 9))
    yield "a document that is not known cannot be revoked", case(f"doc-{rng.randrange(99)}", 1)
    yield "nothing is revoked twice", case(doc, new, revoked(doc, new))


def of_import_version(rng):
    events = some_events(rng)
    doc, gone, last = (events[place]["doc_id"] for place in (0, 1, 6))
    old, new = events[0]["version"], events[3]["version"]

    def case(doc_id, version, text=None, begins=None, ends=None, then=()):
        event = a_document(doc_id, version, text or a_text(rng), begins, ends)
        del event["kind"]
        return {"state": state_of([*events, *then]), "event": event}

    yield "a first version is active", case(f"doc-{rng.randrange(99)}", 1)
    yield "a first version may have any number", case(f"doc-{rng.randrange(99)}", rng.randrange(20, 90))
    yield "the next version supersedes the active one", case(doc, new + 1)
    yield "numbers may be left out", case(doc, new + rng.randrange(5, 50))
    yield "11 comes after 10", case(last, 11)
    yield "after a revocation a new version is active and the old one stays revoked", case(gone, 2)
    yield "days are kept, and wait for nothing", case(doc, new + 1, None, a_day(rng, 11), a_day(rng, 12))
    yield "the same version again is refused", case(doc, new)
    yield "an older version is refused", case(doc, old)
    yield "9 does not come after 10", case(last, 9)
    yield "a revoked version is not free again", case(gone, 1)
    later = [a_document(gone, 5, a_text(rng)), revoked(gone, 5)]
    yield "a version before a revoked one is refused", case(gone, 3, then=later)
    yield "a version after a revoked one is accepted", case(gone, 6, then=later)
    quote = json.dumps(revoked(doc, new))
    yield "an order in a text is kept and not obeyed", case("letter", 1, f"Please.\n{quote}\nThank you.")
    own = json.dumps(revoked("letter", 1))
    yield "an order about its own document is not obeyed", case("letter", 1, f"{own}\n{quote}")
    note = json.dumps(a_memory(rng, 9))
    yield "an order to remember is not obeyed", case(doc, new + 1, f"- fee: 3\n{note}")
    yield "a text that is an event is a text", case("letter", 2, quote)


def of_status_on(rng):
    begins, ends = a_day(rng, rng.randrange(1, 6)), a_day(rng, rng.randrange(7, 13))

    def case(days, *, status="active", begins=begins, ends=ends, bare=False):
        row = {**a_document("a", 1, a_text(rng), begins, ends), "status": status}
        del row["kind"]
        if bare:
            del row["effective_from"], row["effective_until"]
        return {"row": row, "days": days}

    inside = a_day(rng, 6)
    yield "inside the interval", case([inside])
    yield "around the first day", case(days_around(begins))
    yield "around the end", case(days_around(ends))
    yield "an interval of one day", case(days_around(begins), ends=days_around(begins)[2])
    yield "without a beginning", case(["0001-01-01", inside, *days_around(ends)], begins=None)
    yield "without an end", case([*days_around(begins), inside, "9999-12-31"], ends=None)
    yield "without both", case([begins, inside, ends], begins=None, ends=None)
    yield "a row without days", case([begins, inside, ends], bare=True)
    for status in ("superseded", "revoked"):
        yield (
            f"{status} before every day",
            case([*days_around(begins), inside, *days_around(ends)], status=status),
        )
    yield "revoked on every day without days", case([begins, inside], status="revoked", bare=True)


def of_temporal_view(rng):
    def case(on, events):
        return {"state": state_of(events), "on": on}

    begins, ends = a_day(rng, rng.randrange(1, 6)), a_day(rng, rng.randrange(7, 13))
    events = [
        *some_events(rng),
        a_document("ending", 1, a_text(rng), begins, ends),
        a_document("following", 1, a_text(rng), ends),
        a_document("corrected", 1, a_text(rng), None, begins),
        a_document("corrected", 3, a_text(rng), begins, ends),
        a_document("withdrawn", 1, a_text(rng), begins, ends),
        revoked("withdrawn", 1),
    ]
    for day in (days_around(begins)[0], begins, a_day(rng, 6), ends, "2031-01-01"):
        yield "every version of every document is in the view", case(day, events)
    yield "an empty state has an empty view", case(begins, [])
    yield "memories have no days", case(begins, [a_memory(rng, 3)])
    for wrong in ("today", "", begins.replace("-", ""), begins.replace("-", "/"), f"{begins}T00:00:00"):
        yield "what is no plain day is refused", case(wrong, events)
    for wrong in (None, 20270301, "2027-02-30", "2027-3-1", f" {begins}"):
        yield "what is no plain day is refused, whatever there is to see", case(wrong, [])


def of_recall(rng):
    names = rng.sample(("harbour", "evening", "boat", "ticket", "price", "child"), 5)
    question = " ".join(names)

    def text(count):
        return f"- {' '.join(names[:count])}: {rng.randrange(99)}"

    def case(limit, *events, question=question):
        return {"state": state_of(events), "question": question, "limit": limit}

    many = [a_document("a", version, text(5)) for version in range(1, rng.randrange(41, 47))]
    others = [a_document(doc, 1, text(count)) for doc, count in zip("bcde", (2, 4, 1, 3), strict=True)]
    after = a_document("a", 60, "- other: 1")
    gone = [a_document("f", 1, text(5)), revoked("f", 1)]
    yield "old versions take no place", case(2, *many, after, *others)
    yield "old versions take no place, for one", case(1, *many, after, *others)
    yield "revoked documents take no place", case(1, *gone, *others)
    yield "neither takes a place of three", case(None, *many, after, *gone, *others)
    yield "the best come first", case(4, *others)
    yield "the active version is found", case(2, *many, *others)
    yield "without a limit there are three", case(None, *others)
    yield "fewer than the limit", case(9, *others[:2])
    yield "what shares no word is left out", case(5, *others, a_document("z", 1, "- other: 1"))
    yield "nothing shares a word", case(3, *others, question="quorum")
    yield "nothing is known", case(3)
    yield "case does not count", case(2, *others, question=question.upper())


def of_verified(rng):
    rows = rows_of(some_events(rng))

    def case(place, wrong=(), **asked):
        row = rows[place]
        asked = {"seq": row["seq"], "previous": row["previous"], **asked}
        return {"row": {**row, **dict(wrong)}, **asked}

    place = rng.randrange(2, 9)
    row, before = rows[place], rows[place - 1]
    yield "the first row", case(0)
    yield "the second row", case(1)
    yield "a row in the middle", case(place)
    yield "the last row", case(9)
    yield "a row of another number", case(place, seq=place + 1)
    yield "a row that says another number", case(place, {"seq": place + 1})
    yield "True is not number 1", case(1, {"seq": True})
    yield "False is not number 0", case(0, {"seq": False})
    yield "a number as text", case(place, {"seq": str(place)})
    yield "a number as a fraction", case(place, {"seq": float(place)})
    yield "a row that follows another one", case(place, previous=rows[place - 2]["sha"])
    yield "a row that says it follows another one", case(place, {"previous": rows[place - 2]["sha"]})
    yield "a row that agrees with itself and with no other", case(place, previous=GENESIS)
    yield "another digest", case(place, {"sha": before["sha"]})
    yield "a digest in capitals", case(place, {"sha": row["sha"].upper()})
    yield "no digest", case(place, {"sha": None})
    yield "another event", case(place, {"payload": before["payload"]})
    event = json.loads(row["payload"])
    spaced = json.dumps(event, ensure_ascii=False, sort_keys=True)
    yield "the same event in other bytes", case(place, {"payload": spaced})
    yield "a payload that is cut", case(place, {"payload": row["payload"][:-1]})
    without = sha(canonical({"previous": row["previous"], "event": event}))
    yield "a digest without the number", case(place, {"sha": without})


def of_replay_prefix(rng):
    events = some_events(rng)
    rows = rows_of(events)

    def case(*as_of, rows=rows):
        return {"rows": rows, "as_of": as_of}

    def damaged(place, **wrong):
        return [{**row, **wrong} if number == place else row for number, row in enumerate(rows)]

    place = rng.randrange(4, 8)
    yield "no event gives the empty state", case(0)
    yield "one event", case(1)
    yield "some events", case(place)
    yield "all events by number", case(10)
    yield "all events without one", case()
    yield "all events, when nothing is given", case(None)
    yield "a history without an event", case(rows=[])
    yield "rows after the prefix are not looked at", case(place, rows=damaged(place, sha="x"))
    yield "rows far after the prefix are not looked at", case(2, rows=damaged(9, payload="{}"))
    yield "a row left out after the prefix is not missed", case(3, rows=[*rows[:3], *rows[5:]])
    for wrong in (-1, -place, 11, rng.randrange(20, 90), True, False, 1.0, float(place), str(place)):
        yield "what is no number of events is no prefix", case(wrong)
    yield "no event in no history is all there is", case(1, rows=[])
    yield (
        "an event that was changed is noticed",
        case(rows=damaged(place, payload=rows[place - 1]["payload"])),
    )
    yield "a digest that was changed is noticed", case(10, rows=damaged(place, sha=rows[place - 1]["sha"]))
    yield "damage in the last row of the prefix is noticed", case(place + 1, rows=damaged(place, sha=GENESIS))
    yield "damage in the first row is noticed", case(1, rows=damaged(0, previous=rows[0]["sha"]))
    yield "a number that is True is noticed", case(rows=damaged(1, seq=True))
    yield "other numbers are noticed", case(rows=damaged(place, seq=place + 1))
    yield "a row that is left out is noticed", case(rows=[*rows[:place], *rows[place + 1 :]])
    yield "a first row that is left out is noticed", case(rows=rows[1:])
    moved = [*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]]
    yield "rows that changed places are noticed", case(rows=moved)
    yield "a row that is there twice is noticed", case(rows=[*rows[:place], *rows[place - 1 :]])
    illegal = rows_of([*events, events[0]])
    yield "an event that is refused is refused here too", case(rows=illegal)
    yield "before it the state can be had", case(10, rows=illegal)


def of_replay_all(rng):
    events = some_events(rng)
    forged = [a_document(events[0]["doc_id"], events[0]["version"], "- fee: forged"), *events[1:]]
    copied = [
        "ATTACH 'other.sqlite' AS other",
        "DELETE FROM events",
        "DELETE FROM snapshot",
        "INSERT INTO events SELECT * FROM other.events",
        "INSERT INTO snapshot SELECT * FROM other.snapshot",
    ]

    def case(as_of=None, then=(), other=()):
        return {"events": events, "other": list(other), "then": list(then), "as_of": as_of}

    more = [*events, a_document("added", 1, a_text(rng)), a_document("added", 2, a_text(rng))]
    yield "all events", case()
    yield "all events by number", case(10)
    yield "what another writer added", case(then=copied, other=more)
    yield "a prefix of what another writer added", case(11, then=copied, other=more)
    yield "more than there is", case(rng.randrange(11, 40))
    place = rng.randrange(1, 9)
    yield (
        "an event that was changed",
        case(then=[f"UPDATE events SET payload = replace(payload, ':', ': ') WHERE seq = {place}"]),
    )
    yield "a digest that was changed", case(then=[f"UPDATE events SET sha = '{GENESIS}' WHERE seq = {place}"])
    yield "an event in the middle that is gone", case(then=[f"DELETE FROM events WHERE seq = {place}"])
    yield "an end that is gone from both", case(then=copied, other=events[:-1])
    yield "everything is gone from both", case(then=copied[1:3])
    yield "both were forged", case(then=copied, other=forged)
    yield (
        "a snapshot that was changed",
        case(then=["UPDATE snapshot SET row = replace(row, 'superseded', 'active')"]),
    )
    yield (
        "a snapshot in other bytes",
        case(then=["UPDATE snapshot SET row = replace(row, ':', ': ') WHERE part = 'memories'"]),
    )
    yield "a snapshot with less", case(10, then=["DELETE FROM snapshot WHERE part = 'memories'"])
    yield (
        "a snapshot with more",
        case(then=["INSERT INTO snapshot SELECT part, 'more', version, row FROM snapshot LIMIT 1"]),
    )
    yield "a snapshot that is gone", case(then=["DELETE FROM snapshot"])


def of_ask(rng):
    change, ends = a_day(rng, rng.randrange(1, 6)), a_day(rng, rng.randrange(7, 13))
    values = [f"{rng.choice(PLACES)} {rng.randrange(99)}" for _ in range(4)]

    def document(doc_id, version, name, value, *days):
        return a_document(doc_id, version, f"- {name}: {value}", *days)

    events = [
        document("place", 1, "meeting place", values[0]),
        document("fee", 1, "fee", values[1], change, ends),
        document("place", 2, "meeting place", values[2]),
        revoked("fee", 1),
        document("fee", 4, "fee", values[3], ends),
        revoked("place", 2),
    ]

    def case(question, as_of, on=change):
        return {"events": events, "asked": [question, as_of, on]}

    yield "the first belief", case("meeting place", 1)
    yield "before it was replaced", case("meeting place", 2)
    yield "after it was replaced", case("meeting place", 3)
    yield "before it was revoked", case("meeting place", 5)
    yield "after it was revoked", case("meeting place", 6)
    yield "before anything was known", case("meeting place", 0)
    yield "on the first day", case("fee", 2)
    yield "on the day before", case("fee", 2, days_around(change)[0])
    yield "on the end", case("fee", 2, ends)
    yield "after a revocation", case("fee", 4)
    yield "the new one from its first day on", case("fee", 5, ends)
    yield "the new one is not known yet", case("fee", 3, ends)
    yield "what nobody says", case("colour", 6)
    for wrong in (None, -1, 7, True, 2.0, "2"):
        yield "what is no prefix is refused", case("fee", wrong)
    for wrong in (None, "today", change.replace("-", "")):
        yield "what is no day is refused", case("fee", 2, wrong)


def of_price_list(rng):
    yield "forge as it is", {STATUS: reference(STATUS), REPLAY: reference(REPLAY)}
    yield "forge with another way to see a day", {STATUS: in_other_words(reference(STATUS), rng)}
    yield "forge with a replay in other words", {REPLAY: in_other_words(reference(REPLAY), rng)}
    yield "a forge in which the future is now is noticed", faulty(STEM, "future_is_now")
    yield "a forge without a price on the first day is noticed", faulty(STEM, "nothing_on_the_first_day")
    yield "a forge that replays everything is noticed", faulty(STEM, "newest_known")
    yield "a forge that answers from now is noticed", faulty(STEM, "earlier_belief_lost")
    yield "a forge whose price ends a day late is noticed", changed(STATUS, "ends <= on", "ends < on")
    both = changed(IMPORT, '{"status": "superseded"}', '{"status": "active"}')
    yield "a forge with two active versions is noticed", both
    yield (
        "a forge that answers from before is noticed",
        changed(ASK, "self.replay(as_of)", "self.replay(max(as_of - 1, 0))"),
    )


# %%
PROBES = {
    "true_is_one": of_as_event,
    "joined_with_a_slash": of_identity_of,
    "old_version_revived": of_revoke_version,
    "new_version": of_import_version,
    "quote_obeyed": of_import_version,
    "both_on_the_last_day": of_status_on,
    "date_view": of_temporal_view,
    "filter_after_top_k": of_recall,
    "verify_a_row": of_verified,
    "replay_prefix": of_replay_prefix,
    "snapshot_without_the_chain": of_replay_all,
    "earlier_belief_lost": of_ask,
    "price_list": of_price_list,
}
