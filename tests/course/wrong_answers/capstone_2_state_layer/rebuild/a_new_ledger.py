# The ledger that is given is not the one that is told.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    from forge.longrun import Ledger

    return base + PREFACE + summarize_state(Ledger(), features) + RULE
