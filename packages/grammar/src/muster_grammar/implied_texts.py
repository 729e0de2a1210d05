"""Puts quotes around texts and names whose beginning and end are both certain. Pure.

`implied_names.py` finds a name by its capital letters. Here it is what stands beside it that tells where it begins and
ends: "error message" and "is displayed", the list that it is a part of, the verb before it and the kind behind it.
"""

import re

from muster_grammar.advice import DESCRIBED
from muster_grammar.element_kinds import BESIDE, PLACES, PLURALS, ROLES
from muster_grammar.element_kinds import DEEDS as ROW_DEEDS
from muster_grammar.implied_names import LONGEST
from muster_grammar.name_boundaries import CLOSED, DEEDS, NO_NAMES, VERBS
from muster_grammar.numerals import ORDINALS
from muster_grammar.other_nouns import ARTICLES
from muster_grammar.unquoted_names import DESCRIBING
from muster_grammar.vocabulary import split
from muster_grammar.word_products import MESSAGE_SORTS

_SORTS = "|".join((*MESSAGE_SORTS, "information", "alert", "inline"))
_SAYING = r"(?: (?:saying|stating|reading|that says|which says|that reads|with (?:the )?text))"
_SIGHT = (
    r" (?:(?:is|are|gets|(?:should|must|will|shall) (?:be|get)) (?:displayed|shown|visible|seen|presented)"
    r"|(?:(?:should|must|will|shall) )?(?:appears?|shows? up|pops? up))\b"
)
_MESSAGE = re.compile(
    rf"\b(?P<noun>(?:(?:{_SORTS}) )+message|toast(?: message)?)(?P<told>:|{_SAYING}:?)? (?P<text>[A-Z].*)",
    re.IGNORECASE,
)
"""A kind of message and, right behind it, its text."""
_TOLD = re.compile(
    rf"\b(?P<noun>(?:(?:{_SORTS}) )*(?:message|notification|alert|error|warning))"
    rf"(?P<told>:(?<=message:)|{_SAYING}:?|{_SIGHT}:) (?P<text>[A-Z].*)",
    re.IGNORECASE,
)
"""Any message, with a word that announces its text."""
_NO_BEGINNINGS = VERBS | PLACES | BESIDE.keys()
"""Words, whatever their letters, that lead from "message" to something else than its text."""
_EXCLAIMED = re.compile(
    rf"(?P<text>[A-Z][^.:;!?]*[!?])(?P<rest>(?: (?:text|message|title|heading|notification))?{_SIGHT}.*)"
)
_OTHERWISE = re.compile(
    r"\bor [A-Z]|\b(?:if|when|unless|until|after|e\.g|etc)\b|\b(?:and|but)\b.*\b(?:is|are|should|remains?|stays?)\b"
)
"""What a text does not hold that a sentence quotes: alternatives, conditions, another claim."""

_PARTS = re.compile(r",? and |(?:(?<!\d),|,(?!\d)) ?")
"""What parts the names of a list; a comma within a number parts none."""
_LEADS = split("the a an see sees view views show shows display displays contain contains has have that both following")
"""Words after which a list of names may begin."""
_MANY = split("all both each every any some no none either neither")
_MOST_WORDS = 3
_LARGE = re.compile(r"[A-Z0-9]")
_KINDS = "|".join(sorted((*PLURALS, "columns", "check boxes", "radio buttons"), key=len, reverse=True))
_LIST = re.compile(
    rf"(?P<list>[^\"“”;:.]*?(?:,|\band\b)[^\"“”;:.]*?) (?P<kind>(?:input |text |drop-?down |menu )?(?:{_KINDS}))\b"
)

_CHOOSING = r"(?:select|choose|pick)s?"
_POINTING = r"(?:click|tap|press|hit|check|tick|uncheck|untick|select|choose)s?"
_ENTERING = r"(?:type|enter|input)s?"
_TARGET = r"(?:button|link|hyperlink|check ?box|radio button|tab|icon|toggle|switch)"


def _bounded(lead: str, rest: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<lead>{lead}) (?P<text>[A-Z0-9][^\",;]*?) (?P<rest>{rest}[^\"]*)", re.IGNORECASE)


_BOUNDED_IN_ACTS = (
    _bounded(rf"(?:[^\"]*? )??{_POINTING}(?: on)?(?: the| an?)?", rf"{_TARGET}\b"),
    _bounded(
        rf"(?:[^\"]*? )??{_CHOOSING}(?: the)?(?: option| value)?", r"(?:from|in) .*\b(?:drop-?down|list|combo ?box)\b"
    ),
    _bounded(
        rf"(?:[^\"]*? )??{_ENTERING}(?: the)?(?: text| value| message)?",
        r"(?:in|into) .*\b(?:field|box|input|bar|area)\b",
    ),
)
"""A verb, the name, and a kind of element or a place."""
_BOUNDED_IN_CLAIMS = (_bounded(r"(?:[^\"]*? )?the", rf"{_TARGET} (?:is|are|should|must|will|appears?)\b"),)
"""An article, the name, and a kind of element with a verb."""
_PARTING = split("or not never no in on from with at into next under below above beside both for")
"""Small words that are in no name whose ends are told by other words: a place, another target, a denial."""
_PARTICLES = split("sign log logged signed opt check")
_COUNTS = re.compile(r"\d+ [a-z]")
"""What says how many of what: "99 characters"."""
_PAIRED = split(
    "name username surname email e-mail password phone mobile street city zip zipcode postcode company nickname"
)
"""Labels of what a person types and no page tells: a pair with one in a list of acts is an entry."""
_NO_PAIRS = split("expected actual result verify error invalid valid precondition note field file page no")
_QUOTES = '"“”`'
_PAIR = re.compile(
    r"(?P<label>[A-Za-z][\w-]*(?: [a-zA-Z][\w-]*){0,2}): "
    r"(?P<value>[\"“`][^\"“”`]+[\"”`]|[^\s\"“”`]*[\d@][^\s\"“”`]*)\.?"
)
_LABELLED = re.compile(
    r"(?:I |[Tt]he user |[Uu]ser )?(?P<verb>(?i:enter|type|fill(?: in| out)?|input|select|choose|pick)s?)(?: the)?"
    r" (?P<label>[A-Z][\w-]*(?: [\w-]+){0,3}): ?(?P<value>\"[^\"]+\"|`[^`]+`|“[^”]+”)\.?"
)
"""A label with a capital letter and, behind a colon, what is typed or chosen there."""
_BRACKETS = re.compile(rf"(?P<lead>\b{_POINTING}(?: on)?(?: the| an?)?) \[(?P<text>[A-Z][^\[\]\"]*)\]", re.IGNORECASE)


def certain_wording(text: str, *, claim: bool) -> str:
    """Return a sentence with the text of its message or the names of its list in quotes; empty if it has neither."""
    if len(text) > LONGEST or "\n" in text:
        return ""
    if not claim and (pair := _PAIR.fullmatch(text.strip())) and _is_paired(pair["label"]):
        return f'Type "{pair["value"].strip(_QUOTES)}" into "{pair["label"]}"'
    if not claim and (told := _LABELLED.fullmatch(text.strip())):
        chosen = told["verb"].lower().startswith(("select", "choose", "pick"))
        return (
            f'Select {told["value"]} in "{told["label"]}"' if chosen else f'Type {told["value"]} into "{told["label"]}"'
        )
    if not claim:
        return _BRACKETS.sub(r'\g<lead> "\g<text>"', text) if _BRACKETS.search(text) else ""
    return _with_message(text) or _exclaimed(text) or _with_list(text)


def _is_paired(label: str) -> bool:
    *before, last = label.lower().split()
    return last in _PAIRED and DEEDS.isdisjoint(before) and _NO_PAIRS.isdisjoint(before)


def bounded_wording(text: str, *, claim: bool) -> str:
    """Return a sentence with the name between its verb or article and its kind in quotes, whatever words it holds."""
    if len(text) > LONGEST or "\n" in text:
        return ""
    for pattern in _BOUNDED_IN_CLAIMS if claim else _BOUNDED_IN_ACTS:
        match = pattern.fullmatch(text)
        if match and _is_whole(match["text"].split()):
            return f'{match["lead"]} "{match["text"]}" {match["rest"]}'
    return ""


def _is_whole(words: list[str]) -> bool:
    """Return whether words are one name: it begins with a capital letter, and none of them leads to something else."""
    if (
        not _LARGE.match(words[0])
        or _COUNTS.match(" ".join(words))
        or (len(words) > 1 and words[0].lower() in ORDINALS and words[1].lower() in ROLES)
        or words[0].lower() in (NO_NAMES | _MANY | DESCRIBING | DESCRIBED) - ROW_DEEDS - {"i"}
    ):
        return False
    if any(word.lower() in ORDINALS for word in words[1:-1]):  # "Table Row First Eye" tells which of several
        return False
    return not any(_parts(words, at) for at in range(len(words)))


def _parts(words: list[str], at: int) -> bool:
    """Return whether a word says that what follows is no part of the name."""
    word, before, after = words[at], words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if word.endswith(("n't", "n’t")):
        return True
    if word in _PARTING:
        led = before.lower() in _PARTICLES or (word == "for" and after[:1].islower() and after not in ARTICLES)
        return not led
    if word in ARTICLES and at:
        return before not in ("to", "of") and not (_LARGE.match(before) and _LARGE.match(after))
    if word == "and":
        return after in DEEDS and after != words[-1]
    return word in ROLES or ("/" in word and not any(map(str.isdigit, word)))


def _with_message(text: str) -> str:
    match = _MESSAGE.search(text) or _TOLD.search(text)
    if not match or '"' in text or not match["text"][:1].isupper():
        return ""
    whole = match["text"].rstrip()
    sight = re.search(_SIGHT, whole)
    said, rest = (whole[: sight.start()], whole[sight.start() :]) if sight else (whole.rstrip("."), "")
    words = said.split() or ["is"]
    alone = len(words) == 1 and not match["told"]
    if not (rest or match["told"]) or alone or words[0].lower() in _NO_BEGINNINGS or _OTHERWISE.search(said):
        return ""
    return f'{text[: match.start("text")]}"{said}"{rest}'


def _exclaimed(text: str) -> str:
    match = _EXCLAIMED.fullmatch(text)
    return f'"{match["text"]}"{match["rest"]}' if match and '"' not in text else ""


def _with_list(text: str) -> str:
    """Return `the "Edit" and "Delete" buttons are visible` for `the Edit and Delete buttons are visible`."""
    match = _LIST.match(text)
    if not match:
        return ""
    parts = _PARTS.split(match["list"])
    lead, first = _first_name(parts[0])
    names = [first, *(re.sub(r"^the ", "", part) for part in parts[1:])]
    articles = [part.startswith("the ") for part in parts[1:]]
    if any(articles) and not (all(articles) and re.search(r"\bthe $|^the ", f"{parts[0].removesuffix(first)}", re.I)):
        return ""  # "details and the Save and Cancel buttons": of what kind is the first?
    if not first or len(names) < 2 or not all(map(_is_name, names)) or len({_is_large(name) for name in names}) > 1:
        return ""
    return f"{lead}{_listed(names, match['kind'])}{text[match.end() :]}"


def _listed(names: list[str], kinds: str) -> str:
    """Return names in quotes, each with its kind; options and columns are told together."""
    if kinds in ("options", "columns"):
        quoted = [f'"{name}"' for name in names]
        return f"the {kinds} {', '.join(quoted[:-1])} and {quoted[-1]}"
    *before, noun = kinds.split(" ")
    kind = " ".join((*before, PLURALS.get(noun, noun)))
    each = [f'the "{name}" {kind}' for name in names]
    return f"{', '.join(each[:-1])} and {each[-1]}"


def _first_name(part: str) -> tuple[str, str]:
    """Return what stands before the first name of a list, and that name."""
    words = part.split()
    at = next((at + 1 for at in range(len(words) - 1, -1, -1) if words[at].lower() in _LEADS), 0)
    lead = " ".join(words[:at]).removesuffix(" the")
    lead = "" if lead.lower() == "the" else lead
    return (f"{lead} " if lead else ""), " ".join(words[at:])


def _is_name(name: str) -> bool:
    words = name.split()
    if not words or len(words) > _MOST_WORDS or words[0].lower() in _MANY:
        return False
    if words[0].lower() in NO_NAMES | DESCRIBING and not _is_large(name):
        return words[0] in ROW_DEEDS
    return all(_LARGE.match(word) or word not in CLOSED for word in words)


def _is_large(name: str) -> bool:
    return bool(_LARGE.match(name))
