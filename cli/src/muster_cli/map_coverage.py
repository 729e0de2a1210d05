"""Which moves of a map no case makes. Pure."""

from collections.abc import Iterable, Iterator

from muster_exploration.app_map import AppMap, Edge
from muster_exploration.move_phrases import sentences_of
from muster_grammar import PhraseError, parse_action
from muster_protocol.requests import TestCase
from muster_protocol.tool_calls import ToolCall

_OPEN = ("text", "options", "url")
"""Arguments that may differ: what is entered, not where."""


def uncovered_edges(known: AppMap, cases: Iterable[TestCase]) -> list[Edge]:
    """Return the moves that led somewhere and that no case makes, whatever it enters."""
    made = {key for case in cases for step in case.steps for key in _keys(step.action)}
    return [edge for edge in known.edges if edge.outcome == "reached" and not _edge_keys(known, edge) <= made]


def _edge_keys(known: AppMap, edge: Edge) -> set[str]:
    sentences = sentences_of(known.move(edge.source, edge.move), edge.values)
    return {key for sentence in sentences for key in _keys(sentence)}


def _keys(action: str) -> Iterator[str]:
    """Yield what the calls of a sentence do, and to what; nothing for one that needs a model."""
    try:
        calls = parse_action(action)
    except PhraseError:
        return
    yield from map(_key, calls)


def _key(call: ToolCall) -> str:
    told = sorted((name, str(value).lower()) for name, value in call.arguments.items() if name not in _OPEN)
    return f"{call.tool} {told}"
