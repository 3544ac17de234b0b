"""A process that runs references and shipped stubs, on request: `python -m forge.grading.inside.trusted`.

It reads one JSON request a line and answers each with one line: `[function of judged, arguments]`, or
`["cell", text]` to run the text of an answer cell.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

from . import judged
from .stage import Stage


def main() -> None:
    """Serve until the input ends."""
    answers = sys.stdout
    names: dict[str, Any] = {"stage": Stage(), "__name__": "__main__"}
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        result: object = None
        with contextlib.redirect_stdout(sys.stderr):
            match what:
                case "cell":
                    exec(compile(arguments[0], "<cell>", "exec"), names)
                case "prepare":
                    judged.prepare(*arguments)
                case "provide":
                    for target, source in arguments[0].items():
                        judged._references[target] = judged.made(target, source)
                case "values":
                    item, target, cases, reference = arguments
                    result = judged.values(item, target, cases, reference=reference)
        answers.write(json.dumps(result) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
