# The model reads the ids before it knows the list.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return PREFACE + summarize_state(ledger, features) + RULE + base
