"""Moves as sentences that need no model, the same in an exploration and in its cases. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_protocol.explorations import Blank, Move
from muster_protocol.narrowing import ordinal_words

LONGEST_NAME = 300
_NOUNS = {
    "button": "button",
    "link": "link",
    "tab": "tab",
    "menuitem": "menu item",
    "checkbox": "checkbox",
    "radio": "radio button",
    "switch": "switch",
}


def sayable(name: str) -> bool:
    """Return whether a control of this name can be meant in a sentence."""
    return bool(name.strip()) and len(name) <= LONGEST_NAME and "${" not in name and "\n" not in name


def sentences_of(move: Move, values: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the sentences of a move, in order; `values` are what goes into its blanks, or into its only field."""
    if move.first:
        done, rest = list[str](), tuple(values)
        for one in (*(earlier.move for earlier in move.first), replace(move, first=())):
            own, rest = rest[: len(one.blanks_filled)], rest[len(one.blanks_filled) :]
            done += sentences_of(one, own)
        return tuple(done)
    match move.do:
        case "tap":
            return (f"Click {_control(move)}",)
        case "fill":
            filled = (_fill_sentence(blank, value) for blank, value in zip(move.blanks, values, strict=True))
            return (*filled, f"Click {_control(move)}")
        case "enter":
            blank = Blank(role=move.role, name=move.name, ordinal=move.ordinal)
            return (_fill_sentence(blank, values[0] if values else ""), "Press Enter")
        case "choose":
            return (f"Select {quoted(move.option)} from {_the(move.ordinal, move.name)} list",)
        case "toggle":
            return (_toggle_sentence(move),)
        case "press":
            return (f"Press {move.name}",)


def _toggle_sentence(move: Move) -> str:
    match move.role:
        case "switch":
            return f"Turn {move.option or 'on'} {_control(move)}"
        case "radio":
            return f"Select {_control(move)}"
        case _:
            return f"{'Uncheck' if move.option == 'off' else 'Check'} {_control(move)}"


def _fill_sentence(blank: Blank, value: str) -> str:
    """Return the sentence that puts a value into a field."""
    where = _the(blank.ordinal, blank.name)
    if blank.options:
        return f"Select {quoted(value)} from {where} list"
    return f"Type {quoted(value)} into {where} field"


def quoted(text: str) -> str:
    """Return a text in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _control(move: Move) -> str:
    noun = _NOUNS.get(move.role, "")
    return f"{_the(move.ordinal, move.name)} {noun}" if noun else quoted(move.name)


def _the(ordinal: int, name: str) -> str:
    number = f"{ordinal_words(ordinal)} " if ordinal else ""
    return f"the {number}{quoted(name)}"
