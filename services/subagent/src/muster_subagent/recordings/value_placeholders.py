"""Puts placeholders in place of values, so that a recording serves other values as well. Pure.

{"name": "Ada Lovelace"}, 'Remove Ada Lovelace'  ->  'Remove ${name}'
"""

import re
from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from muster_protocol.step_recordings import Described, RecordedCall
from muster_protocol.tool_calls import ArgumentValue, Consequence
from muster_text.text_match import squash
from muster_text.values import PLACEHOLDER, SECRET, fill, fill_known, placeholder_names
from muster_text.wording import stands_alone

_SHORT = 3
"""Characters from which a value inside a longer text is no accident."""
_NUMBER = re.compile(r"[\d.,:%$€£ -]+")
_GIVEN = re.compile(f"({PLACEHOLDER.pattern}|{SECRET.pattern})")

V = TypeVar("V", bound=ArgumentValue)


class Ineligible(Exception):
    """It cannot be recorded; says why."""


def values_used(words: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values that the words of a step name, one name for each value; empty ones are left out."""
    found: dict[str, str] = {}
    for name in sorted(set(placeholder_names(words)) & values.keys()):
        if values[name] and values[name] not in found.values():
            found[name] = values[name]
    return found


def app_of(address: str, values: Mapping[str, str]) -> str:
    """Return the app that an address belongs to: the variable that it begins with, or its origin."""
    known = [(value.rstrip("/"), name) for name, value in values.items() if "://" in value]
    begins = [(value, name) for value, name in known if address == value or address.startswith(f"{value}/")]
    if begins:
        longest = max(len(value) for value, _ in begins)
        return f"${{{min(name for value, name in begins if len(value) == longest)}}}"
    scheme, found, rest = address.partition("://")
    return f"{scheme}://{re.split('[/?#]', rest, maxsplit=1)[0]}" if found else ""


def with_placeholders(text: str, values: Mapping[str, str], own: str = "") -> str:
    """Return a text with placeholders for the values that stand in it; `own`: what the step itself says, where it may
    say a value as well. A longer text that stands there stays.

    Raises:
        Ineligible: a short value or number stands in a longer text, perhaps by accident; or the step says the value
            itself, too, as `Type "${user}" and send` with the user "Send": the button "Send" is not the user's.
    """
    said, bare = (squash(_GIVEN.sub(" ", one)).casefold() for one in (own, text))
    both = {name: value for name, value in values.items() if _both_have(value, said, bare)}
    if both and bare in said and bare not in (squash(value).casefold() for value in both.values()):
        return text
    if both:
        name, value = next(iter(both.items()))
        raise Ineligible(f"the step says {value!r} itself, which is the value of ${{{name}}}, too")
    whole = next((name for name, value in values.items() if squash(value) == squash(text)), None)
    if whole is not None:
        return f"${{{whole}}}"
    pieces = _GIVEN.split(text)
    plain = pieces[:: _GIVEN.groups + 1]
    given = pieces[1 :: _GIVEN.groups + 1]
    made = [_piece(piece, values) for piece in plain]
    return "".join(part for pair in zip(made, [*given, ""], strict=True) for part in pair)


def _both_have(value: str, one: str, other: str) -> bool:
    wanted = squash(value).casefold()
    return stands_alone(one, wanted) and stands_alone(other, wanted)


def _piece(text: str, values: Mapping[str, str]) -> str:
    for name, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if not stands_alone(text, value):
            continue
        if len(value) < _SHORT or _NUMBER.fullmatch(value):
            raise Ineligible(f"the value of ${{{name}}} stands in {text!r}, perhaps by accident")
        text = re.sub(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", f"${{{name}}}", text)
    return text


def arguments_with(
    arguments: Mapping[str, ArgumentValue], values: Mapping[str, str], own: str
) -> dict[str, ArgumentValue]:
    """Return arguments with placeholders; raises as `with_placeholders`."""

    def put(value: ArgumentValue) -> ArgumentValue:
        match value:
            case str():
                return with_placeholders(value, values, own)
            case list():
                return [with_placeholders(item, values, own) for item in value]
            case _:
                return value

    return {name: put(value) for name, value in arguments.items()}


def target_with(target: Described, values: Mapping[str, str], own: str) -> Described:
    """Return a described target with placeholders; raises as `with_placeholders`."""
    return replace(
        target,
        name=with_placeholders(target.name, values, own),
        aliases=tuple(with_placeholders(one, values, own) for one in target.aliases),
        place=with_placeholders(target.place, values, own),
        beside=tuple(_loosely(one, values) for one in target.beside),
    )


def consequence_with(after: Consequence, values: Mapping[str, str]) -> Consequence:
    """Return what an act did with placeholders; a value that may stand there by accident stays."""
    texts, opening = (tuple(_loosely(text, values) for text in told) for told in (after.texts, after.opening))
    return replace(after, path=_loosely(after.path, values), texts=texts, opening=opening)


def _loosely(text: str, values: Mapping[str, str]) -> str:
    try:
        return with_placeholders(text, values)
    except Ineligible:
        return text


def filled_target(target: Described, values: Mapping[str, str]) -> Described:
    """Return a target with the values of this run.

    Raises:
        UnknownValue: one is not known.
    """
    return replace(
        target,
        name=fill(target.name, values),
        aliases=tuple(fill(one, values) for one in target.aliases),
        place=fill(target.place, values),
        beside=tuple(fill_known(one, values) for one in target.beside),
    )


def filled_path(call: RecordedCall, values: Mapping[str, str]) -> str:
    """Return the path that a call led to, with the values of this run."""
    return fill_known(call.after.path, values)
