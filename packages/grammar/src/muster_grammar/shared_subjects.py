"""What is said of several things at once, once more: `"A" and "B" are visible and enabled` says both of each. Pure."""

from collections.abc import Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

import msgspec

from muster_grammar.languages import words_of
from muster_grammar.tokens import LITERAL
from muster_grammar.verbs import SIGHTS
from muster_protocol.tool_calls import ArgumentValue, ToolCall

_SUBJECT = ("element", "role", "within")


class _Clause(NamedTuple):
    """The checks of one clause, and what its words say."""

    calls: list[ToolCall]
    is_named: bool
    has_verb: bool


def with_each_subject(checks: Sequence[ToolCall]) -> list[ToolCall]:
    """Return the checks, with added ones, so that a claim about several names is asked of each, not only the last."""
    grouped = [list(group) for _, group in groupby(checks, key=lambda call: call.clause)]
    if len(grouped) == 1:
        return grouped[0]
    clauses = list(map(_clause_of, grouped))
    told: list[ToolCall] = []
    for at, clause in enumerate(clauses):
        base = next((back for back in range(at, -1, -1) if clauses[back].is_named), -1)
        named = list(takewhile(lambda one: one.is_named and not one.has_verb, reversed(clauses[: max(base, 0)])))
        told += clause.calls
        if named and clauses[base].has_verb:
            said = clause.calls[0 if base < at else len(named[0].calls) // len(_distinct(named[0])) :]
            own = [call for call in said if _name(call) == _name(clauses[base].calls[0])]
            told += [_said_of(call, other) for others in reversed(named) for other in _distinct(others) for call in own]
    return told


def _clause_of(calls: list[ToolCall]) -> _Clause:
    keys = [token.key for token in words_of(calls[0].clause or "")]
    return _Clause(calls, LITERAL in keys, any(key in SIGHTS or key.startswith("is ") for key in keys))


def _distinct(clause: _Clause) -> list[ToolCall]:
    return list({str(_name(call)): call for call in clause.calls}.values())


def _name(call: ToolCall) -> ArgumentValue:
    return call.arguments.get("element") or call.arguments.get("text", "")


def _said_of(call: ToolCall, other: ToolCall) -> ToolCall:
    subject = {key: other.arguments[key] for key in _SUBJECT if key in other.arguments} | {"element": _name(other)}
    rest = {key: value for key, value in call.arguments.items() if key not in _SUBJECT}
    return msgspec.structs.replace(call, arguments={**subject, **rest})
