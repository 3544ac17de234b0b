"""Mechanism 18: experts. A package of prompt, tools and memory that is loaded whole, for one kind of work.

An expert is a folder with `expert.yaml` and `PROMPT.md`. It can take tools away and never add one: its tools
are some of the session's, and permissions stay what they are. A grant that was given to it is its own.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import Field

from ..errors import ForgeModel, InvalidValue
from ..wording import show
from .routing import Tier
from .sandbox import read_inside
from .tools import ToolRegistry

OWN_EXPERTS = Path(__file__).parent / "data" / "experts"
"""The experts that come with forge."""


class Expert(ForgeModel):
    """One expert: what it is told, which tools it may use, what it remembers, and the model it needs."""

    name: str = Field(min_length=1)
    description: str = Field(min_length=1)
    prompt: str = Field(min_length=1)
    tools: tuple[str, ...]
    memory: tuple[str, ...] = ()
    tier: Annotated[Tier, Field(strict=False)] = Tier.DEFAULT

    def registry(self, whole: ToolRegistry) -> ToolRegistry:
        """The registry with this expert's tools alone. A tool that the session does not have is refused."""
        missing = [name for name in self.tools if whole.get(name) is None]
        if missing:
            raise InvalidValue(
                f"{self.name}.tools was refused",
                f"expected tools of this session, found {show(missing[0])}.",
                "Add the tool to the session, or take it out of expert.yaml.",
            )
        return ToolRegistry(tool for tool in whole if tool.name in self.tools)


def load_expert(folder: str | os.PathLike[str]) -> Expert:
    """The expert of a folder."""
    root = Path(folder)
    try:
        described: Any = yaml.safe_load(read_inside(root, "expert.yaml"))
        prompt = read_inside(root, "PROMPT.md").decode("utf-8").strip()
    except (FileNotFoundError, UnicodeDecodeError, yaml.YAMLError) as error:
        facts = f"{root.name}: {' '.join(str(error).split())[:200]}"
        raise InvalidValue("an expert cannot be read", facts, "It needs expert.yaml and PROMPT.md.") from None
    if not isinstance(described, dict):
        raise InvalidValue("an expert cannot be read", f"{root.name}/expert.yaml holds no mapping.")
    lists = {field: tuple(described[field] or ()) for field in ("tools", "memory") if field in described}
    return Expert.model_validate({**described, **lists, "prompt": prompt})


def list_experts(folder: str | os.PathLike[str] = OWN_EXPERTS) -> list[Expert]:
    """The experts in a folder, by name."""
    return sorted(
        (load_expert(file.parent) for file in Path(folder).glob("*/expert.yaml")), key=lambda one: one.name
    )
