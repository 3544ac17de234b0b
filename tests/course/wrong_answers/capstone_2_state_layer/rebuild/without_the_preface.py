# Nothing says that this is no replay.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + summarize_state(ledger, features) + RULE
