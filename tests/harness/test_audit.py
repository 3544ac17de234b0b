"""Mechanism 23, the audit log, and what is observed of an operation."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import AnchorMismatch, DamagedRecord
from forge.harness.audit import AuditLog
from forge.harness.observe import HIDDEN, Observer, hide_secrets

SECRETS = [
    "sk-" + "a1B2" * 6,
    "ghp_abcdefghijklmnopqrstuvwx",
    "AKIAABCDEFGHIJKLMNOP",
    "xoxb-1234567890-abc",
    "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeKKF2Q",
    "https://ann:hunter2@example.org/x",
    "Bearer abcdef0123456789",
    "--password=hunter2",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
]


@pytest.fixture
def audit(tmp_path):
    return AuditLog(tmp_path / "audit.jsonl")


def test_an_operation_keeps_its_stage_tool_duration_cost_error_and_evidence(audit):
    ticks = iter([1_000_000, 3_500_000])
    observer = Observer(audit.append, "s1", tick=lambda: next(ticks))
    with observer.operation("tool", "list_files") as watch:
        watch.cost, watch.evidence = 12, "outputs/ab/abc.txt"
        watch.facts["files"] = 3
    [record] = audit.read()
    assert record.operation.model_dump() == {
        "operation_id": "s1-op1",
        "session_id": "s1",
        "stage": "tool",
        "tool": "list_files",
        "duration_us": 2500,
        "cost": 12,
        "error_class": None,
        "evidence": "outputs/ab/abc.txt",
        "facts": {"files": 3},
    }


def test_an_operation_that_raises_is_kept_with_the_class_of_its_error_and_the_error_goes_on(audit):
    with pytest.raises(KeyboardInterrupt), Observer(audit.append, "s1").operation("model"):
        raise KeyboardInterrupt
    assert audit.read()[0].operation.error_class == "KeyboardInterrupt"


def test_operations_have_ids_of_their_own(audit):
    observer = Observer(audit.append, "s1")
    for _ in range(3):
        with observer.operation("model"):
            pass
    assert [record.operation.operation_id for record in audit.read()] == ["s1-op1", "s1-op2", "s1-op3"]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_value_that_looks_like_a_secret_is_hidden_at_any_depth(audit, secret):
    with Observer(audit.append, "s1").operation("tool", "send") as watch:
        watch.facts = {"input": {"deep": [f"before {secret} after"]}, secret: 1}
    stored = audit.path.read_text()
    assert HIDDEN in stored
    assert "hunter2" not in stored
    assert json.dumps(secret)[1:-1] not in stored


@pytest.mark.parametrize(
    "name", ["password", "API_KEY", "api-key", "access_token", "client_secret", "Authorization"]
)
def test_a_field_that_is_called_like_a_secret_is_hidden_whatever_it_holds(name):
    assert hide_secrets({name: "plain", "other": "plain"}) == {name: HIDDEN, "other": "plain"}


@pytest.mark.parametrize(
    "text", ["the task is done", "a token of thanks", "sk-1", "https://example.org/a:b", "秘密 is a word"]
)
def test_what_does_not_look_like_a_secret_stays(text):
    assert hide_secrets({"text": text}) == {"text": text}


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_hiding_twice_is_hiding_once(value):
    assert hide_secrets(hide_secrets(value)) == hide_secrets(value)


def test_facts_that_cannot_be_written_do_not_lose_the_operation(audit):
    with Observer(audit.append, "s1").operation("tool") as watch:
        watch.facts = {"bad": float("nan")}
    assert "facts" not in audit.read()[0].operation.facts
    assert "unreadable" in audit.read()[0].operation.facts


def three(audit):
    for number in range(3):
        with Observer(audit.append, "s1", label=f"s1.{number}").operation("tool", f"tool-{number}"):
            pass


def test_an_edited_record_is_found_and_the_records_before_it_still_hold(audit):
    three(audit)
    audit.path.write_bytes(audit.path.read_bytes().replace(b"tool-1", b"tool-9"))
    report = AuditLog(audit.path).verify()
    assert not report.holds
    assert [record.operation.tool for record in report.records] == ["tool-0"]
    with pytest.raises(DamagedRecord):
        AuditLog(audit.path).read()


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_a_missing_end_is_found_against_an_anchor_that_was_kept(audit, cut):
    three(audit)
    anchor = audit.anchor()
    lines = audit.path.read_bytes().splitlines(keepends=True)
    audit.path.write_bytes(b"".join(lines[:cut]))
    other = AuditLog(audit.path)
    assert other.verify().holds
    assert not other.verify(anchor=anchor).holds
    with pytest.raises(AnchorMismatch):
        other.read(anchor=anchor)
