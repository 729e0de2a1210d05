"""Rules for irreversible steps: a person is asked before they are carried out. Pure.

Which effects and words those are is a setting of the fleet. The critic may name further steps, and take none away.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from muster_orchestrator.machine.core.job import Fail
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.approval_rules import YES
from muster_orchestrator.machine.jobs.test_case.knowledge import all_values, state_of
from muster_orchestrator.machine.jobs.test_case.state import Risk
from muster_protocol.causes import Cause
from muster_protocol.events import Asked
from muster_protocol.plans import PlanNode
from muster_text.lasting_effects import find_effect
from muster_text.text_match import both_ends
from muster_text.values import fill_known

LONGEST = 4_000
"""Characters of a question."""


def note_risks(run: Run, nodes: Iterable[PlanNode], *, shown: bool = False) -> Run:
    """Return the run with what is risky about new nodes, of which a person is asked before they begin.

    `shown`: a person is asked about all of them anyhow.
    """
    watched = run.policy.ask_before
    if not watched:
        return run
    state, values = state_of(run), all_values(run)
    said = {index: f"the critic: {why}" for index, why in _risky_steps(run).items()}
    found: list[Risk] = []
    for node in nodes:
        text = fill_known(node.description, values)
        why = find_effect(text, watched) or next((said[it] for it in node.covers if it in said), "")
        found += [Risk(node.id, f"{' '.join(text.split())}: {why}")] if why else []
    risks = (*state.risks, *found)
    return replace(run, job=replace(state, risks=risks, shown_risks=len(risks) if shown else state.shown_risks))


def ask_consent(run: Run) -> tuple[Asked, ...]:
    """Return the question whether risky steps may be done that nobody was asked about."""
    risks, asked = state_of(run).risks, _asked_about(run)
    if len(risks) <= asked:
        return ()
    listed = "\n".join(f"- {risk.text}" for risk in risks[asked:])
    text = f"This cannot be taken back. May it be done? Answer yes or no.\n{both_ends(listed, LONGEST)}"
    return (Asked(question=f"{_prefix(run)}{len(risks)}", text=text),)


def check_consent(run: Run) -> Fail | None:
    """Return why the run ends, if a person has said no."""
    answers = (text for id, text in run.people.answers.items() if id.startswith(_prefix(run)))
    said = next((text for text in answers if text.strip().rstrip(".!").casefold() not in YES), None)
    return None if said is None else Fail(Cause.CANCELLED, f"what is risky was not allowed: {both_ends(said, 500)}")


def _risky_steps(run: Run) -> dict[int, str]:
    """Return what the newest critique says is risky, by index of the written step."""
    critiques = state_of(run).critiques
    issues = critiques[-1].issues if critiques else ()
    return {issue.step - 1: issue.text for issue in issues if issue.kind == "risky" and issue.step}


def _asked_about(run: Run) -> int:
    """Return how many risks people were asked about: risks are only added, and a question's id has their number."""
    ids = (*run.people.answers, *(question.id for question in run.people.asks))
    numbers = [int(number) for id in ids if (number := id.removeprefix(_prefix(run))) != id and number.isdecimal()]
    return max(state_of(run).shown_risks, *numbers, 0)


def _prefix(run: Run) -> str:
    return f"{run.request.id if run.request else ''}:risk:"
