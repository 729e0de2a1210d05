"""Texts and names without quotes whose both ends are certain: wordings with them in quotes. Pure.

`implied_names.py` finds a name by its capital letters. Here it is what stands beside it that tells where it begins and
ends: "error message" and "is displayed", the list that it is a part of, the verb before it and the kind behind it.
"""

import re

from muster_grammar.element_kinds import BESIDE, PLACES, PLURALS, ROLES
from muster_grammar.element_kinds import DEEDS as ROW_DEEDS
from muster_grammar.implied_names import LONGEST
from muster_grammar.name_boundaries import CLOSED, DEEDS, NO_NAMES, VERBS
from muster_grammar.unquoted_names import DESCRIBING
from muster_grammar.vocabulary import split

_SORTS = "error|success|failure|warning|confirmation|information|info|validation|alert|toast|flash|inline|status"
_SAYING = r"(?: (?:saying|stating|reading|that says|which says|that reads|with (?:the )?text))"
_SIGHT = (
    r" (?:(?:is|are|gets|(?:should|must|will|shall) (?:be|get)) (?:displayed|shown|visible|seen|presented)"
    r"|(?:(?:should|must|will|shall) )?(?:appears?|shows? up|pops? up))\b"
)
_MESSAGE = re.compile(
    rf"\b(?P<noun>(?:(?:{_SORTS}) )+message|toast(?: message)?)(?P<told>:|{_SAYING}:?)? (?P<text>[A-Z].*)", re.IGNORECASE
)
"""A sort of message and, without a word between, what it says."""
_TOLD = re.compile(
    rf"\b(?P<noun>(?:(?:{_SORTS}) )*(?:message|notification|alert|error|warning))(?P<told>:(?<=message:)|{_SAYING}:?)"
    r" (?P<text>[A-Z].*)",
    re.IGNORECASE,
)
"""A message of any kind, of which a word tells that its text follows."""
_NO_BEGINNINGS = VERBS | PLACES | BESIDE.keys()
"""Words, whatever their letters, that lead from "message" to something else than its text."""
_EXCLAIMED = re.compile(rf"(?P<text>[A-Z][^.:;!?]*[!?])(?P<rest>{_SIGHT}.*)")
_OTHERWISE = re.compile(r"\bor [A-Z]|\b(?:if|when|unless|until|after|e\.g|etc)\b|\b(?:and|but)\b.*\b(?:is|are|should|remains?|stays?)\b")
"""What a text does not hold that a sentence quotes: alternatives, conditions, another claim."""

_PARTS = re.compile(r",? and |, ?")
_LEADS = split("the a an see sees view views show shows display displays contain contains has have that both following")
"""Words after which a list of names may begin."""
_MANY = split("all both each every any some no none either neither")
_MOST_WORDS = 3
_LARGE = re.compile(r"[A-Z0-9]")
_KINDS = "|".join(sorted((*PLURALS, "columns", "check boxes", "radio buttons"), key=len, reverse=True))
_LIST = re.compile(rf"(?P<list>[^\"“”;:.]*?(?:,|\band\b)[^\"“”;:.]*?) (?P<kind>(?:input |text |drop-?down |menu )?(?:{_KINDS}))\b")

_CHOOSING = r"(?:select|choose|pick)s?"
_POINTING = r"(?:click|tap|press|hit|check|tick|uncheck|untick|select|choose)s?"
_BOUNDED = re.compile(
    rf"(?P<lead>(?:[^\"]*? )??{_POINTING}(?: on)?(?: the| an?)?) (?P<text>[A-Z][^\",;:]*?)"
    r" (?P<kind>(?:button|link|hyperlink|check ?box|radio button|tab|icon|option|toggle|switch)\b[^\"]*)",
    re.IGNORECASE,
)
_OPTION = re.compile(
    rf"(?P<lead>(?:[^\"]*? )??{_CHOOSING}(?: the)?(?: option| value)?) (?P<text>[A-Z0-9][^\",;:]*?)"
    r" (?P<kind>(?:from|in) (?:the )?[^\"]*\b(?:drop-?down|drop down|list|combo ?box)\b[^\"]*)",
    re.IGNORECASE,
)
_NOT_INSIDE = re.compile(
    rf"\b(?:or|(?<!sign )(?<!log )(?<!logged )(?<!signed )in|on|from|with|at|into|next|under|below|above|beside|both)\b|(?<!to )(?<!of )\b(?:the|an?)\b"
    rf"|\band (?:{'|'.join(DEEDS)})s? (?=[A-Z]|the |an? |on )|\b(?:{'|'.join(ROLES)})\b"
)
"""What does not stand inside a name: a place, another target, an act of its own."""
_BRACKETS = re.compile(rf"(?P<lead>\b{_POINTING}(?: on)?(?: the| an?)?) \[(?P<text>[A-Z][^\[\]\"]*)\]", re.IGNORECASE)


def certain_wording(text: str, *, claim: bool) -> str:
    """Return a sentence with the text of its message or the names of its list in quotes; empty if it has neither."""
    if len(text) > LONGEST or "\n" in text:
        return ""
    if not claim:
        return _BRACKETS.sub(r'\g<lead> "\g<text>"', text) if _BRACKETS.search(text) else ""
    return _with_message(text) or _exclaimed(text) or _with_list(text)


def bounded_wording(text: str) -> str:
    """Return an action with the name between its verb and a kind in quotes, whatever words the name holds."""
    if len(text) > LONGEST or "\n" in text:
        return ""
    for pattern in (_OPTION, _BOUNDED):
        match = pattern.fullmatch(text)
        name = match["text"] if match else ""
        fits = name[:1].isupper() or name[:1].isdigit()
        if match and fits and name.split()[0].lower() not in NO_NAMES - {"i"} and not _NOT_INSIDE.search(name):
            return f'{match["lead"]} "{name}" {match["kind"]}'
    return ""


def _with_message(text: str) -> str:
    match = _MESSAGE.search(text) or _TOLD.search(text)
    if not match or '"' in text or not match["text"][:1].isupper():
        return ""
    whole = match["text"].rstrip()
    sight = re.search(_SIGHT, whole)
    said, rest = (whole[: sight.start()], whole[sight.start() :]) if sight else (whole.rstrip("."), "")
    words = said.split()
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
