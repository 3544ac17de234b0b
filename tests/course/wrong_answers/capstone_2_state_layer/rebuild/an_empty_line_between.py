# An empty line makes the opening easier to read.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + "\n" + PREFACE + summarize_state(ledger, features) + RULE
