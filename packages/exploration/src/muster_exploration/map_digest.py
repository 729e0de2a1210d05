"""The digest of a map: two explorations with the same digest found the same. Pure."""

import hashlib
from collections.abc import Iterator

from muster_exploration.abstraction import abstract_address, abstract_text
from muster_exploration.app_map import AppMap, finding_keys
from muster_protocol.explorations import EarlierMove, Move


def digest_of(known: AppMap) -> str:
    """Return the digest of the states, moves, edges and findings of a map, in whichever order they were found.

    Whose run it was, pictures, and what changes from one visit to the next (numbers, dates, ids) do not count.
    """
    return hashlib.sha256("\n".join(sorted(set(_lines(known)))).encode()).hexdigest()[:16]


def _lines(known: AppMap) -> Iterator[str]:
    names = [_move(move) for move in known.moves]
    for state in known.states:
        told = (state.id, abstract_text(state.title), "goal" if state.goal else "", "outside" if state.outside else "")
        yield "\t".join(("state", *told, *sorted(names[move] for move in state.moves)))
    for edge in known.edges:
        source, target = known.states[edge.source], known.states[edge.target].id if edge.target >= 0 else ""
        yield "\t".join(("edge", source.id, names[source.moves[edge.move]], edge.outcome, target, *edge.values))
    for finding in known.findings:
        yield from ("\t".join(("finding", *key)) for key in finding_keys(finding))


def _move(move: Move) -> str:
    return " ".join(map(_step, (*move.first, move.earlier)))


def _step(step: EarlierMove) -> str:
    blanks = ",".join(f"{blank.role} {abstract_text(blank.name)}" for blank in step.blanks)
    where = abstract_address(step.address) if step.address else ""
    return "|".join((step.do, step.role, abstract_text(step.name), str(step.ordinal), where, step.option, blanks))
