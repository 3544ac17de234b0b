# %% [markdown]
# Stage 6: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
from itertools import zip_longest

from forge.context import CompressedContext, ContextPacket
from forge.grading.inside.outcomes import outcome, scene

WORDS = (
    "compression changed instructions",
    "compression changed permission decisions",
    "compression changed commitments",
    "critical context fingerprint mismatch",
    "max_summary_chars must leave enough room",
    "the summariser failed",
    "the summary is blank",
    "the summary is too long",
    "the summary made nothing smaller",
)


def packet_of(given):
    return ContextPacket(**given)


def short_of(given):
    return given and CompressedContext(**given)


def shown(value):
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def summariser(given, heard):
    def summarize(texts, limit):
        heard.append([list(texts), limit])
        if given == "fails":
            raise ConnectionError("the model is away")
        return given["says"]

    return summarize


def one_fingerprint(critical_fingerprint, given):
    return outcome(lambda: critical_fingerprint(packet_of(given)))


def compare_permissions(verify_critical_fidelity, given):
    source, short = packet_of(given["source"]), short_of(given["short"])
    pairs = zip_longest(source.permission_decisions, short.permission_decisions)
    before, after = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))

    def told(said):
        places = [said.find(text) for text in (before, after) if text]
        return places == sorted(places) and -1 not in places

    found = outcome(lambda: verify_critical_fidelity(source, short), words=WORDS, tell=told)
    return [found, shown(source), shown(short)]


def newest_that_fit(newest, given):
    seen = set(given["seen"])

    def found():
        first = newest(given["texts"], given["room"], seen)
        return [list(first), list(newest(given["then"], 500, seen))]

    return outcome(found)


def blank_summary(ask, given):
    heard = []
    summarize = summariser(given["summarize"], heard)
    return [outcome(lambda: ask(summarize, tuple(given["texts"]), given["limit"]), words=WORDS), heard]


def first_rule_only(require_still_protected, given):
    previous, packet = short_of(given["previous"]), packet_of(given["packet"])
    return outcome(lambda: require_still_protected(previous, packet), words=WORDS)


def forgets_the_first(compress_context, given):
    packet, heard = packet_of(given["packet"]), []
    more = {"max_summary_chars": given["limit"], "previous": short_of(given["previous"])}
    if given["summarize"]:
        more["summarize"] = summariser(given["summarize"], heard)
    return [outcome(lambda: shown(compress_context(packet, **more)), words=WORDS), shown(packet), heard]


def approval_invented(claimed, given):
    return outcome(lambda: [shown(row) for row in claimed(given["summary"], given["lines"])])


def release_review(answer, given):
    def told(found):
        short, refusal = found
        fields = ("instructions", "permission_decisions", "commitments", "critical_fingerprint")
        held = [shown(short)[field] for field in fields]
        evidence = list(refusal.evidence.get("found", ()))
        return [
            type(short).__name__,
            held,
            short.source_message_count > 0,
            type(refusal).__name__,
            refusal.words,
            evidence,
        ]

    return scene(answer, given, told)


permission_left_out = compare_permissions

# %%
from forge.context import compress_context
from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "06_context_compression"
VERIFY = "forge.context.packet:verify_critical_fidelity"
COMPRESS = "forge.context.compression:compress_context"
RULES = (
    "Review the change before writing.",
    "Never add a dependency.",
    "Keep test evidence.",
    "Ask before a release.",
)
PLACES = ("exporter", "search box", "price list", "calendar", "review page")


def talk(rng, number, word="message"):
    place = rng.choice(PLACES)
    return [
        f"{word} {index}: the {place} writes file {rng.randrange(100, 999)}" for index in range(1, number + 1)
    ]


def a_packet(rng, messages=(), **fields):
    basis = {
        "instructions": rng.sample(RULES, 3),
        "permission_decisions": [
            f"write_access={rng.choice(('allowed', 'revoked'))}",
            f"network=no {rng.randrange(99)}",
        ],
        "commitments": [f"Do not publish part {rng.randrange(99)}.", "Report before noon."],
        "messages": list(messages),
    }
    return {**basis, **fields}


def compressed(packet, **more):
    return compress_context(ContextPacket(**packet), **more).model_dump(mode="json")


# %%
def of_fingerprint(rng):
    packet = a_packet(rng)
    one, two, three = packet["instructions"]
    yield "the protected fields have their fingerprint", packet
    yield "messages do not change it", {**packet, "messages": talk(rng, 4)}
    yield "texts turned around have another", {**packet, "instructions": [two, one, three]}
    yield "texts that are joined have another", {**packet, "instructions": [one + two, three]}
    moved = {"instructions": [one, two], "commitments": [three, *packet["commitments"]]}
    yield "a text in another field has another", {**packet, **moved}
    yield "another permission has another", {**packet, "permission_decisions": ["write_access=maybe"]}
    yield "the border between two texts counts", a_packet(rng, instructions=["ab", "c"])
    yield "and on its other side", a_packet(rng, instructions=["a", "bc"])
    yield "a text with a line in it is one text", a_packet(rng, commitments=["first\nsecond"])
    yield "letters of all kinds count", a_packet(rng, commitments=["Zuerst prüfen, 然后写。"])
    yield "nothing has a fingerprint too", {"instructions": [], "permission_decisions": [], "commitments": []}


def of_verify(rng):
    def case(change=None, **fields):
        source = a_packet(rng, talk(rng, 3), **fields)
        short = compressed(source)
        for field, edit in (change or {}).items():
            short[field] = edit(short[field])
        return {"source": source, "short": short}

    def decisions(edit, **fields):
        return case({"permission_decisions": edit}, **fields)

    for _ in range(3):
        yield "a compression that holds everything is accepted", case()
    yield (
        "a packet that protects nothing is accepted",
        case(instructions=[], permission_decisions=[], commitments=[]),
    )
    yield "another summary is no loss", case({"message_summary": lambda _: "Files were written."})
    yield "a permission that was turned is noticed", decisions(lambda held: ["write_access=maybe", *held[1:]])
    yield "the last permission counts as the first", decisions(lambda held: [*held[:-1], "network=yes"])
    yield "a permission that was added is noticed", decisions(lambda held: [*held, "delete=allowed"])
    yield "a permission that was lost is noticed", decisions(lambda held: held[1:])
    yield "the last permission, lost, is noticed", decisions(lambda held: held[:-1])
    yield "every permission lost is noticed", decisions(lambda _: [])
    yield "permissions in another order are noticed", decisions(lambda held: held[::-1])
    yield "a permission said twice is noticed", decisions(lambda held: [*held, held[0]])
    yield "an instruction that was lost is noticed", case({"instructions": lambda held: held[:-1]})
    yield "instructions in another order are noticed", case({"instructions": lambda held: held[::-1]})
    yield "a commitment that was lost is noticed", case({"commitments": lambda held: held[1:]})
    yield (
        "another fingerprint is noticed",
        case({"critical_fingerprint": lambda _: f"{rng.randrange(16**8):08x}" * 8}),
    )


def of_newest(rng):
    texts = talk(rng, rng.randrange(6, 9))

    def case(room, *, said=texts, seen=(), then=()):
        return {"texts": list(said), "room": room, "seen": list(seen), "then": list(then)}

    for count in (1, 2, 4):
        room = sum(len(text) + 1 for text in texts[-count:])
        yield f"the newest {count} fit, to the letter", case(room)
        yield f"with one place less the newest {count} do not", case(room - 1)
    yield "all fit into a large room", case(900)
    yield "in a small room the newest is cut", case(12)
    yield "a long newest text is cut and not counted", case(60, said=[*texts, "x" * 300])
    yield "behind a long text nothing older is taken", case(120, said=[*texts[:2], "y" * 300, texts[2]])
    yield "what was said again is taken once", case(120, said=[*texts, texts[-1], texts[-1], " "])
    yield "what was seen is not taken again", case(120, seen=[texts[-1], texts[-3]])
    yield "what was taken is seen", case(900, then=[texts[0], "something new", texts[-1]])
    yield "white space is one space", case(200, said=["a\n\n  line", "  ", "of\ttext"])
    yield "nothing has nothing", case(100, said=[])


def of_ask(rng):
    texts = talk(rng, rng.randrange(5, 9))

    def case(says, *, limit=200, about=texts):
        return {
            "texts": list(about),
            "limit": limit,
            "summarize": says if says == "fails" else {"says": says},
        }

    for _ in range(2):
        yield "a summary is taken as it is", case(f"Files were written, {rng.randrange(999)} of them.")
    yield "a summary of the whole length is taken", case("y" * 120, limit=120)
    yield "with nothing to say nobody is asked", case("All is well.", about=["", " "])
    yield "a summary with spaces around it is taken", case(f"  Written: {rng.randrange(99)} ")
    yield "one letter is a summary", case("x")
    for blank in ("", " \n ", "\t", None):
        yield f"{blank!r} is no summary", case(blank)
    yield "a number is no summary", case(7)
    yield "a summary that is too long is refused", case("y" * 121, limit=120)
    whole = "\n".join(texts)
    yield "a summary that saves nothing is refused", case("z" * len(whole), limit=5_000)
    yield "a summariser that fails is told by name", case("fails")


def of_still_protected(rng):
    def case(change=None, **fields):
        before = a_packet(rng, talk(rng, 3), **fields)
        return {"previous": compressed(before), "packet": {**before, **(change(before) if change else {})}}

    def without(field, place):
        return lambda held: {
            field: [text for n, text in enumerate(held[field]) if n != place % len(held[field])]
        }

    def added(held):
        return {field: ["Something new.", *held[field]] for field in ("instructions", "commitments")}

    yield "a packet that holds everything is accepted", case()
    yield "more than there was is accepted", case(added)
    yield "another order is accepted", case(lambda held: {"instructions": held["instructions"][::-1]})
    yield (
        "where nothing was protected all is accepted",
        case(instructions=[], permission_decisions=[], commitments=[]),
    )
    for field in ("instructions", "permission_decisions", "commitments"):
        yield f"the first of the {field}, lost, is noticed", case(without(field, 0))
        yield f"the last of the {field}, lost, is noticed", case(without(field, -1))
    more = lambda held: {"instructions": [f"{text} Except on Friday." for text in held["instructions"]]}  # noqa: E731
    yield "a text that was made longer is not the text", case(more)
    yield "one in the middle, lost, is noticed", case(without("instructions", 1))
    yield (
        "a text that was shortened is noticed",
        case(lambda held: {"commitments": [held["commitments"][0][:-4], held["commitments"][1]]}),
    )
    yield (
        "a text in another field is no longer there",
        case(
            lambda held: {
                "instructions": held["instructions"][:2],
                "commitments": [*held["commitments"], held["instructions"][2]],
            }
        ),
    )


def of_compress(rng):
    first = a_packet(rng, talk(rng, 3, "before"))

    def case(messages, *, limit=400, previous=None, summarize=None, **fields):
        packet = {**first, "messages": list(messages), **fields}
        return {"packet": packet, "limit": limit, "previous": previous, "summarize": summarize}

    before = compressed(first)
    says = {"says": f"Written: {rng.randrange(999)}."}
    for limit in (rng.randrange(80, 160), 400):
        yield "a packet is compressed", case(talk(rng, 12), limit=limit)
    yield "without messages there is nothing to say", case([])
    yield "an earlier summary is folded in", case(talk(rng, 3), previous=before)
    yield (
        "an earlier summary keeps its place beside many messages",
        case(talk(rng, 30), limit=200, previous=before),
    )
    yield "with an earlier summary and no messages it stays", case([], previous=before)
    yield "a summariser is asked", case(talk(rng, 5), summarize=says)
    yield "a summariser hears the earlier summary first", case(talk(rng, 5), summarize=says, previous=before)
    third = compressed({**first, "messages": talk(rng, 30)}, max_summary_chars=150)
    yield "what was left out before is said once", case(talk(rng, 30, "last"), limit=150, previous=third)
    yield (
        "a packet that lost an instruction is refused",
        case(talk(rng, 3), previous=before, instructions=first["instructions"][:2]),
    )
    yield "a packet that lost a commitment is refused", case(talk(rng, 3), previous=before, commitments=[])
    yield "a limit that leaves no room is refused", case(talk(rng, 3), limit=79)
    yield "a summariser that fails is told by name", case(talk(rng, 3), summarize="fails")
    yield "a blank summary is refused", case(talk(rng, 3), summarize={"says": " "})


def of_claimed(rng):
    number = rng.randrange(100)
    lines = {
        "assistant: May I write to main, now that it is green?": "messages[0]",
        "user: Write access is granted.": "messages[1]",
        f"assistant: Done with file {number}. I will report before noon.": "messages[2]",
        "Never add a dependency.": "instructions[0]",
        "write_access=revoked": "permission_decisions[0]",
    }

    def case(summary):
        return {"summary": summary, "lines": lines}

    yield "an approval that was given is traced", case("user: Write access is granted.")
    yield "an approval in another case is the same", case("user: write access is GRANTED")
    yield "an approval by another speaker is not traced", case("assistant: Write access is granted.")
    yield "an approval that nobody gave is noticed", case("Work on main. User agreed to it.")
    yield (
        "a promise that was made is traced",
        case(f"assistant: Done with file {number}. I will report before noon."),
    )
    yield "a promise that nobody made is noticed", case(f"I will deliver file {number} today.")
    yield "a rule that stands is traced", case("Never add a dependency.")
    yield "a rule that nobody gave is noticed", case("You must add a dependency.")
    yield "a question claims nothing", case("Is write access granted?")
    yield "what binds nobody is passed over", case(f"File {number} was read.\nThe page is blue.")
    yield "several claims are told apart", case("user: Write access is granted.\nuser: Deleting is allowed.")
    yield (
        "a line that was cut is traced to its beginning",
        case("assistant: May I write to main, now that it is gr…"),
    )
    yield "a claim that was cut is traced to its beginning", case("user: Write access is grant…")
    yield "a value that was turned is noticed", case("write_access=allowed")
    yield "a value that stands is traced", case("write_access=revoked")


def of_release_review(rng):
    yield "forge as it is", {VERIFY: reference(VERIFY), COMPRESS: reference(COMPRESS)}
    yield "forge with a check in other words", {VERIFY: in_other_words(reference(VERIFY), rng)}
    yield "forge with a compression in other words", {COMPRESS: in_other_words(reference(COMPRESS), rng)}
    yield "a forge that counts permissions is noticed", faulty(STEM, "counts_permissions")
    yield "a forge that loses the commitment is noticed", faulty(STEM, "commitment_lost")
    yield "a forge that shortens the rules is noticed", faulty(STEM, "rule_shortened")
    blind = changed(VERIFY, "compressed.permission_decisions != source.permission_decisions", "False")
    yield "a forge that does not look at permissions is noticed", blind
    other = changed(VERIFY, 'changed("permission decisions",', 'changed("instructions",')
    yield "a forge that refuses for another reason is noticed", other
    lost = changed(COMPRESS, "permission_decisions=packet.permission_decisions", "permission_decisions=()")
    yield "a forge that loses the permission is noticed", lost
    turned = changed(COMPRESS, "instructions=packet.instructions", "instructions=packet.instructions[::-1]")
    yield "a forge that turns the rules around is noticed", turned


# %%
PROBES = {
    "one_fingerprint": of_fingerprint,
    "compare_permissions": of_verify,
    "permission_left_out": of_verify,
    "newest_that_fit": of_newest,
    "blank_summary": of_ask,
    "first_rule_only": of_still_protected,
    "forgets_the_first": of_compress,
    "approval_invented": of_claimed,
    "release_review": of_release_review,
}
