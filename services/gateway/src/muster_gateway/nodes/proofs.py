"""An expectation's clauses, each beside the checks made for it and what they lack. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from muster_evidence.proof import gap
from muster_gateway.views import ClauseState, ClauseView, EvidenceView
from muster_protocol.facts import Evidence
from muster_protocol.tool_calls import ArtifactRef
from muster_text.clauses import literals, split_clauses


def clauses_of(
    expected: str, evidence: Sequence[Evidence] = (), last_act: int = -1, values: Mapping[str, str] | None = None
) -> tuple[ClauseView, ...]:
    """Return the clauses of an expectation with the checks bound to each; `values` None: there is no result yet.

    Checks of a text that is no clause of it come last.
    """
    wanted = split_clauses(expected)
    others = dict.fromkeys(item.clause for item in evidence if item.clause not in wanted)
    found: list[ClauseView] = []
    for text in (*wanted, *others):
        checks = [item for item in evidence if item.clause == text]
        lacks = gap(text, checks, last_act, values) if values is not None else ""
        found.append(
            ClauseView(
                text=text,
                state=_state(checks, last_act, lacks) if values is not None else "open",
                literals=literals(text),
                lacks=lacks,
                evidence=tuple(_evidence(item, last_act) for item in checks),
            )
        )
    return tuple(found)


def _state(checks: Sequence[Evidence], last_act: int, lacks: str) -> ClauseState:
    if not lacks:
        return "proven"
    newest = {(item.check, item.arguments): item for item in checks if item.call > last_act}
    return "refuted" if any(not item.passed for item in newest.values()) else "open"


def _evidence(item: Evidence, last_act: int) -> EvidenceView:
    return EvidenceView(
        check=item.check,
        arguments=item.arguments,
        call=item.call,
        passed=item.passed,
        early=item.call <= last_act,
        by=item.by,
        expected=item.expected,
        seen=item.seen,
        where=item.where,
        artifacts=artifact_names(item.artifacts),
    )


def artifact_names(refs: Iterable[ArtifactRef]) -> tuple[str, ...]:
    """Return artefacts by the names they have in the addresses of their run, each once."""
    return tuple(dict.fromkeys(ref.name.partition("/")[2] for ref in refs))
