"""Texts that a proposal must not quote because they are no names: descriptions, counts, actions. Pure."""

import re

from muster_grammar import german
from muster_grammar.asides import ENDS
from muster_grammar.element_kinds import CONTAINERS
from muster_grammar.name_boundaries import says_more
from muster_grammar.tokens import words
from muster_grammar.unquoted_names import NEVER_IN_NAMES, counts_inside, is_noun, only_describes, tells_no_name
from muster_grammar.vocabulary import VAGUE, split

MESSAGES = split("error warning hint tooltip caption alert label")
"""Nouns of texts that a page shows, in the singular."""
_TELLING = MESSAGES | split("message toast notification")
_GENERIC = _TELLING | split("it this that link here there back")
_SITES = split("website site homepage app application portal browser")
_MERELY = VAGUE - {"valid"} | split("successfully appropriately incorrectly appropriate")
"""Words that judge; no name ends in one, and no value is one."""
_DONE_LAST = split(
    "searched found mentioned opened filtered added generated uploaded entered deleted edited removed updated created "
    "changed configured length present located"
)
"""What was done to a thing, and what is counted of a text."""
_OF_SORT = split(
    "selected chosen supported preferred desired default non-default nearby available unavailable matching relevant "
    "related specific existing particular suitable clickable editable scrollable searchable sortable collapsible "
    "complete entire"
)
"""What tells which things are meant, in front of what they are."""
_SEVERAL = re.compile(
    rf"\bto (?:{'|'.join(sorted(ENDS))}) \w|^(?:[Aa]ll|[Bb]oth|[Ee]ach|[Ee]very|[Oo]nly) [a-z]|\bdate \S*\d"
    r"|\b(?:today|tomorrow|yesterday)'s\b"
    r"|\b(?:under|below|above|beside|next to|for) (?:the|an?)\b"
    r"|^(?:colou?r|size|language|currency|theme|format) \w+$|^(?:(?:total )?number|count) of\b"
    r"|\b(?:of|in|on|as|from) (?:the|an?)\b|\bin the$|^[a-z][\w ]* of [A-Z\d]"
    r"|^[a-z][\w ]* of \w+ \d+$|^\d+ [a-z]\w*s\b"
    r"|^\d+ .*\b(?:buttons?|links?|fields?|icons?|images?)(?: \w+ed)?$"
    r"|\bchanged to\b|\bfor past\b|\b(?:column|row|lane|field|button|link|icon|checkbox|dropdown|list|page|screen"
    r"|modal|dialog|popup|breadcrumbs?|carousel|accordion|thumbnail|app|application)$|\bmouse\b"
    r"|\b(?:tab|below|above|the|an?)$|\*\*|\s\+\s|\b(?:button|link|tab|icon|field|checkbox) of\b"
    r"|^(?:dropdown|checkbox|button|link) [a-z]+$|^(?:optional|mandatory|required|particular|specific)$"
    r"|\bin (?:\w+ )?(?:state|mode|format|default)\b|\b(?:clicks|taps|selects|enters)\b"
)
"""What is no name though it looks like one: a count ("number of results", "25 rows"), a place ("Pay in the"), a value
and its owner ("value of Headphones"), or a name and its kind ("Review column")."""
_UNNAMED = NEVER_IN_NAMES - {"all", "with"} | split(
    "should must will this that which using times existing newly multiple"
)
"""Words that no name holds which only a proposal would make one."""
_COMPARING = re.compile(
    r"^(?-i:the|an?) |^(?:zero|positive|negative|rounded)\b|\bper\b|±"
    r"|^(?:about|around|always|exactly|twice|half|double|only|the same|at (?:most|least)|(?:more|less|fewer) than)\b"
    r"|\b(?:higher|lower|more|less|fewer|greater|smaller|larger|longer|shorter|later|earlier)$"
    r"|^\d+ (?:more|new|other|empty|selected|further|additional)\b|\b(?:after|for|within|in) \d|\d in [A-Z]"
    r"|\d(?:st|nd|rd|th) | to (?:complete|finish|load|appear|disappear|be|end|start)\b"
    r"|\d (?:including|excluding|incl|excl|plus|before|times)\b|^(?:in|as|not) ",
    re.IGNORECASE,
)
"""A value that is compared, counted or timed, and no text that a page shows."""
_WHERE = split("left right top bottom edge corner side middle centre center above below inside outside the upper lower")
_GERMAN_VERBS = {
    word for row in (*german.CLAIMS.values(), *german.VERBS.values()) for word in row.replace(",", "").split()
}
_NO_ENGLISH = _GERMAN_VERBS - split("in an am hat die not button dropdown link tab")
LIMITING = re.compile(
    r"\b(?:twice|thrice|immediately|instantly|exactly|at (?:most|least)|other than|instead of|does|did)\b"
)
"""Words in small letters that say how many, how fast or how much, and that no name without quotes holds."""
_PARTS = CONTAINERS | split("modal popup pop-up alert toast overlay page")
PART_FIRST = re.compile(rf"(?:{'|'.join(sorted(_PARTS))}) (?:[A-Z]\w*)(?: [A-Z]\w*)*")
"""A part of the page in small letters before the name of what is in it: "modal OK"."""
_ELSEWHERE = re.compile(
    r"^(?:after|before|upon|when|once|during) \w| (?:after|before|when|once) (?-i:[a-z])"
    r"|[\"“”„]|^browser \w|\bdev(?:eloper)?[ -]?tools?\b|\w (?:message|toast|notification)$",
    re.IGNORECASE,
)
"""A time at which something is so, another quote, a part of the browser, or a message told by its sort."""
_SETTING = re.compile(r"\w+ (?:mode|theme|contrast)")
"""What can be turned on, whatever the adjective before it: "dark mode"."""
_ARROWS = frozenset((">", "→", "»", "›", "->", "=>"))
_CLAIMED = tuple(
    f"{verb}{end} "
    for verb in ("verify", "verifie", "validate", "check", "confirm", "ensure", "assert")
    for end in ("", "s")
)
_BESIDE = re.compile(r"(?:button|link|icon|field|image|row|tab) (?:left|right)")
_DONE = re.compile(r"(?:[A-Z]\w+ed|Shown|Hidden|Visible|Empty)(?: In| Out| Up)?")
"""What a sentence in title case says of a thing."""


def is_no_name(text: str) -> bool:
    """Return whether a text that only a proposal would put in quotes describes, counts, or says what is done."""
    said = text.split()
    if (
        text.startswith("(")
        or text.count("(") != text.count(")")
        or " - " in text
        or _ELSEWHERE.search(text)
        or LIMITING.search(text)
        or PART_FIRST.fullmatch(text)
    ):
        return True
    if said[:1] and said[0].lower() in ("valid", "invalid", "correct", "incorrect", "new", "unique"):
        return True
    last = said[-1].lower() if said else ""
    if not said or last in _MERELY or (said[-1] in _DONE_LAST and said[0] != "No"):
        return True
    if last not in _TELLING and last.removesuffix("s") in _TELLING:
        return True
    if len(said) > 1 and said[1].islower() and (said[0].lower() in _OF_SORT or said[0] == "The"):
        return True
    if len(said) > 1 and (said[0].endswith(("iest", "pest")) or _BESIDE.fullmatch(text)):
        return True  # "the cheapest product", "the button left of"
    if (
        not _UNNAMED.isdisjoint(said)
        or text.lower().replace(":", "").startswith(_CLAIMED)
        or not _ARROWS.isdisjoint(said)
    ):
        return True
    if (says_more(text) and text[:1].isupper()) or counts_inside(words(text)) or tells_no_name(said):
        return True
    return (
        bool(_DONE.fullmatch(text) or _COMPARING.search(text))
        or _WHERE.issuperset(said)
        or any(word.islower() and word in _NO_ENGLISH for word in said)
        or _is_general(text)
    )


def _is_general(text: str) -> bool:
    """Return whether a text is what things are called in general, or tells which ones are meant."""
    return (
        text in _GENERIC
        or text.lower() in _SITES
        or is_noun(text.lower())
        or (only_describes(text) and not _SETTING.fullmatch(text))
        or bool(_SEVERAL.search(text))
    )
