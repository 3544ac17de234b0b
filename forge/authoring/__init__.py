"""Turn solutions/ into notebooks, and show that the course holds what it promises."""

from .build import build
from .ground import Finding, StageProof
from .mutants import Sweep, mutate
from .prove import Proof, prove

__all__ = ["Finding", "Proof", "StageProof", "Sweep", "build", "mutate", "prove"]
