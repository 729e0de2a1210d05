"""What to do about a sentence that no phrase reads: the usual mistakes, and what is missing. Pure."""

from muster_grammar.markup_texts import is_unclear
from muster_grammar.tokens import LITERAL, STRAY, Words, first_word
from muster_grammar.vocabulary import VAGUE, split

_CONDITIONS = split("or if unless either otherwise when whenever")
_ENTERING = split("type input insert provide supply fill set put paste select choose log login sign search")
"""Verbs that need a value."""
_DESCRIBED = split(
    "valid invalid correct incorrect right wrong random unique existing registered unregistered new old same another "
    "different some any required mandatory"
)
"""Words that describe a value and do not say which."""
_OPENING = split("open go navigate visit")


def hint(some: Words) -> str:
    """Return what to do about a usual mistake, or nothing."""
    keys = {token.key for token in some}
    if STRAY in keys:
        return "A quote has no partner."
    if some and first_word(some) == "wait":
        return 'Say what to wait for, as in: Wait until the text "Done" is visible.'
    if keys & _CONDITIONS:
        return "A sentence has no alternatives and no conditions: write a case for each."
    if unclear := next((token.text for token in some if token.key == LITERAL and is_unclear(token.text)), ""):
        return f'"{unclear}" may be a name or a selector: write the element named "{unclear}", or css="{unclear}".'
    return _what_is_missing(some) or _what_is_vague(some)


def _what_is_missing(some: Words) -> str:
    """Return what a sentence without any text in quotes leaves open: a value, the name of a page."""
    if not some or any(token.key == LITERAL for token in some):
        return ""
    word = next((token.text for token in some if token.text.lower() in _DESCRIBED), "")
    if word and any(first_word((token,)) in _ENTERING for token in some[:3]):
        return (
            f'"{word}" does not say which value: write it in quotes, or as a variable such as ${{email}}, '
            'as in: Enter "ada@shop.test" in the "E-mail" field.'
        )
    on_page = some[-1].key == "page" and len(some) > 1
    if on_page and some[0].key == "i is on":
        return 'Write what the page is called in quotes, as in: I am on the "Orders" page.'
    if on_page and first_word(some) in _OPENING:
        return 'Say how to get there: an address, as in: Open "/orders"; or a click, as in: Click the "Orders" link.'
    return ""


def _what_is_vague(some: Words) -> str:
    keys = {token.key for token in some}
    if vague := next((token.text for token in some if token.key in VAGUE), ""):
        return f'"{vague}" says nothing that can be checked: say what must be seen, or leave it out.'
    if LITERAL not in keys and any({"no", "not"} & set(key.split()) for key in keys):
        return 'What must not be there is named in quotes, as in: The "Save" button is not visible.'
    if keys & {"never", "without"} or (some and some[0].key == "not"):
        return "This negation is no phrase: say what to do, or what must not be visible."
    return ""
