# The next window does not know the task either.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return PREFACE + summarize_state(ledger, features) + RULE
