"""A run of the pure machine, driven by hand: no bus, and no clock but the one the test turns."""

from collections.abc import Iterable, Sequence
from typing import Any

from envelopes import result_of
from msgspec.structs import replace

from muster_orchestrator.machine import AcquireSession, Command, Enqueue, Node, Run, SetTimer, settle
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol.causes import Failure
from muster_protocol.control import Control
from muster_protocol.events import (
    Asked,
    ControlApplied,
    Entry,
    Event,
    OwnerChanged,
    Policy,
    RunClosed,
    RunOpened,
    SessionOpened,
    SubTaskEnded,
    TimerFired,
    Woken,
)
from muster_protocol.facts import Evidence
from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Job, Limits, RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_text.clauses import literals, split_clauses
from muster_text.values import fill

EXPECTED = 'The page title is "Demo shop"'
START = 1_000.0


def a_case(*expected: str, **more: Any) -> TestCase:
    """Return a case with one step for each expectation; without any, three steps."""
    texts = expected or (EXPECTED, 'The text "Basket" is visible', 'The URL ends with "/done"')
    steps = tuple(Step(action=f"Do thing {number}", expected=text) for number, text in enumerate(texts, 1))
    return TestCase(name="A case", steps=steps, **more)


def plan_of(case: TestCase) -> Plan:
    """Return the plan of the steps as written: a chain, preconditions first."""
    nodes = [
        PlanNode(id=f"pre-{number}", description=text, precondition=True)
        for number, text in enumerate(case.preconditions, 1)
    ]
    nodes += [
        PlanNode(id=f"step-{index + 1}", covers=(index,), description=step.action, expected_result=step.expected)
        for index, step in enumerate(case.steps)
    ]
    before = ["", *(node.id for node in nodes)]
    return Plan(nodes=tuple(replace(node, needs=(b,) if b else ()) for b, node in zip(before, nodes, strict=False)))


def in_its_sessions(case: TestCase, plan: Plan) -> TestCase:
    """Return the case with each step written for the session that the plan carries it out in."""
    sessions = {index: node.session for node in plan.nodes for index in node.covers}
    steps = (replace(step, session=sessions.get(index, "main")) for index, step in enumerate(case.steps))
    return replace(case, steps=tuple(steps))


def side_by_side(count: int) -> Plan:
    """Return a plan of nodes `n0`, `n1`, … that wait for no other, each in a session of its own."""
    return Plan(
        nodes=tuple(
            PlanNode(
                id=f"n{index}",
                covers=(index,),
                description=f"Do thing {index + 1}",
                expected_result="x",
                session=f"s{index}",
            )
            for index in range(count)
        )
    )


def proof(task: SubTask, *, call: int = 3, passed: bool = True, outputs: dict[str, str] | None = None) -> Any:
    """Return evidence for each clause of what a sub-task expects, looked for with the clause's own literals."""
    values = {**task.step.values, **(outputs or {})}
    return tuple(
        Evidence(
            clause=clause,
            check="check_text",
            arguments=clause,
            call=call,
            passed=passed,
            by="phrase",
            about="page",
            relation="contains",
            wanted=tuple(fill(text, values) for text in literals(clause)),
        )
        for clause in split_clauses(task.step.expected_result)
    )


def passes(task: SubTask, **more: Any) -> SubTaskResult:
    """Return a pass with all the evidence it needs."""
    evidence = proof(task, outputs=more.get("captured"))
    made: dict[str, Any] = {"summary": "done", "last_act": 2, "evidence": evidence, "unverified": not evidence}
    return result_of(task.id, node=task.node, attempt=task.attempt, kind=task.kind, status="pass", **(made | more))


def fails(task: SubTask, failure: Failure = Failure.ELEMENT_MISSING, **more: Any) -> SubTaskResult:
    """Return a fail."""
    made: dict[str, Any] = {"status": "fail", "summary": f"it was {failure}", "failure": failure}
    return result_of(task.id, node=task.node, attempt=task.attempt, kind=task.kind, **(made | more))


def faults(task: SubTask, failure: Failure = Failure.INFRASTRUCTURE, **more: Any) -> SubTaskResult:
    """Return an error that is nobody's fault but the infrastructure's."""
    return fails(task, failure, **({"status": "error"} | more))


class Driven:
    """A run, its log so far, and the effects it waits for."""

    def __init__(
        self,
        job: Job | None = None,
        *,
        run: str = "run-1",
        policy: Policy | None = None,
        estimate: Any = None,
        **request: Any,
    ) -> None:
        self.run, self.now = Run(), START
        self.entries: list[Entry] = []
        self.effects: tuple[Command, ...] = ()
        asked = RunRequest(id=run, job=job or a_case(), **request)
        opened = RunOpened(request=asked, owner="a", message=1, delivery=1, policy=policy or Policy())
        self.happens(replace(opened, estimate=estimate))

    @classmethod
    def planned(cls, job: TestCase | None = None, *, plan: Plan | None = None, **more: Any) -> "Driven":
        """Return a run of a case whose plan and sessions are there."""
        made = plan or plan_of(job or a_case())
        case = in_its_sessions(job or a_case(), made)
        driven = cls(case, **more)
        driven.ends(driven.open("plan"), plan=made)
        for name in sorted({node.session for node in made.nodes}):
            driven.opens(name)
        return driven

    def happens(self, *events: Event, after: float = 0.0) -> "Driven":
        """Let events happen `after` seconds, and take note of all that follows."""
        self.now += after
        settled = settle(self.run, events, self.now, max(1, self.run.owner.epoch))
        self.run, self.effects = settled.run, settled.effects
        self.entries.append(settled.entry)
        return self

    def waits(self, seconds: float) -> "Driven":
        """Let time pass; timers that are due then fire."""
        due = [it for it in self.effects if isinstance(it, SetTimer) and it.at <= self.now + seconds]
        return self.happens(*(TimerFired(timer=timer.id) for timer in due), after=seconds)

    def asked(self, control: Control, **more: Any) -> "Driven":
        """Let somebody ask something of the run; one that is parked is woken by that."""
        return self.happens(*self._woken(), ControlApplied(control=control), **more)

    def _woken(self) -> tuple[Event, ...]:
        run = self.run
        if not run.parking.reason:
            return ()
        taken = OwnerChanged(owner="b", epoch=run.owner.epoch + 1, message=run.owner.message + 1, delivery=1)
        return (taken, Woken(reason=run.parking.reason))

    def asks(self, task: SubTask, text: str = "What is the code?", **more: Any) -> "Driven":
        """Let a sub-task ask a person; the question's id is that of its first call."""
        return self.happens(Asked(question=f"{task.id}:0", text=text, task=task.id), **more)

    def opens(self, name: str = "main", host: str = "host-1", instance: str = "", **more: Any) -> "Driven":
        """Let a session be there."""
        session = SessionRef(run="run-1", name=name, host=host, instance=instance, capabilities=("sandbox",))
        return self.happens(SessionOpened(session=session, **more))

    def ends(self, task: SubTask, result: SubTaskResult | None = None, *, after: float = 1.0, **more: Any) -> "Driven":
        """Let a sub-task end: with the result given, else with a pass."""
        return self.happens(SubTaskEnded(outcome=result or passes(task, **more)), after=after)

    def decides(self, action: Any, **more: Any) -> "Driven":
        """Let the evaluation that is open end with a decision."""
        task = next(task for task in self.tasks if task.kind == "evaluate")
        return self.ends(task, decision=Decision(action=action, **more))

    def closes(self) -> "Driven":
        """Let the run be closed."""
        return self.happens(RunClosed())

    @property
    def tasks(self) -> list[SubTask]:
        """The sub-tasks that are open."""
        return [command.sub_task for command in self.effects if isinstance(command, Enqueue)]

    def open(self, node: str = "") -> SubTask:
        """Return the open sub-task of a node, or the only one there is."""
        found = [task for task in self.tasks if node in ("", task.node)]
        assert len(found) == 1, f"{node or 'one sub-task'} is not open: {[task.id for task in self.tasks]}"
        return found[0]

    @property
    def opening(self) -> list[AcquireSession]:
        """The sessions that are to be opened."""
        return [command for command in self.effects if isinstance(command, AcquireSession)]

    @property
    def case(self) -> TestCaseState:
        """What the test case keeps of the run."""
        assert isinstance(self.run.job, TestCaseState)
        return self.run.job

    @property
    def verdict(self) -> Verdict:
        """The verdict, which must be there."""
        assert self.run.verdict is not None, "there is no verdict yet"
        return self.run.verdict

    @property
    def events(self) -> list[Event]:
        """All events of the log."""
        return [event for entry in self.entries for event in entry.events]

    def logged(self, kind: type) -> list[Any]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def limits(**bounds: Any) -> Limits:
    """Return limits of a run."""
    return Limits(**bounds)


def planned_in(run: Run) -> list[Node]:
    """Return the nodes of the plan and its recoveries, in order."""
    return [run.graph[id] for id in run.graph.places]


def statuses(run: Run, nodes: Iterable[str] = ()) -> Sequence[str]:
    """Return the status of each of these nodes, or of all."""
    return [run.graph[node].status for node in (nodes or run.graph)]
