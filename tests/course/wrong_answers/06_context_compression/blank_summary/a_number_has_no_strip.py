# What is not empty is a text.
from forge.errors import SummaryRefused


def ask(summarize, texts, limit):
    """The summary that `summarize` gives, if it can stand for the texts."""
    replaced = "\n".join(texts)
    if not replaced.strip():
        return ""
    again = "Nothing was compressed. Ask again, or leave summarize out."
    try:
        summary = summarize(texts, limit)
    except Exception as error:
        facts = f"{type(error).__name__}: {error}."
        raise SummaryRefused("the summariser failed", facts, again) from error
    if not summary or not summary.strip():
        raise SummaryRefused("the summary is blank", "it is empty", again)
    length = len(summary)
    if length > limit:
        facts = f"it has {length} code points, at most {limit} were asked for."
        raise SummaryRefused("the summary is too long", facts, again)
    if length >= len(replaced):
        facts = f"it has {length} code points, what it replaces has {len(replaced)}."
        raise SummaryRefused("the summary made nothing smaller", facts, again)
    return summary
