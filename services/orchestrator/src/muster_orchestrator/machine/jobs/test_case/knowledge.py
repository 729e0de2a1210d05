"""The values and facts that steps get from earlier ones: they flow only along `needs`. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.state import Fact, TestCaseState
from muster_orchestrator.machine.jobs.test_case.whereabouts import Whereabouts, after, describe, shown_by
from muster_protocol.requests import Checker, TestCase
from muster_protocol.tasks import SubTaskResult

SHOWN = 60
"""Characters of what a proven step showed; each costs tokens in every later question."""


def case_of(run: Run) -> TestCase:
    """Return the run's test case."""
    assert isinstance(run.opened.job, TestCase)
    return run.opened.job


def told_case(run: Run) -> TestCase:
    """Return the run's test case as models see it: without the text of its app, for which they have no use."""
    case = case_of(run)
    return replace(case, device=replace(case.device, definition="")) if case.device else case


def state_of(run: Run) -> TestCaseState:
    """Return the test case's state."""
    assert isinstance(run.job, TestCaseState)
    return run.job


def is_checked_by(run: Run, checker: Checker) -> bool:
    """Return whether an agent examines the run: the case or the fleet asks for it."""
    return checker in case_of(run).checked_by or checker in run.policy.checkers


def values_for(run: Run, node: Node) -> dict[str, str]:
    """Return the variables of the case, and what the steps that a node needs have captured."""
    state, found = state_of(run), dict(case_of(run).variables)
    before = ancestors(run, node) if state.captured else frozenset[str]()
    for id, captured in state.captured.items():
        if before is None or id in before or id == node.plan.id:
            found |= captured
    return found


def all_values(run: Run) -> dict[str, str]:
    """Return all variables and captured values, to show to people."""
    found = dict(case_of(run).variables)
    for captured in state_of(run).captured.values():
        found |= captured
    return found


def describe_progress(run: Run, node: Node) -> str:
    """Return a short history of the steps that a node depends on, and where its session stands."""
    facts, own = state_of(run).facts, run.graph.get(node.about or node.backtrack_to) or node
    before = ancestors(run, node) if facts else frozenset[str]()
    told = [fact.text for fact in facts if before is None or not fact.node or fact.node in before]
    stands = describe(state_of(run).whereabouts.get(own.plan.session, Whereabouts()))
    return "\n".join((*told, stands) if stands else told)


def ancestors(run: Run, node: Node) -> frozenset[str] | None:
    """Return the nodes that a node needs, directly or not; None: all that are done.

    A node added for another one needs that one and all that it needs.
    """
    own = run.graph.get(node.about or node.backtrack_to) or node
    if len(state_of(run).sessions) < 2:  # steps of one session run one after another
        return None
    found: set[str] = set()
    waiting = [own.plan.id, *own.plan.needs] if own is not node else list(own.plan.needs)
    while waiting:
        id = waiting.pop()
        known = run.graph.get(id)
        if id not in found and known is not None:
            found.add(id)
            waiting += known.plan.needs
    return frozenset(found)


def record_step(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Return the run with what a passed step captured and did."""
    state, captured = state_of(run), result.step.captured
    fact = Fact(node.plan.id, _describe_fact(node, result))
    room = run.policy.state_characters * (4 if state.thinks else 1)  # a model will summarise them
    facts = newest_facts((*state.facts, fact), room)
    kept = {**state.captured, node.plan.id: captured} if captured else state.captured
    known = state.whereabouts.get(node.plan.session, Whereabouts())
    stands = after(known, node.plan, result, recovery=bool(node.about or node.backtrack_to))
    whereabouts = {**state.whereabouts, node.plan.session: stands}
    return replace(run, job=replace(state, captured=kept, facts=facts, whereabouts=whereabouts))


def needs_summary(run: Run) -> bool:
    """Return whether the history is too long for a sub-task's input and there is a model to summarise it."""
    state = state_of(run)
    return state.thinks and sum(len(fact.text) + 1 for fact in state.facts) > run.policy.state_characters


def newest_facts(facts: tuple[Fact, ...], characters: int) -> tuple[Fact, ...]:
    """Return the newest facts that fit; the newest is always kept, cut if it must be."""
    kept: list[Fact] = []
    left = characters
    for fact in reversed(facts):
        if kept and len(fact.text) > left:
            break
        kept.append(replace(fact, text=fact.text[:characters]))
        left -= len(fact.text) + 1
    return tuple(reversed(kept))


def _describe_fact(node: Node, result: SubTaskResult) -> str:
    """Return what later sub-tasks learn of one that passed: what was done, and in short what proved it."""
    done = _shorten(node.plan.description, 90)
    if result.unverified or not node.plan.expected_result:
        return f"{done}: {_shorten(result.summary)}"
    shown = shown_by(result, SHOWN)
    return f"{done} (showed: {shown})" if shown else done


def _shorten(text: str, length: int = 160) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
