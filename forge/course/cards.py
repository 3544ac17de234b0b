"""The panels of a stage: its experiment card, its question's answer, its tests, and a fault at work."""

from __future__ import annotations

from .checking.check import Report
from .contract import Fault, Prediction
from .judging import items
from .keeping import Keeping
from .panels import GLYPHS, Panel, Panels


def experiment(keeping: Keeping) -> Panel:
    """The experiment card: what is done here, where it is kept, and what changed since."""
    contract, workspace, progress = keeping.contract, keeping.workspace, keeping.progress()
    lines = []
    if not workspace.kept:
        why = f" {workspace.problem}" if workspace.problem else ""
        lines.append(f"Progress is not kept here.{why} `forge lab` opens a copy that keeps it.")
    if keeping.problem:
        lines.append(f"Nothing new can be recorded. {keeping.problem}")
    passed = [item for item in items(contract) if item.id in progress.passed]
    lines += _changed([one.title for one in passed if progress.passed[one.id].content != one.content])
    facts = [
        ("experiment", contract.experiment_id),
        ("evidence", contract.evidence),
        ("acceptance", "accepted" if progress.verified and not keeping.missing() else "pending"),
    ]
    points = [
        ("input", contract.input),
        ("before", contract.capability.before),
        ("after", contract.capability.after),
    ]
    minutes = f"{contract.minutes.core} minutes, and {contract.minutes.more} more if you like"
    return Panel("you", contract.title, minutes, facts, points, lines)


def _changed(titles: list[str]) -> list[str]:
    """What has changed since it was passed, in one line however much it is."""
    if not titles:
        return []
    if len(titles) == 1:
        words = f"{titles[0]} has changed since you passed it. Run its cell again."
    else:
        named = " · ".join(titles)
        words = f"{len(titles)} have changed since you passed them. Run their cells again: {named}."
    return [f"{GLYPHS['changed']} {words}"]


def answered(prediction: Prediction, kept: str) -> Panel:
    """The answer to the stage's question, with a sentence on every option."""
    right = kept == prediction.answer
    return Panel(
        "holds" if right else "broken",
        f"You chose {kept}. " + ("That is right." if right else f"The answer is {prediction.answer}."),
        points=[
            (
                f"{GLYPHS['holds' if key == prediction.answer else 'broken']} {key}",
                f"{option.text}\n{option.why}",
            )
            for key, option in prediction.options.items()
        ],
    )


def contract_tests(report: Report) -> Panel:
    """Which contract tests pass on forge as it ships."""
    facts = [(GLYPHS["holds" if r.outcome == "passed" else "broken"], r.name) for r in report.results]
    right = sum(r.outcome == "passed" for r in report.results)
    title = f"{right} of {len(report.results)} contract tests pass on forge as it ships"
    return Panel("holds" if right == len(report.results) else "broken", title, facts=facts)


def injected(fault: Fault, failed: Panel) -> Panels:
    """A fault's story, how it failed, and the order in which to diagnose it."""
    facts = [(label, value) for label, value in failed.facts if label != "in your answer"]  # nobody answered
    steps = [(str(number), text) for number, text in enumerate(fault.diagnosis, start=1)]
    seen = [("seen in", fault.seen_in)]
    return Panels(
        [
            Panel("you", fault.title, fault.target, lines=[fault.story], facts=seen),
            Panel(failed.mark, failed.title, facts=facts),
            Panel("you", "Diagnose in this order", points=steps),
        ]
    )
