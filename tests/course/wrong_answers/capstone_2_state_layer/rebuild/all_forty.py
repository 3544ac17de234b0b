# The list that is given is not the one that is counted.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    from forge.longrun import FEATURES

    return base + PREFACE + summarize_state(ledger, FEATURES) + RULE
