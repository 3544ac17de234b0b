# What is said twice is read twice.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + PREFACE + summarize_state(ledger, features) * 2 + RULE
