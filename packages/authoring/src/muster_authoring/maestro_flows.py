"""Maestro flows as test cases; what no sentence expresses is left out and listed with its line. Pure."""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

import yaml

from muster_authoring.imported_case import ImportedCase, Left
from muster_grammar.errors import PhraseError
from muster_grammar.parser import parse_action, parse_expectation
from muster_protocol.errors import InvalidRequest
from muster_yaml.bounded_yaml import compose_all, describe_fault, refuse_doubled_keys

_PLAIN = re.compile(r"[^*+?^$\[\](){}|\\]*[^.*+?^$\[\](){}|\\]\.?|")
"""A text that means itself: Maestro reads texts as patterns. A dot at its end matches itself, too."""
_HARMLESS = ("hideKeyboard", "waitForAnimationToEnd")
"""What Muster does by itself: it puts keyboards away, and waits until screens have settled."""
_APPS = ("launchApp", "stopApp", "killApp", "clearState")
"""Commands that may name an app."""
_LAST = "onFlowComplete"


class Unsayable(Exception):
    """No sentence says a command; its text says why."""


def read_flow(text: str, name: str) -> ImportedCase:
    """Return a flow as a case; `name` is used if the flow has none.

    Raises:
        InvalidRequest: it is no flow.
    """
    try:
        documents = list(cast("Iterable[Any]", compose_all(text)))
        for node in documents:
            refuse_doubled_keys(node)
        head: object = yaml.safe_load(yaml.serialize(documents[0])) if len(documents) == 2 else {}
    except yaml.YAMLError as error:
        raise InvalidRequest([f"this is no Maestro flow: {describe_fault(error)}"]) from error
    commands: Any = documents[-1] if documents else None
    if not isinstance(commands, yaml.SequenceNode) or not commands.value or not isinstance(head, dict):
        raise InvalidRequest(["this is no Maestro flow: it has no list of commands"])
    config = cast("dict[str, Any]", head)
    tags = config.get("tags") or ()
    case = ImportedCase(str(config.get("name") or name), tags=[str(tag) for tag in tags])
    _leave_head(case, sorted(set(config) - {"name", "appId", "tags", _LAST}))
    for node in commands.value:
        command: object = yaml.safe_load(yaml.serialize(node))
        _add(case, command, node.start_mark.line + 1, str(config.get("appId") or ""))
    _leave_head(case, sorted(set(config) & {_LAST}))
    return case


def _leave_head(case: ImportedCase, keys: list[str]) -> None:
    for key in keys:
        case.leave(Left(1, key, "what flows begin and end with, and their values, are not taken over"))


def _add(case: ImportedCase, command: object, line: int, app: str) -> None:
    word, given = _parts(command)
    if word in _APPS:
        given = _without_app(given, app)
    if word in _HARMLESS:
        return
    try:
        if word in _EXPECTATIONS:
            case.expect(_read(_EXPECTATIONS[word](given), parse_expectation))
        else:
            case.act(_read(_ACTIONS.get(word, _unknown)(given), parse_action))
    except Unsayable as why:
        case.leave(Left(line, word, str(why)))


def _parts(command: object) -> tuple[str, object]:
    if isinstance(command, str):
        return command, None
    fields = cast("dict[str, Any]", command) if isinstance(command, dict) else {}
    return next(iter(fields.items())) if len(fields) == 1 else (str(cast("Any", command))[:80], None)


def _read(sentence: str, parse: Callable[[str], object]) -> str:
    try:
        parse(sentence)
    except PhraseError as error:
        raise Unsayable(f"no sentence expresses it: {error}"[:200]) from error
    return sentence


def _text_of(given: object, *more: str) -> str:
    """Return the text that a command is about, in quotes.

    Raises:
        Unsayable: it is about something else, says more, or its text is a pattern or a script.
    """
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {"text": given}
    if others := sorted(set(fields) - {"text", "label", *more}):
        raise Unsayable(f"{', '.join(others)} cannot be expressed")
    text = fields.get("text")
    if not isinstance(text, str | int) or not str(text).strip():
        raise Unsayable("it names no text")
    if not _PLAIN.fullmatch(str(text)) or '"' in str(text) or "\n" in str(text):
        raise Unsayable("its text is a pattern or a script")
    return f'"{text}"'


def _unknown(_given: object) -> str:
    raise Unsayable("no sentence expresses it")


def _without_app(given: object, app: str) -> object:
    """Return a command's fields without the app of the flow; the name of another app stays."""
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {"appId": given} if given else {}
    return {key: value for key, value in fields.items() if key != "appId" or value != app}


def _plain(sentence: str) -> Callable[[object], str]:
    """Return a maker of this sentence, for a command that takes no fields."""

    def make(given: object) -> str:
        if given:
            fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {str(given): ""}
            raise Unsayable(f"{', '.join(fields)} cannot be expressed")
        return sentence

    return make


def _launch(given: object) -> str:
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if others := sorted(set(fields) - {"clearState", "stopApp"}):
        raise Unsayable(f"{', '.join(others)} cannot be expressed")
    if fields.get("clearState"):
        return "Reset the app"
    return "Open the app" if fields.get("stopApp") is False else "Restart the app"


def _typed(given: object) -> str:
    if not isinstance(given, str | int) or "${" in str(given) or '"' in str(given):
        raise Unsayable("what is typed is a script, or has quotes in it")
    return f'Type "{given}"'


def _key(given: object) -> str:
    return "Go back" if str(given).lower() == "back" else f"Press {str(given).title()}"


def _swiped(given: object) -> str:
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if set(fields) != {"direction"}:
        raise Unsayable("only a direction can be expressed")
    return f"Swipe {str(fields['direction']).lower()}"


def _scrolled(given: object) -> str:
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if others := sorted(set(fields) - {"element", "direction", "timeout", "speed"}):
        raise Unsayable(f"{', '.join(others)} cannot be expressed")
    return f"Scroll to {_text_of(fields.get('element'))}"


def _awaited(given: object) -> str:
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if set(fields) - {"timeout"} != {"visible"}:
        raise Unsayable("only a wait for something visible can be expressed")
    told = fields.get("timeout", 0)
    if not str(told).isdecimal():
        raise Unsayable("its timeout is a script")
    limit = f"up to {math.ceil(int(told) / 1000)} seconds " if int(told) else ""
    return f"Wait {limit}until {_text_of(fields['visible'])} is visible"


def _opened(given: object) -> str:
    if not isinstance(given, str) or "${" in given:
        raise Unsayable("it names no plain address")
    return f'Open "{given}"'


_ACTIONS: dict[str, Callable[[object], str]] = {
    "launchApp": _launch,
    "stopApp": _plain("Close the app"),
    "killApp": _plain("Close the app"),
    "clearState": _plain("Reset the app"),
    "tapOn": lambda given: f"Tap {_text_of(given)}",
    "doubleTapOn": lambda given: f"Double-tap {_text_of(given)}",
    "longPressOn": lambda given: f"Long-press {_text_of(given)}",
    "inputText": _typed,
    "pressKey": _key,
    "takeScreenshot": lambda _: "Take a screenshot",
    "back": _plain("Go back"),
    "scroll": _plain("Scroll down"),
    "scrollUntilVisible": _scrolled,
    "swipe": _swiped,
    "openLink": _opened,
    "extendedWaitUntil": _awaited,
}
_EXPECTATIONS: dict[str, Callable[[object], str]] = {
    "assertVisible": lambda given: f"The text {_text_of(given)} is visible",
    "assertNotVisible": lambda given: f"The text {_text_of(given)} is not visible",
}
