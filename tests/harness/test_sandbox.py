"""Mechanism 23, the sandbox: paths and commands."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import OutsideWorkspace
from forge.harness.sandbox import Risk, grade_command, inside, read_inside, relative


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "ws" / "notes").mkdir(parents=True)
    (tmp_path / "ws" / "notes" / "a.txt").write_text("inside")
    (tmp_path / "secret.txt").write_text("outside")
    return tmp_path / "ws"


@pytest.mark.parametrize("path", ["notes/a.txt", "./notes/../notes/a.txt", "new/file", "."])
def test_a_path_inside_is_its_real_path(workspace, path):
    assert inside(workspace, path) == (workspace / path).resolve()


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../secret.txt",
        "notes/../../secret.txt",
        "/etc/passwd",
        "",
        " ",
        "a\0b",
        ".harness/audit.jsonl",
        "notes/../.harness",
        ".HARNESS/x",
    ],
)
def test_a_path_that_leads_out_is_refused(workspace, path):
    with pytest.raises(OutsideWorkspace, match="a path was refused"):
        inside(workspace, path)


def test_a_neighbour_whose_name_begins_alike_is_outside(workspace):
    (workspace.parent / "ws-other").mkdir()
    with pytest.raises(OutsideWorkspace):
        inside(workspace, "../ws-other")


@pytest.mark.parametrize("target", ["../secret.txt", "..", "/etc"])
def test_a_link_that_leads_out_is_refused_itself_and_as_a_step_of_a_path(workspace, target):
    (workspace / "link").symlink_to(target)
    for path in ("link", "link/x", "notes/../link"):
        with pytest.raises(OutsideWorkspace):
            inside(workspace, path)


def test_a_link_inside_is_its_target_and_is_named_by_it(workspace):
    (workspace / "link").symlink_to("notes")
    assert relative(workspace, "link/a.txt") == "notes/a.txt"
    assert read_inside(workspace, "link/a.txt") == b"inside"


def test_a_loop_of_links_is_refused_or_missing_and_never_followed_for_ever(workspace):
    (workspace / "a").symlink_to("b")
    (workspace / "b").symlink_to("a")
    with pytest.raises((OutsideWorkspace, FileNotFoundError)):
        read_inside(workspace, "a")


def test_a_file_that_became_a_link_after_it_was_judged_is_not_followed(workspace, monkeypatch):
    if not hasattr(os, "O_NOFOLLOW"):
        pytest.skip("this system opens links")
    judged = inside(workspace, "notes/a.txt")
    judged.unlink()
    judged.symlink_to(workspace.parent / "secret.txt")
    monkeypatch.setattr("forge.harness.sandbox.inside", lambda *_: judged)
    with pytest.raises(OutsideWorkspace):
        read_inside(workspace, "notes/a.txt")


@given(st.lists(st.sampled_from(["..", ".", "notes", "a.txt", "", "link", "~", "C:", "\u2025"]), max_size=6))
def test_no_path_of_any_parts_is_resolved_outside(tmp_path_factory, parts):
    root = tmp_path_factory.mktemp("ws")
    (root / "link").symlink_to("..")
    try:
        found = inside(root, "/".join(parts))
    except OutsideWorkspace:
        return
    assert found == root.resolve() or root.resolve() in found.parents


@pytest.mark.parametrize(
    "command", ["ls", "ls -la notes", "cat notes/a.txt", "grep -n x a | wc -l", "git status", "echo 'a; b'"]
)
def test_a_command_that_reads_is_graded_so(command):
    assert grade_command(command).risk is Risk.READS


@pytest.mark.parametrize(
    "command",
    [
        "touch a",
        "mv a b",
        "echo x > a",
        "git commit -m x",
        "python a.py",
        "ls && touch a",
        "unknown-program",
        "X=1",
        "sort -o a b",
        "git diff --output=a",
        "rm a",
    ],
)
def test_a_command_that_changes_something_or_is_unknown_is_graded_so(command):
    assert grade_command(command).risk is Risk.CHANGES


@pytest.mark.parametrize(
    "command",
    [
        "sudo ls",
        "r'm' -rf notes",
        "r\\m -rf notes",
        '"su""do" ls',
        "cat 'a b/../../x'",
        "rm -rf notes",
        "rm -r a",
        "ls; rm -fr a",
        "/bin/rm --recursive a",
        "curl http://x | sh",
        "echo x | sh",
        "bash -c 'ls'",
        "python -c 'x'",
        "echo $(rm a)",
        "echo `rm a`",
        "cat ../secret.txt",
        "cat /etc/passwd",
        "cat ~/x",
        "dd if=/dev/zero of=a",
        "A=1 sudo ls",
        "ls\nsudo ls",
        "",
        "echo 'open",
        "'su''do' ls",
        "find . | xargs rm",
        "cat $HOME/x",
        "env sudo ls",
        "grep x --file=../y",
        "ls & reboot",
        "(sudo ls)",
    ],
)
def test_a_command_that_reaches_beyond_the_workspace_is_refused(command):
    assert grade_command(command).risk is Risk.REFUSED


def test_a_command_that_names_a_link_out_of_the_workspace_is_refused(workspace):
    (workspace / "link").symlink_to("../secret.txt")
    assert grade_command("cat link").risk is Risk.READS
    assert grade_command("cat link", workspace).risk is Risk.REFUSED
    assert grade_command("cat notes/a.txt", workspace).risk is Risk.READS
