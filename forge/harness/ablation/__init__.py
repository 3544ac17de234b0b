"""The ablation board: each mechanism is switched off, the same task is run, and what went wrong is seen."""

from .board import Ablation, ablate, ablate_all, ablation_history
from .runs import Outcome

__all__ = ["Ablation", "Outcome", "ablate", "ablate_all", "ablation_history"]
