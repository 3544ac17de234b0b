"""Opening a session as a person wants it: with the skills, experts and provider that are there."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from ..errors import InvalidValue
from ..wording import show
from .experts import OWN_EXPERTS, list_experts
from .harness import Harness
from .permissions import Asker, Permissions, nobody
from .providers import provider_from_environment
from .skills import OWN_SKILLS, Skills


def open_harness(
    workspace: str | Path,
    session_id: str,
    *,
    expert: str | None = None,
    off: Collection[str] = (),
    ask: Asker = nobody,
    show_text: Callable[[str], object] | None = None,
    home: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Harness:
    """A session with the workspace's skills before forge's own, and the user's memory in `home`.

    `home` is `$FORGE_HOME`, else `~/.forge`, when it is None. An expert or a mechanism that there is not is
    refused by name.
    """
    env = os.environ if environment is None else environment
    experts = {one.name: one for one in list_experts(OWN_EXPERTS)}
    if expert is not None and expert not in experts:
        known = ", ".join(experts)
        raise InvalidValue("no expert has this name", f"found {show(expert)}; there are: {known}.")
    return Harness(
        Path(workspace),
        session_id,
        provider_from_environment(env),
        off=frozenset(off),
        permissions=Permissions(ask=ask),
        home=home or (Path(env["FORGE_HOME"]) if env.get("FORGE_HOME") else Path.home() / ".forge"),
        skills=Skills(Path(workspace) / "skills", OWN_SKILLS),
        expert=experts[expert] if expert is not None else None,
        show_text=show_text,
    )
