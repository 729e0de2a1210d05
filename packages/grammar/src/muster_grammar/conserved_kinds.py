"""Words for kinds, looks and statuses that a reading takes for names, texts or numbers. Pure."""

import re
from collections.abc import Iterator, Set
from http import HTTPStatus

from muster_grammar.element_kinds import PARTS, ROLES
from muster_grammar.made_up_names import PART_FIRST
from muster_grammar.told_sentences import Told, names_of
from muster_grammar.vocabulary import SYNONYMS, split
from muster_protocol.tool_calls import ToolCall

_KINDS: Set[str | None] = (ROLES.keys() | PARTS.keys() | split("title header message column label footer down")) - {
    "group",
    "status",
}
"""Nouns that, with a capital letter, may be the last word of a name or tell what is called so: "the Orders Title"."""
_INNER_KINDS = split("link button checkbox dropdown")
_ON_SCREEN = re.compile(r"\b(?:messages?|screen|toast|notification|popup|pop-up|alert|dialog|modal)\b", re.IGNORECASE)
_STATUS = re.compile(rf"\b[1-5]\d\d (?:{'|'.join(re.escape(one.phrase) for one in HTTPStatus)})\b")
_ANY = re.compile(r'\ban? "(?= (?:within|in|inside|on)\b|\.?$)')
_LEVEL = re.compile(
    r"\blevel[- ](?:\d|one|two|three)[- ]headings?\b|\bheadings?[- ](?:of[- ])?level\b|(?P<tag>\bh[1-6]\b)",
    re.IGNORECASE,
)
_MESSAGES = split("message error warning success info notification alert notice")
"""Last words of what a dialog is for, which it is not called."""
_LIST_OF = re.compile(
    r"^an? (?:list|table|grid) of ((?!\")\w[\w ]*?) (?:is|are|should|appears?|must|will)\b", re.IGNORECASE
)
_LOOKS = re.compile(
    r"(?:[xy][ -])?coo?r?dinates?|"
    r"opacity|z-index|padding|margin|border(?: .*)?|(?:background|text|font|border)[ -].*|cursor",
    re.IGNORECASE,
)


def problems_of_kinds(told: Told) -> Iterator[str]:
    """Yield what a reading takes for the name, the text or the number of something, though it tells its kind."""
    if told.claim and _ANY.search(told.bare) and any(call.tool == "check_text" for call in told.calls):
        yield 'Say what it is, as in: a "Save" button; or, without "a", that a text is visible.'
    counted = any(call.tool == "check_count" for call in told.calls)
    if counted and _STATUS.search(told.bare):
        yield "Say of the status of a response: The response status is 200."
    if (level := _LEVEL.search(told.bare)) and (counted or not level["tag"]):
        yield f"{level[0]} tells one level of several, which no name does: write css=h1, or leave it out."
    for call in told.calls:
        if call.tool == "check_response" and _ON_SCREEN.search(told.bare) and not re.search(r"\d", told.bare):
            yield "A message on the page is no status: put in quotes what it says."
        yield from _of_names(told, call)


def _of_names(told: Told, call: ToolCall) -> Iterator[str]:
    element, text = str(call.arguments.get("element", "")), str(call.arguments.get("text", ""))
    if call.tool == "check_value" and call.arguments.get("within") and _LOOKS.fullmatch(element):
        yield f'"{element}" tells a look, which no check can tell: say what is visible.'
    places = [name for name in names_of(call) if name != element]
    shown = [text] if told.claim and call.tool == "check_text" else []
    for name in filter(told.is_plain, [*places, *shown]):
        last = name.rsplit(maxsplit=1)[-1]
        kinds = {last.lower(), SYNONYMS.keys.get(last.lower())}
        if last[:1].isupper() and not _KINDS.isdisjoint(kinds) and (name in shown or not name.isupper()):
            yield f'"{name}" may be the whole name or tell a kind: put the name in quotes, the kind in small letters.'
    if told.is_plain(element) and PART_FIRST.fullmatch(element):
        yield f'"{element}" tells what it is in as well: write: the "{element.split(maxsplit=1)[1]}" button in it.'
    if " > " in element and told.is_plain(element):
        yield f'"{element}" is a way through menus: write without a kind behind it: Click {element}.'
    role = str(call.arguments.get("role", ""))
    if told.is_plain(element) and role in ("dialog", "alert") and element.lower().split()[-1] in _MESSAGES:
        yield f'"{element}" tells what kind of {role} is meant: put in quotes what it says.'
    if call.tool == "check_visible" and not element and (listed := _LIST_OF.search(told.bare)):
        yield f'"{listed[1]}" tells what is listed: put in quotes what is visible of it.'
    inner = element.split()[1:-1] if not call.arguments.get("role") and told.is_plain(element) else []
    if not _INNER_KINDS.isdisjoint(word.lower() for word in inner):
        yield f'"{element}" holds a kind of element: put what it is called in quotes.'
