"""The probes are fair: right answers of every kind give what the reference gives, wrong ones do not."""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge import resources
from forge.grading import probing, stripped
from forge.grading.answers import answers_in
from forge.grading.errors import GradingRefused
from forge.grading.expected import Trusted, stubs
from forge.grading.verdict import earned

from .stage_one import decorated

STEMS = probing.stems()
SWEEP = bool(os.environ.get("FORGE_SWEEP"))
SEEDS = [f"seed {n}" for n in range(10 if SWEEP else 1)]
ANSWERS = resources.root() / "tests" / "course"


@pytest.fixture(scope="module", params=STEMS)
def trusted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trusted]:
    found = probing.load(request.param)
    folder = tmp_path_factory.mktemp("forge")
    stripped.build(folder / "graded", (*found.targets(), *found.given()))
    with Trusted(found, folder / "graded") as made:
        yield made


def known(stem: str, which: str) -> list[tuple[str, Path]]:
    if not SWEEP and stem != STEMS[0]:
        pytest.skip("the answers of the other stages: make sweep")
    folder = ANSWERS / which / stem
    judged = {item.id for item in probing.load(stem).items}
    return [(path.parent.name, path) for path in sorted(folder.glob("*/*.py")) if path.parent.name in judged]


def differing(trusted: Trusted, item: str, path: Path, seed: str) -> list[str]:
    """What the cases show in which the answer does not do as the reference does."""
    cases = trusted.probes.cases(item, seed)
    cell = decorated(item, path.read_text(encoding="utf-8"), trusted.probes.stem)
    found = trusted.given(item, cell, cases)
    pairs = zip(cases, trusted.expected(item, cases), found, strict=True)
    return [case.says for case, wanted, got in pairs if wanted != got]


def test_every_item_of_the_stage_has_probes(trusted: Trusted) -> None:
    assert {item.id for item in trusted.probes.items} == set(stubs(trusted.probes.stem))


def test_every_item_is_run_on_six_inputs_of_which_two_are_accepted(trusted: Trusted) -> None:
    for item in trusted.probes.items:
        values = trusted.expected(item.id, trusted.probes.cases(item.id, "seed"))
        assert len(values) >= 6, item.id
        assert sum('"returned"' in value for value in values) >= 2, item.id
        start = trusted.unearned(item.id, trusted.probes.cases(item.id, "seed"))
        assert earned(values, start, values) == 1


def test_the_items_of_a_target_are_judged_together(trusted: Trusted) -> None:
    order = [item.target for item in trusted.probes.items]
    assert order == [target for known in dict.fromkeys(order) for target in [known] * order.count(known)]


def test_every_right_answer_does_as_the_reference(trusted: Trusted) -> None:
    lost = {
        path.relative_to(ANSWERS).as_posix(): found
        for item, path in known(trusted.probes.stem, "right_answers")
        for seed in SEEDS
        if (found := differing(trusted, item, path, seed))
    }
    assert lost == {}


def test_no_wrong_answer_does_as_the_reference(trusted: Trusted) -> None:
    passed = [
        path.name
        for item, path in known(trusted.probes.stem, "wrong_answers")
        for seed in SEEDS
        if not differing(trusted, item, path, seed)
    ]
    assert passed == []


def test_the_shipped_cells_do_not_do_as_the_reference(trusted: Trusted) -> None:
    for item in trusted.probes.items:
        cases = trusted.probes.cases(item.id, "seed")
        assert trusted.stub(item.id, cases) != trusted.expected(item.id, cases), item.id


def test_an_answer_that_does_nothing_earns_nothing(trusted: Trusted) -> None:
    if not SWEEP and trusted.probes.stem != STEMS[1]:
        pytest.skip("the other stages: make sweep")
    for item in trusted.probes.items:
        cases = trusted.probes.cases(item.id, "seed")
        expected = trusted.expected(item.id, cases)
        for what in ("args[0]", "args[-1]", "None", "[]"):
            cell = f'@stage.exercise("{item.id}")\ndef lazy(*args, **kwargs):\n    return {what}\n'
            found = trusted.given(item.id, cell, cases)
            assert earned(expected, trusted.unearned(item.id, cases), found) == 0, item.id


def test_no_edition_that_a_scene_meets_has_a_look_of_its_own(trusted: Trusted) -> None:
    cases = trusted.probes.cases(trusted.probes.items[-1].id, "seed")
    texts = [text for case in cases for text in case.given.values()]
    looks = {tuple(line for line in text.splitlines() if "import " in line) for text in texts}
    assert len(looks) == 1
    for text in texts:
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        assert all(ast.unparse(node.body[0]).startswith("noted = ") for node in functions)
        assert all(ast.unparse(node).count("noted = ") == 1 for node in functions)
        assert not any(ast.get_docstring(node) for node in functions)


def test_cases_follow_from_the_seed_and_from_nothing_else(trusted: Trusted) -> None:
    found = trusted.probes
    for item in found.items:
        assert found.cases(item.id, "a") == found.cases(item.id, "a")
        random.seed(1)
        assert found.cases(item.id, "a") != found.cases(item.id, "b"), item.id


def test_what_is_sent_to_the_kernel_holds_no_input_and_no_reference(trusted: Trusted) -> None:
    sent = trusted.probes.kernel
    assert not re.search(r"\breference\b", sent)
    assert "rng" not in sent
    assert "PROBES" not in sent


def test_the_seed_of_a_learner_needs_the_secret() -> None:
    assert probing.case_seed("s", "ada", "01") == probing.case_seed("s", "ada", "01")
    others = {probing.case_seed(*key) for key in (("t", "ada", "01"), ("s", "bob", "01"), ("s", "ada", "02"))}
    assert len(others | {probing.case_seed("s", "ada", "01")}) == 4


def test_a_stage_without_probes_is_refused() -> None:
    with pytest.raises(GradingRefused, match="this stage has no probes"):
        probing.load("99_no_stage")


@pytest.mark.parametrize("stem", STEMS)
def test_the_forge_of_a_judged_kernel_holds_no_answer_and_no_fault(stem: str, tmp_path: Path) -> None:
    found = probing.load(stem)
    stripped.build(tmp_path / "graded", (*found.targets(), *found.given()))
    texts = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "graded").rglob("*.py")}
    whole = "\n".join(texts.values())
    for target in found.targets():
        body = stripped.reference(target).splitlines()
        longest = max(body[1:], key=len)
        assert longest.strip() not in whole, target
    assert not [
        path for path in texts if path.name in {"check.py", "contract.py", "markers.py", "probing.py"}
    ]
    described = (tmp_path / "graded").rglob("*.yaml")
    assert all("harness/data" in path.as_posix() for path in described), "stage contracts and faults"
    assert all(answers_in(text) == () for text in texts.values())


def test_probes_that_do_not_fit_the_contract_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("faults", "forge", "tests"):
        (tmp_path / name).symlink_to(resources.root() / name)
    folder = tmp_path / "solutions" / "probes"
    folder.mkdir(parents=True)
    (folder / f"{STEMS[0]}.py").write_text('PROBES = {"gone": None}\n')
    monkeypatch.setenv(resources.COURSE, str(tmp_path))
    with pytest.raises(GradingRefused, match=r"do not name the same items: .*gone.* Mend 01_state"):
        probing.load.__wrapped__(STEMS[0])
