from fnmatch import fnmatchcase

from forge.harness.permissions import Decision, Verdict, covers, holds


def decide(asked, rules, grants):
    """Allow, ask or deny."""
    rules = [rule for rule in rules if fnmatchcase(asked.tool, rule.tool) and covers(rule.pattern, asked)]
    decisions = {rule.decision for rule in rules}
    if any(holds(grant, asked) for grant in grants):
        return Verdict(Decision.ALLOW, "the user has granted it for this session")
    if Decision.DENY in decisions:
        return Verdict(Decision.DENY, "a rule denies it")
    if Decision.ASK in decisions:
        return Verdict(Decision.ASK, "a rule asks")
    if asked.writes:
        return Verdict(Decision.ASK, "the tool writes")
    return Verdict(Decision.ALLOW, "a rule allows it" if decisions else "the tool only reads")
