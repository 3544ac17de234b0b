# The model is given the ledger as it is printed.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return f"{base}{PREFACE}{ledger}\n{RULE}"
