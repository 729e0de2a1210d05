"""What is said of several things at once, once more: `"A" and "B" are visible and enabled` says both of each. Pure."""

from collections.abc import Sequence
from itertools import groupby, takewhile

import msgspec

from muster_grammar.languages import words_of
from muster_grammar.tokens import LITERAL
from muster_grammar.verbs import SIGHTS
from muster_protocol.tool_calls import ArgumentValue, ToolCall

_SUBJECT = ("element", "role", "within")


def with_each_subject(checks: Sequence[ToolCall]) -> list[ToolCall]:
    """Return checks with those that a clause without a subject makes of each name before its verb, not of the last."""
    clauses = [list(group) for _, group in groupby(checks, key=lambda call: call.clause)]
    told: list[ToolCall] = []
    for at, clause in enumerate(clauses):
        base = next((back for back in range(at, -1, -1) if _names(clauses[back])), -1)
        named = list(takewhile(_is_named, reversed(clauses[: max(base, 0)])))
        told += clause
        if named and _has_verb(clauses[base]):
            said = clause if base < at else clause[len(named[0]) // len(_distinct(named[0])) :]
            own = [call for call in said if _name(call) == _name(clauses[base][0])]
            told += [_said_of(call, other) for others in reversed(named) for other in _distinct(others) for call in own]
    return told


def _is_named(clause: list[ToolCall]) -> bool:
    return _names(clause) and not _has_verb(clause)


def _distinct(clause: list[ToolCall]) -> list[ToolCall]:
    return list({str(_name(call)): call for call in clause}.values())


def _names(clause: list[ToolCall]) -> bool:
    return any(token.key == LITERAL for token in words_of(clause[0].clause or ""))


def _has_verb(clause: list[ToolCall]) -> bool:
    keys = [token.key for token in words_of(clause[0].clause or "")]
    return any(key in SIGHTS or key.startswith("is ") for key in keys)


def _name(call: ToolCall) -> ArgumentValue:
    return call.arguments.get("element") or call.arguments.get("text", "")


def _said_of(call: ToolCall, other: ToolCall) -> ToolCall:
    subject = {key: other.arguments[key] for key in _SUBJECT if key in other.arguments} | {"element": _name(other)}
    rest = {key: value for key, value in call.arguments.items() if key not in _SUBJECT}
    return msgspec.structs.replace(call, arguments={**subject, **rest})
