# %% [markdown]
# Stage 2: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
from forge.grading.inside.outcomes import outcome, scene
from forge.state.session import RunRecord, Session

WORDS = ("unique", "cannot be tried again", "finish status must be terminal", "already terminal")


def session_of(given):
    return Session(session_id=given["session_id"], runs=tuple(RunRecord(**run) for run in given["runs"]))


def shown(value):
    return value.model_dump(mode="json") if isinstance(value, Session) else f"a {type(value).__name__}"


def newest_run(find_run, given):
    session = session_of(given["session"])

    def place():
        found = find_run(session, given["run_id"])
        return [found is run for run in session.runs]

    return outcome(place, words=WORDS)


def who_is_tried_again(require_retriable, given):
    session = session_of(given["session"])
    return [outcome(lambda: require_retriable(session, given["run_id"]), words=WORDS), shown(session)]


def unique_run_id(start_run, given):
    session = session_of(given["session"])
    more = {"retries": given["retries"]} if given["retries"] else {}
    return [outcome(lambda: shown(start_run(session, given["run_id"], **more)), words=WORDS), shown(session)]


def cancelled_is_active(active_run_ids, given):
    def listed():
        found = active_run_ids(session_of(given["session"]))
        return [type(found).__name__, list(found)]

    return outcome(listed)


def finish_one_run(finish_run, given):
    session = session_of(given["session"])
    act = lambda: shown(finish_run(session, given["run_id"], given["status"]))  # noqa: E731
    return [outcome(act, words=WORDS), shown(session)]


def late_verdict(require_active, given):
    session = session_of(given["session"])
    [run] = [run for run in session.runs if run.run_id == given["run_id"]]
    return [outcome(lambda: require_active(session, run, given["status"]), words=WORDS), shown(session)]


def music_tracks(answer, given):
    return scene(answer, given, lambda session: [[run.run_id, run.status] for run in session.runs])


two_runs_one_id = failure_replaced = unique_run_id

# %%
from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "02_session_lifecycle"
START, FINISH = "forge.state.session:start_run", "forge.state.session:finish_run"
ACTIVE = "forge.state.session:Session.active_run_ids"
ENDS = ("completed", "failed", "cancelled")


def a_session(rng, *runs):
    """A session of runs, each `number`, `(number, status)` or `(number, status, retried number)`."""
    name = rng.choice(("run", "job", "task"))
    records = []
    for run in runs:
        number, status, retried = (*run, None)[:3] if isinstance(run, tuple) else (run, "active", None)
        retries = f"{name}-{retried}" if retried else None
        records.append({"run_id": f"{name}-{number}", "status": status, "retries": retries})
    return name, {"session_id": f"session-{rng.randrange(99)}", "runs": records}


def tried_again(rng):
    """A session in which 1 failed, 2 tries it again and failed, 3 tries that one again, 4 to 7 in all states."""
    last = [(4, "completed"), (5, "cancelled"), (6, "failed"), 7]
    rng.shuffle(last)
    return a_session(rng, (1, "failed"), (2, "failed", 1), (3, "active", 2), *last)


# %%
def of_find_run(rng):
    def case(numbers, wanted):
        name, session = a_session(rng, *numbers)
        return {"session": session, "run_id": wanted if isinstance(wanted, str) else f"{name}-{wanted}"}

    first, second, third = rng.sample(range(2, 9), 3)
    yield "the first run is found", case([first, second, third], first)
    yield "a run in the middle is found", case([first, second, third], second)
    yield "the last run is found", case([first, second, third], third)
    yield "a run that has ended is found", case([(first, "failed"), second], first)
    yield "a run is not mistaken for a longer name", case([f"{first}0", first], first)
    yield "a run is not mistaken for a shorter name", case([first, f"{first}0"], f"{first}0")
    yield "a run that does not exist is not found", case([first, second], third)
    yield "the beginning of a name is not found", case([f"{first}0"], first)
    yield "the empty name is not found", case([first, second], "")


def of_require_retriable(rng):
    def case(number, session=None):
        name, session = session or tried_again(rng)
        return {"session": session, "run_id": f"{name}-{number}"}

    once = [(1, "failed"), (2, "completed", 1)]
    yield "a run that failed may be tried again", case(6)
    yield "a run that was cancelled may be tried again", case(5)
    yield "a retry that failed may be tried again", case(2, a_session(rng, (1, "failed"), (2, "failed", 1)))
    yield (
        "one that is alone may be tried again",
        case(1, a_session(rng, (1, rng.choice(("failed", "cancelled"))))),
    )
    yield "one before others may be tried again", case(1, a_session(rng, (1, "failed"), 2, (3, "completed")))
    yield "a run that is at work may not", case(7)
    yield "a retry that is at work may not", case(3)
    yield "a run that completed may not", case(4)
    yield "a run that was tried again may not", case(1)
    yield "a retry that was tried again may not", case(2)
    yield "one whose retry failed may not", case(1, a_session(rng, (1, "cancelled"), (2, "failed", 1)))
    yield "one whose retry completed may not", case(1, a_session(rng, *once, rng.randrange(3, 9)))
    yield "one that does not exist may not", case(9)


def of_start_run(rng):
    free = rng.randrange(20, 99)

    def case(session, number, retries=None):
        name, session = session
        again = f"{name}-{retries}" if retries else None
        run_id = number if isinstance(number, str) else f"{name}-{number}"
        return {"session": session, "run_id": run_id, "retries": again}

    def ended(status):
        return a_session(rng, 1, (2, status), 3)

    for _ in range(2):
        yield "a run is started behind the others", case(tried_again(rng), free)
    yield "the first run is started", case(a_session(rng), free)
    yield "an id that begins like another is free", case(a_session(rng, 1, 2), f"{1}0")
    name, session = a_session(rng, 11, 12)
    yield "an id that is part of another is free", case((name, session), 1)
    yield "an id in capitals is free", case((name, session), f"{name}-11".upper())
    spaced = a_session(rng, 1, 2)
    for end in (" ", "\n", "\t"):
        yield "an id with white space behind it is another", case(spaced, f"{spaced[0]}-1{end}")
    yield "an id with white space before it is another", case(spaced, f" {spaced[0]}-2")
    yield "a run that failed is tried again", case(tried_again(rng), free, retries=6)
    yield (
        "the last attempt is tried again",
        case(a_session(rng, (1, "failed"), (2, "failed", 1)), free, retries=2),
    )
    yield "the first of several ids is taken", case(a_session(rng, 1, 2, 3), 1)
    yield "an id in the middle is taken", case(a_session(rng, 1, 2, 3), 2)
    yield "the last id is taken", case(a_session(rng, 1, 2, 3), 3)
    for status in ENDS:
        yield f"the id of a run that is {status} is taken", case(ended(status), 2)
    yield "a retry does not inherit the id", case(tried_again(rng), 6, retries=6)
    yield "the id of a retry is taken", case(tried_again(rng), 3)
    yield "a run at work is not tried again", case(tried_again(rng), free, retries=7)
    yield "a run that completed is not tried again", case(tried_again(rng), free, retries=4)
    yield "a run is not tried again twice", case(tried_again(rng), free, retries=1)
    yield "a run that does not exist is not tried again", case(tried_again(rng), free, retries=77)


def of_active_run_ids(rng):
    def case(*runs):
        return {"session": a_session(rng, *runs)[1]}

    numbers = rng.sample(range(1, 30), 5)
    numbers.sort(key=str, reverse=True)
    mixed = [(number, rng.choice((*ENDS, "active"))) for number in numbers]
    yield "every run that was started is active", case(*numbers)
    yield "the order is that of the start, not of the names", case(*sorted(numbers, reverse=True))
    for status in ENDS:
        yield f"a run that is {status} is not active", case(numbers[0], (numbers[1], status), numbers[2])
    yield "in a session of all kinds the active are listed", case(*mixed)
    yield "a retry at work is active", case((1, "failed"), (2, "active", 1), (3, "cancelled"))
    yield "when all have ended none is active", case((1, "failed"), (2, "cancelled"))
    yield "an empty session has none", case()


def of_require_active(rng):
    def case(number, status, session):
        name, session = session
        return {"session": session, "run_id": f"{name}-{number}", "status": status}

    for status in ENDS:
        yield (
            f"a run at work may become {status}",
            case(2, status, a_session(rng, (1, "failed"), 2, (3, "completed"))),
        )
    yield "a retry at work may finish", case(3, rng.choice(ENDS), tried_again(rng))
    for first in ENDS:
        for second in ENDS:
            yield f"{first} does not become {second}", case(2, second, a_session(rng, 1, (2, first), 3))
    yield "a retry that has ended stays as it ended", case(2, "completed", tried_again(rng))


def of_finish_run(rng):
    def case(session, number, status):
        name, session = session
        return {"session": session, "run_id": f"{name}-{number}", "status": status}

    alike = [1, 10, 100]
    for number, status in zip(alike, rng.sample(ENDS, 3), strict=True):
        yield f"of runs with like names, one becomes {status}", case(a_session(rng, *alike), number, status)
    yield "a retry that finishes still names what it retried", case(tried_again(rng), 3, rng.choice(ENDS))
    yield "a run in the middle finishes in its place", case(tried_again(rng), 7, "failed")
    yield "the only run finishes", case(a_session(rng, 4), 4, rng.choice(ENDS))
    for first in ENDS:
        for second in rng.sample(ENDS, 2):
            yield f"{first} does not become {second}", case(a_session(rng, 1, (2, first), 3), 2, second)
        yield f"{first} does not become {first}", case(a_session(rng, (2, first), 3), 2, first)
    for status in ("active", "running", "Completed", "", None):
        yield f"{status!r} is no end", case(a_session(rng, 1, 2), 2, status)
    yield "a run that does not exist is not finished", case(a_session(rng, 1, 10), 9, "failed")
    yield "the beginning of a name is not finished", case(a_session(rng, 10, 11), 1, "failed")


# %% [markdown]
# The transfer is run on editions of forge: right ones, written in other ways, and broken ones.


# %%
def of_music_tracks(rng):
    yield "forge as it is", {target: reference(target) for target in (START, FINISH, ACTIVE)}
    yield "forge with a start in other words", {START: in_other_words(reference(START), rng)}
    yield "forge with an end in other words", {FINISH: in_other_words(reference(FINISH), rng)}
    yield "a forge where a duplicate replaces is noticed", faulty(STEM, "duplicate_replaces")
    yield "a forge where a finished run stays active is noticed", faulty(STEM, "finished_stays_active")
    yield "a forge that loses the order is noticed", faulty(STEM, "start_order_lost")
    yield "a forge that accepts an id twice is noticed", changed(START, "if any(", "if False and any(")
    lost = changed(ACTIVE, "is RecordStatus.ACTIVE)", "is RecordStatus.ACTIVE)[1:]")
    yield "a forge that loses an active run is noticed", lost
    every = changed(
        FINISH, "finished if other is run else other", "other.model_copy(update={'status': status})"
    )
    yield "a forge that finishes every run is noticed", every


# %%
PROBES = {
    "newest_run": of_find_run,
    "who_is_tried_again": of_require_retriable,
    "cancelled_is_active": of_active_run_ids,
    "unique_run_id": of_start_run,
    "two_runs_one_id": of_start_run,
    "failure_replaced": of_start_run,
    "late_verdict": of_require_active,
    "finish_one_run": of_finish_run,
    "music_tracks": of_music_tracks,
}
