"""Words of claims that are no part of what is compared: the slashes of a pattern, the tooltip of an element. Pure."""

import re
from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from muster_grammar.container_names import is_bare_part
from muster_grammar.element_kinds import PLACES, PLURALS, ROLES
from muster_grammar.engine import Reading
from muster_grammar.pattern_parameters import STATE_WORDS
from muster_grammar.tokens import LITERAL, Words, source, words
from muster_grammar.vocabulary import split
from muster_protocol.tool_calls import ToolCall

_BESIDE = split("tooltip hint label caption error warning notification message messages notice toast snackbar")
"""Nouns of texts that stand beside an element: what the label of a field says is not what the field holds."""
_NOUNS = frozenset((*ROLES, *PLURALS))
_SIGHTS = frozenset(("is visible", "is not visible", "page show", "page not show"))
_EXISTS = split("exist exists existing there present found missing absent gone removed")
"""Words that say of a file that it is there, or not, rather than that a page lists it."""
_SEEN = frozenset(("see", "sees", "there is", "should see"))
_MATCHING = frozenset(("match", "not match"))
_QUOTED_STATES = STATE_WORDS | split("visible hidden invisible displayed shown present absent")
_WITHOUT_VALUE = frozenset(("button", "link", "tab", "menuitem", "checkbox", "radio", "switch", "option", "icon"))
"""Roles of what holds no text beside its name."""
_STATE_TOOLS = frozenset(("check_state", "check_visible", "check_count", "check_text"))
_SLASHED = re.compile(r"/.+/")


def unslashed(some: Words) -> Words:
    """Return `matches "a+b"` for `matches /a+b/`: the slashes are the marks of a pattern, and no part of it."""
    after = {at + 1 for at, token in enumerate(some) if token.key in _MATCHING}
    return tuple(
        token._replace(text=token.text[1:-1]) if at in after and _SLASHED.fullmatch(token.raw) else token
        for at, token in enumerate(some)
    )


def of_tooltips(some: Words, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return readings where a text that is called a tooltip is one: its words may stand anywhere else on the page."""
    if not any(token.key == "text" and token.text.lower().startswith("tooltip") for token in some):
        return readings
    return tuple(one._replace(calls=tuple(map(_tooltip, one.calls))) for one in readings)


def _tooltip(check: ToolCall) -> ToolCall:
    if check.tool != "check_text":
        return check
    given = {key: value for key, value in check.arguments.items() if key in {"within", "absent"}}
    return replace(
        check, tool="check_visible", arguments={"element": check.arguments["text"], "role": "tooltip", **given}
    )


def of_files(some: Words, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Leave out readings that look for a file in a directory where a sentence says that people see it, or do not."""
    if _is_of_page(some):
        return tuple(one for one in readings if all(check.tool != "check_file" for check in one.calls))
    seen = any(token.key in _SIGHTS and _EXISTS.isdisjoint(token.text.lower().split()) for token in some)
    return tuple(one for one in readings if not seen or all(not _is_of_file(check) for check in one.calls))


def _is_of_page(some: Words) -> bool:
    """Return whether a file or a folder may be one that a page lists: "The file is called …"."""
    keys = [token.key for token in some]
    renamed = keys[:2] == ["file", "is"] and keys[2:3] in (["named"], ["called"])
    if renamed:
        return "downloaded" not in some[0].text.lower()
    plain = any(token.key == LITERAL and re.fullmatch(r"[\w ]+", token.text) for token in some)
    return plain and keys[0] == "folder" and keys[1:2] in (["named"], ["called"])


def of_titles(some: Words, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Leave out readings that take a title that is seen for that of the page: a heading is called so, too."""
    seen = any(one.text.lower() in _SEEN and two.text.lower() == "title" for one, two in pairwise(some))
    return tuple(one for one in readings if not seen or all(check.tool != "check_title" for check in one.calls))


def of_plain_parts(some: Words, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Leave out readings that something is absent from a part that only a noun calls so: `not in the cart`.

    A page may have no part that is called a cart, and nothing is in what is not there.
    """
    ends = [at for at in range(1, len(some) + 1) if at == len(some) or some[at].key in _SIGHTS]
    plain = any(
        is_bare_part(some[start + 1 : end]) for end in ends for start in range(end) if some[start].key in PLACES
    )
    return tuple(one for one in readings if not plain or not any(map(_is_denial, one.calls)))


def _is_denial(check: ToolCall) -> bool:
    given = check.arguments
    few = check.tool == "check_count" and (given.get("comparison") == "at_most" or given.get("count") == 0)
    return bool(given.get("absent") or given.get("negate")) or few


def _is_of_file(check: ToolCall) -> bool:
    return check.tool == "check_file" and "text" not in check.arguments


def of_values(some: Words, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Leave out readings that take the tooltip, the label or the error of an element for its value."""
    ends = (*(token.key for token in some), "")
    beside = any(
        token.key == "text" and _BESIDE & set(token.text.lower().split()) and ends[at + 1] not in _NOUNS
        for at, token in enumerate(some)
    )
    return tuple(one for one in readings if not beside or all(call.tool != "check_value" for call in one.calls))


def with_plain_state(some: Words) -> Words:
    """Return `the "OK" button is disabled` for words that end in `is "disabled"`; nothing for any others."""
    last = some[-1] if len(some) > 2 else None
    if not last or last.key != LITERAL or last.text.lower() not in _QUOTED_STATES:
        return ()
    return words(f"{source(some[:-1])} {last.text.lower()}")


def is_quoted_state(text: str, checks: Iterable[ToolCall]) -> bool:
    """Return whether a literal is a state that these checks of its clause are about."""
    return text in _QUOTED_STATES and any(check.tool in _STATE_TOOLS for check in checks)


def of_states(some: Words, readings: tuple[Reading, ...], stated: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return what is meant by a state in quotes: the state of a button; of a field, its state or its value.

    Args:
        some: The claim, which ends in the state.
        readings: What it means if that is a text.
        stated: What it means without the quotes.
    """
    states = tuple(one for one in stated if all(call.tool in _STATE_TOOLS for call in one.calls))
    roles = {str(call.arguments.get("role", "")) for one in states for call in one.calls}
    small = some[-1].text.islower()
    if roles and roles <= _WITHOUT_VALUE:
        return states if small else (*readings, *states)
    return (*readings, *states) if small else readings
