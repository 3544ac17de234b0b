# The four texts, added up.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + PREFACE + summarize_state(ledger, features) + RULE
