# What is inside has the workspace among its parents.
from pathlib import Path

from forge.harness.sandbox import OWN, _outside


def inside(workspace, path, *, own=False):
    """The real path of `path`, which is relative to the workspace, or `OutsideWorkspace`.

    Links are followed first, so a link that leads out of the workspace is out of it. With `own` the
    harness's own folder is inside too.
    """
    if not isinstance(path, str) or "\0" in path or not path.strip():
        raise _outside(str(path), "it is no path")
    root = Path(workspace).resolve()
    try:
        found = (root / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, or a name no system takes
        raise _outside(path, type(error).__name__) from error
    if root not in found.parents:
        raise _outside(path, "it leads out of the workspace")
    if not own and OWN in (part.casefold() for part in found.relative_to(root).parts[:1]):
        raise _outside(path, f"{OWN} holds the harness's own records")
    return found
