# A line that was cut has no source.
from forge.context.audit import CLAIMS, AuditRow, cut_from, same, sentences
from forge.context.compression import one_line


def claimed(summary, lines):
    """A row for each sentence that claims to bind; `lines` says where it stands."""
    said = {}
    for text, place in lines.items():
        said |= {same(sentence): place for sentence in sentences(text)}
    for line in map(one_line, summary.split("\n")):
        for sentence in sentences(line):
            kinds = [kind for kind, words in CLAIMS.items() if words.search(sentence)]
            if not kinds or sentence.endswith(("?", "？")):
                continue
            yield AuditRow(
                question="sourced",
                kind=kinds[0],
                place="message_summary",
                text=sentence,
                found=said.get(same(sentence)),
            )
