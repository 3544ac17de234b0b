# The four texts in one format.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return f"{base}{PREFACE}{summarize_state(ledger, features)}{RULE}"
