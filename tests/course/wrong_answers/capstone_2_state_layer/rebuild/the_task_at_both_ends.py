# The task is told once more at the end, where a model reads best.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + PREFACE + summarize_state(ledger, features) + RULE + base
