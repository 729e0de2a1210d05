"""Builds views of an expectation's clauses with their checks and what these fail to prove. Pure."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from muster_evidence.proof import find_gap
from muster_protocol.codec import decode
from muster_protocol.facts import Evidence
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef
from muster_text.clauses import literals, split_clauses
from muster_text.values import fill_known
from muster_views.views import ClauseState, ClauseView, EvidenceView

EARLY = "made before the last action, so it does not count"


def view_clauses(expected: str, result: SubTaskResult | None, values: Mapping[str, str]) -> tuple[ClauseView, ...]:
    """Return the clauses of an expectation with their checks; checks of any other text come last."""
    evidence, last_act = (result.step.evidence, result.last_act) if result else ((), -1)
    wanted = split_clauses(expected)
    others = dict.fromkeys(item.clause for item in evidence if item.clause not in wanted)
    found: list[ClauseView] = []
    for text in (*wanted, *others):
        checks = [item for item in evidence if item.clause == text]
        lacks = find_gap(text, checks, last_act, values) if result else ""
        clear = fill_known(text, values)
        found.append(
            ClauseView(
                text=text,
                shown=clear,
                state=_clause_state(checks, last_act, lacks) if result else "open",
                literals=tuple(dict.fromkeys((*literals(text), *literals(clear)))),
                lacks=lacks,
                evidence=tuple(_view_evidence(item, last_act, values) for item in checks),
            )
        )
    return tuple(found)


def read_arguments(given: str, values: Mapping[str, str]) -> dict[str, ArgumentValue]:
    """Return arguments from JSON, with values filled in; text that is no JSON object is the value of the empty key."""
    try:
        found = decode(given, dict[str, ArgumentValue]) if given else {}
    except (msgspec.DecodeError, RecursionError):
        found: dict[str, ArgumentValue] = {"": given}
    return fill_known_arguments(found, values)


def fill_known_arguments(arguments: Mapping[str, ArgumentValue], values: Mapping[str, str]) -> dict[str, ArgumentValue]:
    """Return arguments with known values filled in."""
    return {name: fill_known(value, values) if isinstance(value, str) else value for name, value in arguments.items()}


def artifact_names(refs: Iterable[ArtifactRef]) -> tuple[str, ...]:
    """Return the unique names of artifacts below their run."""
    return tuple(dict.fromkeys(ref.name.partition("/")[2] for ref in refs))


def _clause_state(checks: Sequence[Evidence], last_act: int, lacks: str) -> ClauseState:
    if not lacks:
        return "proven"
    newest = {(item.check, item.arguments): item for item in checks if item.call > last_act}
    return "refuted" if any(not item.passed for item in newest.values()) else "open"


def _view_evidence(item: Evidence, last_act: int, values: Mapping[str, str]) -> EvidenceView:
    return EvidenceView(
        check=item.check,
        arguments=read_arguments(item.arguments, values),
        call=item.call,
        passed=item.passed,
        note=EARLY if item.call <= last_act else "",
        by=item.by,
        expected=item.expected,
        seen=item.seen,
        where=item.where,
        artifacts=artifact_names(item.artifacts),
    )
