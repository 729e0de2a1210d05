"""Mends of a sentence's form that leave its words as they are: tense, a slip of the pen, a colon, an act with a claim.

Pure. Each mend is a rule on the form; what it makes is proposed only if it is read and keeps what the sentence says.
"""

import re
from collections.abc import Callable, Iterator
from itertools import count

from muster_grammar.advice import Role
from muster_grammar.asides import ENDS
from muster_grammar.errors import PhraseError
from muster_grammar.proposal_checks import keeps
from muster_grammar.verbs import ACTIONS
from muster_grammar.vocabulary import split
from muster_grammar.wording_forms import PEOPLE
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import QUOTED

Parse = Callable[[str], tuple[ToolCall, ...]]
"""Returns the calls of a sentence, or raises `PhraseError`."""

_FORMS = {word for key, row in ACTIONS.items() for word in (key, *row.split(", ")) if word.isalpha()}
_VERBS = sorted(word for word in _FORMS if word.removesuffix("s") not in _FORMS - {word})
_IRREGULAR = {"chose": "choose", "wrote": "write", "put": "put", "set": "set", "left": "leave", "sent": "send"}
_FIRST = re.compile(rf"^(?:{PEOPLE} )?(?:(?:has|have|had|is|was|were) )?([A-Za-z]+)\b(?= )", re.IGNORECASE)
_MORE = re.compile(r"(?<=\band )([a-z]+(?:ed|ing))\b(?= )")
_COLON = re.compile(
    r"^(?:enter|type|fill(?: in| out)?|input|select|choose|pick|set)s?(?: the)? («\d+»)(?: field)?: ?(«\d+»)$", re.I
)
_CHOOSING = re.compile(r"^(?:select|choose|pick)", re.IGNORECASE)
_KEPT = re.compile(
    r"^(?:remember|store|note(?: down)?|record|capture|memori[sz]e|save (?:the )?(?:value|text|content)\b.*)s?\b.* "
    r"(?:as|in|into|to)(?: the)?(?: variable| value| name)? (?P<name>«\d+»|[A-Za-z_]\w*)$",
    re.IGNORECASE,
)
_OF_VALUES = re.compile(
    r"^(?:remember|note|memori)|\b(?:value|text|number|content|id|code|total|price)\b", re.IGNORECASE
)
"""What tells that a value is kept, and not a file or a record."""
_JOINT = re.compile(
    r"(?:, and|,| and|\.)(?: then)? "
    r"(?=[^,.]*\b(?:is|are|appears?|shows?|contains?|becomes?|disappears?|closes|opens)\b)"
)
_PATH = re.compile(rf"^(?:{PEOPLE} )?(?:(?:go|goes|navigates?) to|visits?|opens?|am on|is on) «(\d+)»$", re.IGNORECASE)
_RELATIVE = re.compile(r"[\w-]+(?:/[\w.?=&%-]+)+")
"""An address within the site, without its first slash."""
_WAY_FROM = re.compile(
    r"^(?P<place>(?:in|on|from) (?:the )?[^,→>]*?),? (?:click|select|choose|tap|go to|open)(?: on)?(?: the)?"
    r" (?P<way>(?-i:[A-Z«])[^,→>›]*(?: ?[→>›] ?(?-i:[A-Z«])[^,→>›]*)+)$",
    re.IGNORECASE,
)
"""A path through menus after the part of the page in which it starts: "From the sidebar, click Reports → Sales"."""
_SLOT = re.compile(r"«(\d+)»")
_STATES = (
    (r"(?:is|looks|appears|becomes) (?:gr[ae]y|disabled|deactivated|inactive|unavailable)", "is disabled"),
    (r"(?:cannot|can't|can not) be (?:used|activated|operated)", "is disabled"),
    (r"(?:is|looks|becomes) (?:active|usable|available|ready|operable)", "is enabled"),
    (r"(?:can be|is ready to be) (?:used|activated|operated)", "is enabled"),
    (r"(?:must|has to|needs to|should) be (?:filled(?: in| out)?|completed)", "is required"),
    (r"(?:has an?|is in) (?:validation )?error(?: state)?", "is invalid"),
    (r"(?:must not|cannot|can't|may not|can not) be (?:left )?(?:empty|blank)", "is required"),
)
"""What is said of buttons and fields in other words, and the state that is meant."""
_OF_STATE = tuple(
    (
        re.compile(
            rf"^((?:the )?(?:«\d+» (?:button|field|textbox|dropdown)|(?:button|field|textbox|dropdown) «\d+»)) {said}$",
            re.I,
        ),
        meant,
    )
    for said, meant in _STATES
)
_AFTER = re.compile(
    rf"^(?:after|upon|when|once)(?: {PEOPLE})? ([a-z]+ing) ([^,]*«\d+»[^,]*), (?:then )?(.+)$", re.IGNORECASE
)
"""An act that another one follows; it may be meant as done already, so that both are told."""
_BUT = re.compile(
    r"^(?P<one>.+?) (?:(?P<is>is|are) not|do(?:es)? not (?P<verb>show|contain|display)) (?P<no>«\d+»|[\d.,]*\d)"
    r",? but (?P<yes>«\d+»|[\d.,]*\d)$",
    re.IGNORECASE,
)
"""A denial, and what is so instead."""
_PLACED = re.compile(
    r"^(in (?:the )?[^,«»]*«\d+»(?: (?:row|section|table|list|dialog|column|panel|card))?)"
    r" (the [^,]*\b(?:is|are|shows?|contains?|has)\b.*)$",
    re.IGNORECASE,
)
"""A place before a claim, without a comma behind it."""
_OPENED = r"(?: (?:is (?:displayed|shown|visible|opened)|appears|opens))?"
_HOLDS_BOTH = re.compile(
    r"^(?:(?:i|you|user) see )?(?:an? |the )?(?P<part>(?:«\d+» )?(?:form|section|dialog|modal|panel|table|card))"
    rf"{_OPENED} with (?:an? |the )?(?P<one>«\d+» [a-z]+) and (?:an? |the )?(?P<other>«\d+» [a-z]+){_OPENED}$",
    re.IGNORECASE,
)
"""A claim that a part of the page contains two things."""
_MAY_CLICK = re.compile(
    rf"^{PEOPLE} (?:can|is able to|are able to|am able to) (?:click|press|use)(?: on)? (.+ button)$", re.I
)
_BOTH = (
    re.compile(
        r"^not only (?P<one>.*«\d+»)(?: is (?:visible|displayed|shown))?,? but also (?P<other>.*«\d+») "
        r"(?P<verb>(?:is|are) \w+)$",
        re.I,
    ),
    re.compile(r"^(?P<one>.*«\d+») (?P<verb>(?:is|are) \w+),? and so (?:is|are) (?P<other>(?:the )?.*«\d+»)$", re.I),
    re.compile(
        r"^(?P<one>.*«\d+») (?P<verb>(?:is|are) \w+),? (?:along|together) with (?P<other>(?:the )?.*«\d+»)$", re.I
    ),
    re.compile(r"^(?P<one>.*«\d+») (?P<verb>(?:is|are) \w+),? as well as (?P<other>(?:the )?.*«\d+»)$", re.I),
    re.compile(
        r"^(?P<one>.*«\d+») (?P<verb>(?:is|are) not \w+),? and neither (?:is|are) (?P<other>(?:the )?.*«\d+»)$", re.I
    ),
    re.compile(r"^(?P<one>.*«\d+») and (?P<other>.*«\d+») (?:both|each) (?P<verb>(?:is|are|appears?)\b.*)$", re.I),
)
"""Claims about two things in wordings that no phrase reads."""
_KIND_IN_QUOTES = re.compile(
    rf"(?P<name>{QUOTED.pattern}) [\"'](?P<kind>button|link|field|checkbox|radio|select|dropdown|icon|tab|image|heading"
    r"|dialogue|table_row|list_item|table|list|text|css_element|xpath_element)[\"']"
)
"""A kind in quotes behind a name, as steps of test frameworks have it: `"Save" "button"`."""
_PLAIN_KINDS = {"dialogue": "dialog", "table_row": "row", "list_item": "item"}
_IN_BRACKETS = re.compile(r"\[ ?([A-Z][^\[\]\"<>]*?) ?\](?= (?:button|link|tab|icon|checkbox|dropdown|menu)\b)")
_BOLD_IN_QUOTES = re.compile(r"([\"'`])\*{1,2}([^*\"'`]+)\*{1,2}\1")
_OPENED_TWICE = re.compile(r"“([^“”]+)“(?![^“”]*”)")
"""A text whose closing quote is a second opening one."""
_WHOLLY_BOLD = re.compile(r"\*\*([^*\"“]+)\*\*")
_FOREIGN_SLOT = re.compile(r"(?<!\$)\{\{ ?([A-Za-z_]\w*) ?\}\}|(?<!\w)%([A-Za-z_]\w*)%")
"""A variable as other tools write it: `{{email}}`, `%email%`."""
_REMEMBERED = re.compile(r"\b(?:saved|stored) value [\"'“](\w+)[\"'”]")
_KINDS = split("button checkbox dropdown dialog heading option")
_SLIPS = re.compile(r"\b[a-z]{5,}\b")
_RESAID = re.compile(
    r"\b(?:not only|but also|has an? (?:validation )?error|in error|and neither|along with|together with|as well as"
    r"|(?:cannot|can't|can not|must not|may not) be)\b",
    re.IGNORECASE,
)
"""Words that a repair may replace, although proposals otherwise keep them."""


def unmarked(sentence: str) -> str:
    """Return a sentence without marks that are no quotes: kinds in quotes, names in brackets, bold that holds all."""
    plain = _FOREIGN_SLOT.sub(lambda slot: f"${{{slot[1] or slot[2]}}}", " ".join(sentence.split()).rstrip(" ."))
    plain = _KIND_IN_QUOTES.sub(_with_plain_kind, _REMEMBERED.sub(r'"${\1}"', plain))
    plain = _OPENED_TWICE.sub(r"“\1”", _BOLD_IN_QUOTES.sub(r"\1\2\1", plain))
    whole = _WHOLLY_BOLD.fullmatch(plain)
    return whole[1] if whole else _IN_BRACKETS.sub(r'"\1"', plain)


def _with_plain_kind(match: re.Match[str]) -> str:
    kind = match["kind"]
    if kind in ("css_element", "xpath_element"):
        return f"{kind.partition('_')[0]}={match['name']}"
    return f"{match['name']} {_PLAIN_KINDS.get(kind, kind)}"


def repaired(sentence: str, role: Role, parse: Parse) -> str:
    """Return the sentence with its form mended, if it is read then; nothing if no mend makes it one."""
    plain = " ".join(sentence.split()).rstrip(" .")
    values = [match[0] for match in QUOTED.finditer(plain)]
    bare = _SLIPS.sub(_spelled, re.sub(r"\b([tT])eh\b", r"\1he", _slotted(plain)))
    spelled = (bare,) if bare != _slotted(plain) else ()
    for mended in (*spelled, *(_of_acts(bare, values) if role == "action" else _of_claims(bare))):
        said = _SLOT.sub(lambda slot: values[int(slot[1])], mended)
        said = said[:1].upper() + said[1:]
        if said != plain and calls_of(said, parse) and (keeps(plain, said) or _RESAID.search(plain)):
            return said
    return ""


def _spelled(word: re.Match[str]) -> str:
    """Return the kind of element of which a word is a slip of the pen, or the word."""
    return next((kind for kind in _KINDS if _is_slip(word[0], kind)), word[0])


def calls_of(sentence: str, parse: Parse) -> tuple[ToolCall, ...]:
    """Return the calls of a sentence; none if it is refused."""
    try:
        return parse(sentence)
    except PhraseError:
        return ()


def _slotted(text: str) -> str:
    numbers = count()
    return QUOTED.sub(lambda _: f"«{next(numbers)}»", text)


def _of_acts(bare: str, values: list[str]) -> Iterator[str]:
    if (first := _FIRST.match(bare)) and (verb := _verb(first[1].lower())):
        yield _MORE.sub(lambda word: _verb(word[1]) or word[1], f"{verb}{bare[first.end() :]}")
    if (after := _AFTER.match(bare)) and (verb := _verb(after[1].lower())):
        yield f"{verb} {after[2]} and {after[3]}"
    if colon := _COLON.match(bare):
        holds = "Select {1} in {0}" if _CHOOSING.match(bare) else "Type {1} into {0}"
        yield holds.format(colon[1], colon[2])
    if kept := _KEPT.match(bare):
        name = _SLOT.sub(lambda slot: values[int(slot[1])][1:-1], kept["name"])
        before = re.sub(r" the variable $| variable $", " ", bare[: kept.start("name")])
        quoted = kept["name"].startswith("«")
        if re.fullmatch(r"[a-z_]\w*", name) and (quoted or "variable" in bare) and _OF_VALUES.search(before):
            yield f"{before}${{{name}}}"
    if (path := _PATH.match(bare)) and _RELATIVE.fullmatch(values[int(path[1])][1:-1]):
        yield f"Open /{values[int(path[1])][1:-1]}"
    if way := _WAY_FROM.match(bare):
        first, *rest = (part if "«" in part else f'"{part}"' for part in re.split(r" ?[→>›] ?", way["way"]))
        yield " and ".join(
            (f"Click {first} {way['place'][:1].lower()}{way['place'][1:]}", *(f"click {part}" for part in rest))
        )
    for joint in _JOINT.finditer(bare):
        rest = bare[joint.end() :]
        yield f"{bare[: joint.start()]} and verify that {rest[:1].lower() + rest[1:]}"


def _of_claims(bare: str) -> Iterator[str]:
    for pattern, meant in _OF_STATE:
        if found := pattern.match(bare):
            yield f"{found[1]} {meant}"
    if found := _MAY_CLICK.match(bare):
        yield f"{found[1]} is enabled"
    if found := _HOLDS_BOTH.match(bare):
        yield f"The {found['part']} has the {found['one']} and the {found['part']} has the {found['other']}"
    if found := _PLACED.match(bare):
        yield f"{found[1]}, {found[2]}"
    if found := _BUT.match(bare):
        verb = found["is"] or f"{found['verb']}s"
        yield f"{bare[: found.start('no')]}{found['no']} and {found['one'].lower()} {verb} {found['yes']}"
    for pattern in _BOTH:
        if found := pattern.match(bare):
            yield f"{found['one']} {found['verb']} and {found['other']} {found['verb']}"


def _verb(word: str) -> str:
    """Return the verb of which a word is the past, the "-ing" form or a slip of the pen; nothing if there is none."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for verb in _VERBS:
        stem = verb.removesuffix("e")
        if word in {f"{stem}ed", f"{stem}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"}:
            return verb
    known = word in _FORMS or word in ENDS or len(word) < 4
    return "" if known else next((verb for verb in ACTIONS if verb.isalpha() and _is_slip(word, verb)), "")


def _is_slip(word: str, verb: str) -> bool:
    """Return whether a word is a verb with one letter left out, doubled, or two letters in each other's place."""
    swapped = (verb[:at] + verb[at + 1] + verb[at] + verb[at + 2 :] for at in range(1, len(verb) - 1))
    missing = (verb[:at] + verb[at + 1 :] for at in range(1, len(verb)))
    doubled = (verb[: at + 1] + verb[at:] for at in range(len(verb)))
    return word in {*swapped, *missing, *doubled} - {verb}
