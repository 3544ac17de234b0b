"""Capstone 1: what a version memory promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

import json
from contextlib import contextmanager

from forge.chain import thaw
from forge.versions import (
    EMPTY,
    EVENTS,
    QUESTIONS,
    Repository,
    RevokeDocument,
    RevokeMemory,
    WriteMemory,
    active_docs,
    active_memories,
    as_event,
    canonical,
    club_repository,
    identity_of,
    import_document,
    recall,
    reduce_event,
    replay_prefix,
    sha,
    status_on,
    temporal_view,
    verified,
)

DAY = "2026-10-13"
ZEROS = "0" * 64


def document(doc_id, version, text="- time: ten", **days):
    return import_document(doc_id, version, f"About {doc_id}", text, **days)


def memory(version, *, key="order", value="short first", scope="club"):
    return WriteMemory(key=key, value=value, scope=scope, version=version, approved=True)


def state_of(*events, state=EMPTY):
    for event in events:
        state = reduce_event(state, event)
    return state


def rows_of(*events):
    """The rows that store the events, as any program that keeps the rules would write them."""
    rows, previous = [], ZEROS
    for seq, event in enumerate(events):
        fields = dict(event)
        digest = sha(canonical({"seq": seq, "previous": previous, "event": fields}))
        rows.append({"seq": seq, "previous": previous, "sha": digest, "payload": canonical(fields)})
        previous = digest
    return rows


def statuses(state, doc_id):
    return {version: row["status"] for version, row in state["documents"].get(doc_id, {}).items()}


def active(state):
    """The active documents as `doc_id@version`."""
    return [f"{row['doc_id']}@{row['version']}" for row in active_docs(state)]


def refusal(words, act, *values):
    """`ContractError: … words …` if that is how `act` refuses the values, else what it did instead."""
    try:
        act(*values)
    except NotImplementedError:
        raise
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        if "ContractError" in kinds and words in str(error):
            return f"ContractError: … {words} …"
        return f"{type(error).__name__}: {error}"
    return "accepted"


@contextmanager
def repository_of(tmp_path, *events):
    with Repository(tmp_path / "memory.sqlite", durable=False) as repository:
        for event in events:
            repository.append(event)
        yield repository


def test_three_points_of_one_history_give_three_different_states(tmp_path):
    with club_repository(tmp_path / "club.sqlite", durable=False) as club:
        after = {count: club.replay(count) for count in (6, 9, 12)}
    found = {
        count: [doc for doc in active(state) if doc[:3] in ("sch", "cam")] for count, state in after.items()
    }
    assert found[6] == ["camera@1", "schedule@1"], "after 6 events the first versions must be active"
    assert found[9] == ["schedule@2"], "after 9 events no version of camera must be active"
    assert found[12] == ["camera@2", "schedule@2"], "after 12 events the second versions must be active"
    values = {count: [row["value"] for row in active_memories(state)] for count, state in after.items()}
    assert values[6] == ["the conclusion first"], "after 6 events the first preference must hold"
    assert values[9] == ["the grounds first"], "after 9 events the second preference must hold"
    assert values[12] == [], "after 12 events no preference must hold"


def test_a_document_is_in_force_on_its_first_day_and_not_on_its_last():
    row = {"doc_id": "a", "version": 1, "title": "x", "text": "- x：y", "sha256": sha("- x：y")}
    row |= {"status": "active", "effective_from": "2026-10-13", "effective_until": "2026-10-16"}
    state = {"documents": {"a": {"1": row}}, "memories": {}}
    for day, expected in (
        ("2026-10-12", "not_effective"),
        ("2026-10-13", "active"),
        ("2026-10-15", "active"),
        ("2026-10-16", "expired"),
        ("2027-01-01", "expired"),
    ):
        found = statuses(temporal_view(state, day), "a")
        assert found == {"1": expected}, f"on {day} a document from 13 until 16 October must be {expected}"
        assert status_on(row, day) == expected, f"on {day} its status must be {expected}"
    assert row["status"] == "active", "a date view must not change the state it is given"


def test_an_open_end_has_no_border():
    for days, shown in (
        ({}, ("active", "active")),
        ({"effective_from": DAY}, ("not_effective", "active")),
        ({"effective_until": DAY}, ("active", "expired")),
    ):
        state = state_of(document("a", 1, **days))
        found = tuple(statuses(temporal_view(state, day), "a")["1"] for day in ("0001-01-01", "9999-12-31"))
        assert found == shown, f"with {days or 'no days'} the first and the last day of all must be {shown}"


def test_on_a_boundary_day_exactly_one_of_two_neighbours_is_in_force():
    before, after = document("old", 1, effective_until=DAY), document("new", 1, effective_from=DAY)
    state = state_of(before, after)
    for day, expected in (("2026-10-12", ["old@1"]), (DAY, ["new@1"]), ("2026-10-14", ["new@1"])):
        found = active(temporal_view(state, day))
        assert found == expected, f"on {day} exactly one of two neighbours must be in force"


def test_a_date_view_changes_no_stored_state(tmp_path):
    with repository_of(tmp_path, document("a", 1, effective_until=DAY), memory(1)) as repository:
        before, lines = repository.replay(), repository.db.execute("SELECT * FROM snapshot").fetchall()
        assert active(temporal_view(before, "2027-01-01")) == [], "after its last day it must not be in force"
        kept = [row["value"] for row in active_memories(temporal_view(before, "2027-01-01"))]
        assert kept == ["short first"], "a date view must hold the memories, which have no days"
        assert active(before) == ["a@1"], "a date view must leave the state as it was"
        assert repository.replay() == before, "a date view must leave the stored state as it was"
        stored = repository.db.execute("SELECT * FROM snapshot").fetchall()
        assert list(map(tuple, stored)) == list(map(tuple, lines)), "a date view must not write"


def test_a_date_is_a_plain_day_and_never_guessed():
    state = state_of(document("a", 1))
    for nonsense in (
        None,
        "",
        "today",
        "2026-1-5",
        "20261013",
        "2026-02-30",
        "2026-10-13T00:00:00",
        20261013,
    ):
        found = refusal("a date was refused", temporal_view, state, nonsense)
        assert found == "ContractError: … a date was refused …", f"the date {nonsense!r} must be refused"
        if nonsense is not None:
            found = refusal("effective_from", lambda day: document("b", 1, effective_from=day), nonsense)
            assert found == "ContractError: … effective_from …", f"a first day {nonsense!r} must be refused"


def test_a_revocation_revives_no_older_version():
    state = state_of(document("a", 1), document("a", 2), RevokeDocument(doc_id="a", version=2))
    found = statuses(state, "a")
    assert found == {"1": "superseded", "2": "revoked"}, "a revocation must bring no older version back"
    assert active_docs(state) == [], "after the revocation no version must be active"


def test_importing_a_version_supersedes_the_active_one():
    state = state_of(document("a", 1), document("b", 1), document("a", 3))
    assert statuses(state, "a") == {"1": "superseded", "3": "active"}, "the older version must be superseded"
    assert statuses(state, "b") == {"1": "active"}, "another document must stay as it was"
    assert state["documents"]["a"]["1"]["text"] == "- time: ten", "the text of an older version must stay"
    state = state_of(RevokeDocument(doc_id="a", version=3), document("a", 4), state=state)
    expected = {"1": "superseded", "3": "revoked", "4": "active"}
    assert statuses(state, "a") == expected, "a revoked version must stay revoked when a new one comes"


def test_a_new_version_is_strictly_greater_than_every_older_one():
    state = state_of(document("a", 2), RevokeDocument(doc_id="a", version=2), memory(2))
    words = "a new version must be greater"
    for event in (document("a", 2), document("a", 1), memory(2), memory(1)):
        found = refusal(words, reduce_event, state, event)
        assert found == f"ContractError: … {words} …", f"version {event.version} after 2 must be refused"
    state = state_of(RevokeMemory(key="order", scope="club", version=2), state=state)
    found = refusal(words, reduce_event, state, memory(2))
    assert found == f"ContractError: … {words} …", "the version of a revoked memory must not come again"
    state = state_of(document("a", 9), document("a", 10), memory(10), state=state)
    assert statuses(state, "a") == {"2": "revoked", "9": "superseded", "10": "active"}, "10 must follow 9"


def test_a_revocation_names_the_current_version_and_scope():
    state = state_of(document("a", 1), document("a", 2), memory(1), memory(2))
    words = "a revocation names the current version"
    for event in (
        RevokeDocument(doc_id="a", version=1),
        RevokeDocument(doc_id="a", version=3),
        RevokeDocument(doc_id="b", version=1),
        RevokeMemory(key="order", scope="club", version=1),
        RevokeMemory(key="order", scope="another club", version=2),
        RevokeMemory(key="tone", scope="club", version=2),
    ):
        found = refusal(words, reduce_event, state, event)
        assert found == f"ContractError: … {words} …", f"{event!r} must be refused"
    state = state_of(RevokeMemory(key="order", scope="club", version=2), state=state)
    assert active_memories(state) == [], "the current version of a memory must be revoked when it is named"
    found = refusal(words, reduce_event, state, RevokeMemory(key="order", scope="club", version=2))
    assert found == f"ContractError: … {words} …", "what is revoked must not be revoked again"


def test_a_revoked_document_is_not_in_force_on_any_day():
    days = {"effective_from": "2026-10-01", "effective_until": "2026-11-01"}
    state = state_of(
        document("a", 1, **days), document("a", 2, **days), RevokeDocument(doc_id="a", version=2)
    )
    for day in ("2026-09-30", DAY, "2026-11-01"):
        found = statuses(temporal_view(state, day), "a")
        assert found == {"1": "superseded", "2": "revoked"}, f"revoked must beat the date, on {day} too"


def test_a_version_that_is_not_in_force_yet_brings_no_older_one_back():
    state = state_of(document("a", 1), document("a", 2, effective_from="2027-01-01"))
    found = statuses(temporal_view(state, DAY), "a")
    assert found == {"1": "superseded", "2": "not_effective"}, "the older version must stay superseded"


def test_memories_of_two_scopes_are_two_memories():
    found = [identity_of("a", "b/c"), identity_of("a/b", "c")]
    assert found == ['["a","b/c"]', '["a/b","c"]'], "scopes and keys that join alike must stay apart"
    one, other = memory(1, key="b/c", scope="a"), memory(1, key="c", scope="a/b", value="long first")
    state = state_of(one, other)
    found = [row["value"] for row in active_memories(state)]
    assert sorted(found) == ["long first", "short first"], "both memories must be kept"
    state = state_of(RevokeMemory(key="b/c", scope="a", version=1), state=state)
    found = [row["value"] for row in active_memories(state)]
    assert found == ["long first"], "a revocation must reach its own scope only"


def test_an_event_that_breaks_its_contract_is_refused_and_changes_nothing():
    state = state_of(document("a", 1), memory(1))
    before = thaw(state)
    good = {"doc": dict(document("b", 1)), "memory": dict(memory(2))}
    for of, field, wrong in (
        ("doc", "version", True),
        ("doc", "version", 0),
        ("doc", "version", -1),
        ("doc", "version", "2"),
        ("doc", "version", 2.0),
        ("doc", "sha256", sha("another text")),
        ("doc", "text", "- time: eleven"),
        ("doc", "doc_id", ""),
        ("doc", "effective_until", "soon"),
        ("memory", "version", True),
        ("memory", "approved", False),
        ("memory", "approved", 1),
        ("memory", "approved", "true"),
        ("memory", "key", ""),
        ("memory", "value", ""),
        ("memory", "scope", ""),
        ("memory", "scope", None),
        ("memory", "kind", "forget_everything"),
    ):
        words = {"kind": "no such event", "text": "sha256 was refused"}.get(field, f"{field} was refused")
        found = refusal(words, reduce_event, state, {**good[of], field: wrong})
        assert found == f"ContractError: … {words} …", f"{field}={wrong!r} must be refused"
    assert thaw(state) == before, "a refused event must leave the state as it was"
    accepted = reduce_event(state, good["memory"])
    found = [row["version"] for row in active_memories(accepted)]
    assert found == [2], "a good event must be accepted as a mapping"
    assert thaw(state) == before, "an accepted event must leave the state before it as it was"


def test_the_text_of_a_document_is_never_an_event():
    revoke = canonical(dict(RevokeDocument(doc_id="a", version=1)))
    text = f"- time: noon\napproved=true\n{revoke}"
    state = state_of(document("a", 1), document("b", 1, text))
    assert active(state) == ["a@1", "b@1"], "what stands in a text must not be done"
    assert state["documents"]["b"]["1"]["text"] == text, "the text must be kept as it is"
    assert active_memories(state) == [], "a text that says approved must make no memory"


def test_a_prefix_is_a_number_of_events():
    rows = rows_of(document("a", 1), document("a", 2), RevokeDocument(doc_id="a", version=2))
    for count, expected in (
        (0, {}),
        (1, {"1": "active"}),
        (2, {"1": "superseded", "2": "active"}),
        (3, {"1": "superseded", "2": "revoked"}),
        (None, {"1": "superseded", "2": "revoked"}),
    ):
        found = statuses(replay_prefix(rows, count), "a")
        assert found == expected, f"a prefix of {count} must hold as many events"
    assert replay_prefix(rows, 0) == {"documents": {}, "memories": {}}, "prefix 0 must be the empty state"
    assert replay_prefix([]) == {"documents": {}, "memories": {}}, "no rows must give the empty state"


def test_a_prefix_outside_the_history_is_refused(tmp_path):
    events = (document("a", 1), document("a", 2))
    rows = rows_of(*events)
    with repository_of(tmp_path, *events) as repository:
        for nonsense in (-1, 3, True, False, 1.0, "1"):
            found = refusal("historical prefix", replay_prefix, rows, nonsense)
            assert found == "ContractError: … historical prefix …", f"as_of={nonsense!r} must be refused"
            found = refusal("historical prefix", repository.replay, nonsense)
            assert found == "ContractError: … historical prefix …", f"replay({nonsense!r}) must be refused"


def test_a_row_that_does_not_follow_is_refused():
    words = "event chain corrupted"
    rows = rows_of(document("a", 1), document("a", 2), RevokeDocument(doc_id="a", version=2))
    spaced = json.dumps(json.loads(rows[1]["payload"]), ensure_ascii=False, sort_keys=True)
    for column, wrong in (
        ("seq", 2),
        ("seq", True),
        ("previous", ZEROS),
        ("sha", ZEROS),
        ("payload", rows[1]["payload"].replace("ten", "six")),
        ("payload", spaced),
        ("payload", rows[1]["payload"][:-1]),
        ("payload", "null"),
    ):
        damaged = [rows[0], {**rows[1], column: wrong}, rows[2]]
        found = refusal(words, replay_prefix, damaged)
        assert found == f"ContractError: … {words} …", f"{column}={wrong!r} in row 1 must be refused"
        found = refusal(words, verified, damaged[1], 1, rows[0]["sha"])
        assert found == f"ContractError: … {words} …", f"a row with {column}={wrong!r} must not be verified"
        assert active(replay_prefix(damaged, 1)) == ["a@1"], "the rows before the damage must be readable"
    for other in ([rows[0], rows[2]], [rows[1], rows[2]], [rows[1], rows[0]], [rows[0], rows[0]]):
        found = refusal(words, replay_prefix, other)
        assert found == f"ContractError: … {words} …", "rows left out or moved must be refused"


def test_a_changed_log_is_refused(tmp_path):
    events = (document("a", 1), document("a", 2), memory(1))
    with repository_of(tmp_path, *events) as repository:
        repository.db.execute("UPDATE events SET payload = replace(payload, 'ten', 'six') WHERE seq = 1")
        words = "event chain corrupted"
        found = refusal(words, repository.replay)
        assert found == f"ContractError: … {words} …", "a full replay must refuse a changed row"
        found = refusal(words, repository.replay, 2)
        assert found == f"ContractError: … {words} …", "a prefix that holds the changed row must be refused"
        assert active(repository.replay(1)) == ["a@1"], "a prefix before the changed row must be readable"
    found = refusal(words, repository_of(tmp_path).__enter__)
    assert found == f"ContractError: … {words} …", "a changed log must not be opened"


def test_a_log_that_lost_its_end_is_refused_by_the_repository_that_knew_it(tmp_path):
    with repository_of(tmp_path, document("a", 1), memory(1)) as repository:
        repository.db.execute("DELETE FROM events WHERE seq = 1")
        repository.db.execute("DELETE FROM snapshot WHERE part = 'memories'")
        words = "event chain corrupted"
        for act, values in ((repository.replay, ()), (repository.append, (memory(2),))):
            found = refusal(words, act, *values)
            assert found == f"ContractError: … {words} …", "a lost end must be noticed"
        repository.db.execute("DELETE FROM events")
        found = refusal(words, repository.replay, 1)
        assert found == f"ContractError: … {words} …", "a prefix whose rows are gone must be refused"


def test_a_prefix_of_a_long_history_is_the_one_that_its_rows_give(tmp_path):
    events = [document(f"d{number % 3}", number) for number in range(1, 121)]
    with repository_of(tmp_path, *events) as repository:
        rows = repository.rows()
        for count in (1, 49, 50, 51, 99, 100, 101, 119):
            found = active(repository.replay(count))
            expected = active(replay_prefix(rows, count))
            assert found == expected, f"prefix {count} must be the same, however it is reached"


def test_a_changed_snapshot_is_refused(tmp_path):
    for number, change in enumerate(
        (
            "UPDATE snapshot SET row = replace(row, 'superseded', 'active') WHERE version = '1'",
            "UPDATE snapshot SET row = replace(row, ':', ': ') WHERE version = '1'",
            "UPDATE snapshot SET version = '3' WHERE version = '2'",
            "DELETE FROM snapshot WHERE part = 'memories'",
            "INSERT INTO snapshot SELECT part, 'b', version, row FROM snapshot WHERE version = '2'",
        )
    ):
        folder = tmp_path / str(number)
        with repository_of(folder, document("a", 1), document("a", 2), memory(1)) as repository:
            repository.db.execute(change)
            words = "the snapshot differs from the events"
            found = refusal(words, repository.replay)
            assert found == f"ContractError: … {words} …", f"a full replay must notice: {change}"
            found = refusal(words, repository.replay, 3)
            assert found == f"ContractError: … {words} …", "all events by number must be a full replay too"
            assert active(repository.replay(1)) == ["a@1"], "an earlier prefix must not ask the snapshot"


def test_a_refused_event_writes_nothing(tmp_path):
    with repository_of(tmp_path, document("a", 2)) as repository:
        before = repository.replay()
        for event, words in (
            (document("a", 1), "a new version must be greater"),
            ({**dict(memory(1)), "approved": "true"}, "approved was refused"),
            ({"kind": "nothing"}, "no such event"),
        ):
            found = refusal(words, repository.append, event)
            assert found == f"ContractError: … {words} …", f"{event!r} must be refused"
        assert len(repository.rows()) == 1, "a refused event must not be in the log"
        assert repository.replay() == before, "a refused event must leave log and snapshot as they were"
        repository.append(document("a", 3))
        assert active(repository.replay()) == ["a@3"], "the next good event must be accepted"


def test_a_second_writer_is_told(tmp_path):
    with repository_of(tmp_path, document("a", 1)) as first, repository_of(tmp_path) as second:
        second.append(document("b", 1))
        words = "the log has another writer"
        found = refusal(words, first.append, document("c", 1))
        assert found == f"ContractError: … {words} …", "an append after somebody else's must be refused"
        assert len(second.rows()) == 2, "the refused append must write nothing"
        assert active(first.replay()) == ["a@1", "b@1"], "reading must see what another has written"
        second.append(document("c", 1))
        found = active(first.replay(2))
        assert found == ["a@1", "b@1"], "a prefix of what another has written must be that prefix"


def test_every_question_is_answered_from_its_own_view(tmp_path):
    with club_repository(tmp_path / "club.sqlite", durable=False) as club:
        for question, as_of, on, value, source in QUESTIONS:
            found = club.ask(question, as_of, on)
            where = f"{question!r} after {as_of} events on {on}"
            assert found.value == value, f"{where} must have the answer of that view"
            cited = None if found.citation is None else f"{found.citation.doc_id}@{found.citation.version}"
            assert cited == source, f"{where} must cite the document that says it"
            if found.citation is not None:
                assert (found.citation.as_of, found.citation.on) == (as_of, on), f"{where} must cite its view"
                club.check(found)
        found = refusal("historical prefix", club.ask, "meeting time", None, DAY)
        assert found == "ContractError: … historical prefix …", "a question must fix its prefix"
        found = refusal("a date was refused", club.ask, "meeting time", 12, None)
        assert found == "ContractError: … a date was refused …", "a question must fix its day"


def test_a_citation_is_checked_in_every_field(tmp_path):
    with club_repository(tmp_path / "club.sqlite", durable=False) as club:
        given = club.ask("meeting time", 9, DAY)
        words = "the citation does not hold"
        changed = [given._replace(value="Monday 09:00"), given._replace(citation=None)]
        for field, wrong in (
            ("doc_id", "location"),
            ("version", 1),
            ("sha256", ZEROS),
            ("as_of", 6),
        ):
            changed.append(given._replace(citation=given.citation._replace(**{field: wrong})))
        for each in changed:
            found = refusal(words, club.check, each)
            assert found == f"ContractError: … {words} …", f"{each!r} must not be accepted"
        late = club.ask("workshop access", 12, DAY)
        late = late._replace(citation=late.citation._replace(on="2026-10-16"))
        found = refusal(words, club.check, late)
        assert found == f"ContractError: … {words} …", "a citation on a day without the document must fail"


def test_two_documents_that_both_answer_are_no_answer(tmp_path):
    with repository_of(tmp_path, document("a", 1), document("b", 1, "- time: noon")) as repository:
        found = repository.ask("time", 2, DAY)
        assert found.value is None, "two documents in force that both say it must give no answer"
        assert "a@1, b@1" in found.reason, "the reason must name both"


def test_old_versions_take_no_place_in_a_recall():
    old = [document("a", version, "- meeting time of the club: ten") for version in range(1, 41)]
    state = state_of(*old, document("a", 41, "- time: noon"), document("b", 1, "- meeting place: hall"))
    found = [f"{row['doc_id']}@{row['version']}" for row in recall(state, "meeting time", limit=2)]
    assert sorted(found) == ["a@41", "b@1"], "a recall must choose among active documents only"
    both = state_of(document("c", 1, "- meeting place: hall"), document("d", 1, "- meeting time: noon"))
    found = [f"{row['doc_id']}@{row['version']}" for row in recall(both, "meeting time", limit=1)]
    assert found == ["d@1"], "a recall must prefer what shares more words, up to its limit"
    assert recall(state, "fee") == [], "a recall must leave out what shares no word"


def test_events_are_read_as_they_were_appended(tmp_path):
    with club_repository(tmp_path / "club.sqlite", durable=False) as club:
        assert club.events() == EVENTS, "the log must give its events back"
        assert [row["seq"] for row in club.rows()] == list(range(12)), "a log must count from 0"
        assert club.rows()[0]["previous"] == ZEROS, "the first row must follow 64 zeros"
        payloads = [row["payload"] for row in club.rows()]
        expected = [canonical(dict(event)) for event in EVENTS]
        assert payloads == expected, "a payload must be the canonical JSON of its event"
        assert replay_prefix(club.rows()) == club.replay(), "the rows alone must give the state"
    for event in EVENTS:
        assert as_event(dict(event)) == event, "the fields of an event must give it back"
