"""What to do about a sentence that no phrase reads: the usual mistakes, and what is missing. Pure."""

from typing import Literal

from muster_grammar import german
from muster_grammar.compounds import ACTORS
from muster_grammar.element_kinds import FIELD_LABELS, LABEL_ADJECTIVES
from muster_grammar.markup_texts import is_unclear
from muster_grammar.numerals import NUMBERS, ORDINALS
from muster_grammar.tokens import LITERAL, STRAY, Words, first_word, name
from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.vocabulary import VAGUE, split

Role = Literal["action", "expectation"]

_CONDITIONS = split("or if unless either otherwise when whenever")
_ENTERING = split("type input insert provide supply fill set put paste append write log login sign search")
_CHOOSING = split("select choose check uncheck")
_POINTING = split("click press double-click right-click long-press hover toggle expand drag focus find scroll")
_CLOSING = split("close dismiss")
_OPENING = split("open go navigate visit")
DESCRIBED = split(
    "valid invalid correct incorrect right wrong random unique existing registered unregistered new old same another "
    "different some any required mandatory"
)
"""Words that describe a value and do not say which."""
NAMELESS = "Nothing stands between these quotes: say what it is called."
_WAY = 'Say how to get there: an address, as in: Open "/orders"; or a click, as in: Click the "Orders" link.'
_GERMAN = frozenset(row.split(" ", 1)[0] for row in ", ".join(german.VERBS.values()).split(", ")) | frozenset(
    opening for opening, _ in german.SEPARABLE
)
_MANY = split("all each every both multiple several")
_DIRECTIONS = split("ascending descending asc desc ascendingly descendingly order")
_OPENED = split("open opens opened appears appear launched launches")
_SUBJECTS = ACTORS | {"it"}
_VERBS = frozenset(first for key in ACTIONS for first in (key, key.partition(" ")[0]))


def hint(some: Words, role: Role) -> str:
    """Return what to do about a usual mistake, or what the sentence leaves open; nothing if neither is known."""
    keys = {token.key for token in some}
    if STRAY in keys:
        return "A quote has no partner."
    if some and first_word(some) == "wait":
        return 'Say what to wait for, as in: Wait until the text "Done" is visible.'
    if some and (telling := _one_of_many(some) or _order_or_tab(some, role)):
        return telling
    if keys & _CONDITIONS:
        return "A sentence has no alternatives and no conditions: write a case for each."
    if unclear := next((token.text for token in some if token.key == LITERAL and is_unclear(token.text)), ""):
        return f'"{unclear}" may be a name or a selector: write the element named "{unclear}", or css="{unclear}".'
    if any(token.key == LITERAL and not token.text.strip() for token in some):
        return NAMELESS
    if (told := _page(some) or _described_value(some) or _vague(some)) or not some:
        return told
    return _missing_act(some) if role == "action" else _missing_claim(some)


def _one_of_many(some: Words) -> str:
    """Return how several things are chosen: no tool acts on all of a kind."""
    if len(some) < 3 or first_word(some) not in _CHOOSING | _POINTING:
        return ""
    counted = some[1].key in ("first", "last") and (some[2].key in NUMBERS or some[2].key.isdecimal())
    if some[1].key not in _MANY and not counted:
        return ""
    return 'Name each of them, or what selects them all, as in: Check the "Select all" box.'


def _order_or_tab(some: Words, role: Role) -> str:
    said = {token.text.lower() for token in some}
    if role == "action" and first_word(some) in ("sort", "order", "filter", "group"):
        return 'Say what is clicked or typed for it, as in: Click the "Name" column header.'
    if said & {"sorted", "ordered"} and not said & _DIRECTIONS:
        return 'Say in which direction, as in: The "Orders" table is sorted by "Name" ascending.'
    if some[-1].key in ("tab", "window") and said & {"new", "other", "latest", "newest", "opened"}:
        return 'Say which tab, as in: Switch to tab 2; or: Switch to the browser tab "Invoice".'
    if role == "expectation" and (telling := _each_or_new(some, said)):
        return telling
    if some[0].key == "nothing":
        return 'Say what is as it was, as in: The "Confirm" dialog is not visible; or: The URL ends with "/orders".'
    return ""


def _each_or_new(some: Words, said: set[str]) -> str:
    """Return how to tell what no check does: what each thing holds, that none is selected, that a tab opens."""
    if some[0].text.lower() in ("each", "every", "all") and LITERAL in {token.key for token in some}:
        return 'A check of each tells its text or its state: name one of them, as in: The first row has an "Edit" link.'
    if said & {"none", "no"} and said & {"selected", "chosen"}:
        return 'Say it of one by its name, as in: The "Express" option is not selected; or: No checkbox is checked.'
    if said & {"new", "another", "second"} and said & {"tab", "window"} and said & _OPENED:
        return "Write a step that goes there and expect what it shows: Switch to the new tab."
    return ""


def _page(some: Words) -> str:
    if some[-1:] and some[-1].key == "page" and len(some) > 1 and LITERAL not in {token.key for token in some}:
        if some[0].key == "i is on":
            return 'Write what the page is called in quotes, as in: I am on the "Orders" page.'
        if first_word(some) in _OPENING:
            return _WAY
    return ""


def _described_value(some: Words) -> str:
    word = next((token.text for token in some if token.text.lower() in DESCRIBED), "")
    entering = any(first_word((token,)) in _ENTERING | _CHOOSING for token in some[:3])
    if not word or not entering or any(token.key == LITERAL for token in some):
        return ""
    return (
        f'"{word}" does not say which value: write it in quotes, or as a variable such as ${{email}}, {_typing(some)}'
    )


def _typing(some: Words) -> str:
    """Return how the value of the field that a sentence speaks of is typed."""
    at = next((at for at in range(len(some) - 1, -1, -1) if some[at].text.lower() in FIELD_LABELS), -1)
    start = at - 1 if at > 0 and some[at - 1].text.lower() in LABEL_ADJECTIVES else at
    label = name(some[start : at + 1]) if at >= 0 else "Name"
    return f'as in: Type "…" into the "{label}" field.'


def _vague(some: Words) -> str:
    keys = {token.key for token in some}
    if vague := next((token.text for token in some if token.key in VAGUE), ""):
        return f'"{vague}" says nothing that can be checked: say what must be seen, or leave it out.'
    if LITERAL not in keys and any({"no", "not"} & set(key.split()) for key in keys):
        return 'What must not be there is named in quotes, as in: The "Save" button is not visible.'
    if keys & {"never", "without"} or (some[:1] and some[0].key == "not"):
        return "This negation is no phrase: say what to do, or what must not be visible."
    return ""


def _missing_act(some: Words) -> str:
    """Return what an action lacks: a verb that is known, a value, the name of what is clicked."""
    start = next((at for at, token in enumerate(some) if token.key not in _SUBJECTS), 0)
    verb = first_word(some[start:])
    if verb in _CLOSING:
        return 'Say what is clicked or pressed for it, as in: Click "Close" in the dialog; or: Press Escape.'
    if some[start].key == "i is on" or (verb in _VERBS and any(token.key == LITERAL for token in some)):
        return ""
    if verb in _ENTERING:
        return f"Say what is typed, in quotes or as a variable such as ${{email}}, and where, {_typing(some)}"
    if verb in _CHOOSING:
        return 'Name in quotes what is chosen, and in which list, as in: Select "Norway" in the "Country" list.'
    if verb in _POINTING and any(token.text.lower() in ORDINALS for token in some):
        return "Say which kind of element it is, as in: Click the first link in the list; or name it in quotes."
    if verb in _POINTING:
        return 'Name in quotes what is meant, as in: Click the "Save" button.'
    if verb in _VERBS:
        return _WAY if verb in _OPENING else ""
    if any(token.key in SIGHTS for token in some[start:]):
        return 'This says what must be so, and is no act: write it as an expectation, or after "Verify that".'
    word = some[start].text
    if word.lower() in _GERMAN:
        return (
            "A word of this sentence is not known in German: put all names and values in quotes, or say it otherwise."
        )
    return (
        f'"{word}" is no act on a page: say what is clicked, typed or selected, as in: Click the "{word.capitalize()}" '
        "button; or teach this sentence in a file of phrases (`phrases/*.yaml`)."
    )


def _missing_claim(some: Words) -> str:
    if any(token.key == LITERAL for token in some):
        return ""
    if any(token.key.isdecimal() or token.key in NUMBERS for token in some):
        return 'Say what is counted, a kind or a name in quotes, as in: There are 3 rows in the "Orders" table.'
    return (
        'Say in quotes what is seen, as in: The text "Saved" is visible; or what is in which state, as in: '
        'The "Save" button is disabled.'
    )
