"""A run that lasts all night: an agent that works in windows, and the state layer that outlives them."""

from .features import FEATURES, PATIENCE, Feature, task_of
from .ledger import (
    Change,
    Ledger,
    Spent,
    apply_change,
    begun,
    failed,
    finished,
    opened_window,
    stuck,
    verifying,
)
from .model import Decision, decide
from .night import Night, Step, open_window, run_night, take_step, window_ledger
from .store import (
    commit_state_temp,
    load_state,
    repo_folder,
    save_state,
    state_file,
    state_folder,
    write_state_temp,
)
from .summary import rebuild_context, summarize_state
from .target import GitTarget, PlainTarget, Target, open_target
from .window import Window

__all__ = [
    "FEATURES",
    "PATIENCE",
    "Change",
    "Decision",
    "Feature",
    "GitTarget",
    "Ledger",
    "Night",
    "PlainTarget",
    "Spent",
    "Step",
    "Target",
    "Window",
    "apply_change",
    "begun",
    "commit_state_temp",
    "decide",
    "failed",
    "finished",
    "load_state",
    "open_target",
    "open_window",
    "opened_window",
    "rebuild_context",
    "repo_folder",
    "run_night",
    "save_state",
    "state_file",
    "state_folder",
    "stuck",
    "summarize_state",
    "take_step",
    "task_of",
    "verifying",
    "window_ledger",
    "write_state_temp",
]
