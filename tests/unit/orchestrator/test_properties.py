"""Whatever happens to a run, in whatever order: what must hold always, and that it can always be brought to an end."""

from typing import Any, Literal

from driven import Driven, a_case, fails, faults, limits, passes, planned_in
from envelopes import with_output
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from muster_orchestrator.machine import Conclude, Run, SetTimer, asking_nodes, decide, evolve, fold
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Answer, Cancel, Pause, Resume
from muster_protocol.events import (
    Asked,
    ControlApplied,
    OwnerChanged,
    Policy,
    RunClosed,
    SessionFailed,
    SubTaskDispatched,
    SubTaskEnded,
    TimerFired,
    VerdictReached,
)
from muster_protocol.facts import Evidence
from muster_protocol.kinds import Decision, PlanOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.sessions import Restored
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_text.clauses import split_clauses

EXPECTATIONS = ("", 'The title is "A"', 'The title is "A" and "B", and the text "C" is visible')
SESSIONS = ("main", "other")
OUTCOMES = (
    *("pass", "fail", "fault") * 4,  # what a run survives comes often, so that runs get far
    *("unproven", "early", "false check", "final fail", "lost", "acted fault", "cancelled"),
)
MOST_TRIES = 3 * 3
"""Three tries through infrastructure, each of at most two recoveries and the first time."""


@st.composite
def plans(draw: st.DrawFn) -> tuple[TestCase, Plan]:
    expected = draw(st.lists(st.sampled_from(EXPECTATIONS), min_size=1, max_size=4))
    nodes: list[PlanNode] = []
    for index, text in enumerate(expected):
        needs = draw(st.sets(st.sampled_from([node.id for node in nodes]))) if nodes else set[str]()
        nodes.append(
            PlanNode(
                id=f"n{index}",
                covers=(index,),
                needs=tuple(sorted(needs)),
                description="Do it",
                expected_result=text,
                session=draw(st.sampled_from(SESSIONS)),
            )
        )
    return a_case(*expected), Plan(nodes=tuple(nodes))


def outcome(task: SubTask, kind: str, decision: Decision) -> SubTaskResult:
    decides = task.kind == "evaluate" and kind != "unproven"
    made = passes(task, usage=Usage(calls=1), **({"decision": decision} if decides else {}))
    kinds = {
        "pass": made,
        "unproven": with_output(replace(made, unverified=False), evidence=made.step.evidence[1:]),
        "early": replace(made, last_act=9, unverified=False),
        "false check": with_output(made, evidence=tuple(replace(it, passed=False) for it in made.step.evidence)),
        "fail": fails(task),
        "final fail": fails(task, Failure.EXPECTATION_FALSE),
        "fault": faults(task),
        "lost": faults(task, Failure.SESSION_LOST),
        "acted fault": faults(task, acted=True),
        "cancelled": fails(task, Failure.CANCELLED, status="cancelled"),
    }
    return kinds[kind]


def proven(node: PlanNode, result: SubTaskResult) -> bool:
    """Say independently of the machine whether a pass has what it needs."""
    clauses = split_clauses(node.expected_result)

    def holds(evidence: Evidence, clause: str) -> bool:
        return evidence.clause == clause and evidence.passed and evidence.call > result.last_act

    return result.unverified if not clauses else all(any(holds(it, c) for it in result.step.evidence) for c in clauses)


class AnyRun(RuleBasedStateMachine):
    """A run to which anything may happen at any time."""

    @initialize(
        made=plans(),
        recoveries=st.integers(0, 2),
        most=st.sampled_from((None, 4)),
        calls=st.sampled_from((None, None, 3)),
        begun=st.booleans(),
    )
    def open(
        self, made: tuple[TestCase, Plan], recoveries: int, most: int | None, calls: int | None, *, begun: bool
    ) -> None:
        case, self.plan = made
        policy = Policy(max_recovery_attempts=recoveries)
        self.driven = Driven(case, policy=policy, limits=limits(max_subtasks=most, max_calls=calls))
        self.reported: list[SubTaskResult] = []
        self.verdict: Any = None
        self.seen, self.folded = 0, Run()
        self.product_before: int | None = None
        """How many results there were when a session had first been opened anew from a checkpoint."""
        if begun:
            self.end(self.driven.open("plan"), "pass", Decision(action="stop"))
            for opening in self.driven.opening:
                self.driven.opens(opening.request.name)

    def end(self, task: SubTask, kind: str, decision: Decision) -> None:
        result = outcome(task, kind, decision)
        if task.kind == "plan":
            result = replace(result, output=PlanOutput(plan=self.plan))
        self.reported.append(result)
        self.driven.ends(task, result)

    @precondition(lambda self: self.driven.tasks)
    @rule(
        data=st.data(),
        kind=st.sampled_from(OUTCOMES),
        action=st.sampled_from(("continue", "recover", "stop")),
        how=st.sampled_from(("", "Mend it")),
    )
    def a_sub_task_ends(
        self, data: st.DataObject, kind: str, action: Literal["continue", "recover", "stop"], how: str
    ) -> None:
        self.end(data.draw(st.sampled_from(self.driven.tasks)), kind, Decision(action=action, recovery=how))

    @precondition(lambda self: self.driven.tasks)
    @rule(data=st.data())
    def a_sub_task_passes(self, data: st.DataObject) -> None:
        self.end(data.draw(st.sampled_from(self.driven.tasks)), "pass", Decision(action="recover", recovery="Mend it"))

    @precondition(lambda self: self.driven.tasks)
    @rule(data=st.data(), number=st.integers(0, 2))
    def a_sub_task_asks_a_person(self, data: st.DataObject, number: int) -> None:
        task = data.draw(st.sampled_from(self.driven.tasks))
        self.driven.happens(Asked(question=f"{task.id}:{number}", text="Which?", task=task.id))

    @rule(data=st.data())
    def somebody_answers(self, data: st.DataObject) -> None:
        questions = [node.asks.id for node in asking_nodes(self.driven.run) if node.asks]
        question = data.draw(st.sampled_from(["", "nobody's:1", *questions]))
        self.driven.asked(Answer(id=f"answer-{len(self.driven.entries)}", question=question, text="This"))

    @precondition(lambda self: self.reported)
    @rule(data=st.data(), of=st.integers(-1, 1))
    def an_old_or_made_up_report_comes_in(self, data: st.DataObject, of: int) -> None:
        told = data.draw(st.sampled_from(self.reported))
        stale = replace(told, attempt=told.attempt + of, task=f"run-1.{told.node}.{told.attempt + of}", status="pass")
        if stale.task not in {task.id for task in self.driven.tasks}:
            assert evolve(self.driven.run, SubTaskEnded(outcome=stale)) == self.driven.run
            self.driven.happens(SubTaskEnded(outcome=stale))

    @rule(seconds=st.sampled_from((0.0, 0.5, 2.0, 10.0)))
    def time_passes(self, seconds: float) -> None:
        self.driven.waits(seconds)

    @precondition(lambda self: not self.driven.run.parking.reason)
    @rule(
        name=st.sampled_from(SESSIONS),
        opens=st.sampled_from((True,) * 9 + (False,)),
        restored=st.sampled_from(("same", "same", "same", "different", "no")),
        late=st.sampled_from((0, 0, 0, 1)),
    )
    def a_session_is_answered_for(self, name: str, opens: bool, restored: Restored, late: int) -> None:
        wanted = [opening.request for opening in self.driven.opening if opening.request.name == name]
        if opens and wanted:
            found: dict[str, Any] = {"restored": restored, "after": max([0, *self.work_in(name)]) - late}
            self.driven.opens(name, **(found if wanted[0].checkpoint else {}))
        elif not opens:
            self.driven.happens(SessionFailed(name=name, reason="no room"))

    def work_in(self, session: str) -> list[int]:
        """Return the dispatch numbers of what ended in a session, by what workers reported."""
        ended = {(result.node, result.attempt): result for result in self.reported}
        tasks = [event.sub_task for event in self.driven.logged(SubTaskDispatched)]
        return [
            task.dispatch
            for task in tasks
            if task.session == session
            and (told := ended.get((task.node, task.attempt)))
            and told.failure != Failure.SESSION_LOST
        ]

    @invariant()
    def no_fail_that_came_after_a_page_was_put_together_anew_is_the_products(self) -> None:
        run = self.driven.run
        if self.product_before is None and "restored" in run.sessions.reopened.values():
            self.product_before = len(run.results)
        if self.product_before is not None:
            assert all(result.cause != Cause.PRODUCT for result in run.results[self.product_before :])

    @rule(kind=st.sampled_from(("pause", "resume", "resume", "cancel")), number=st.integers(0, 50))
    def somebody_asks_something(self, kind: str, number: int) -> None:
        id = f"{kind}-{number}"
        match kind:
            case "pause":
                self.driven.asked(Pause(id=id))
            case "resume":
                self.driven.asked(Resume(id=id))
            case _ if number < 5:
                self.driven.asked(Cancel(id=id))
            case _:
                pass

    @precondition(lambda self: self.driven.run.owner.takeovers < 10 and not self.driven.run.parking.reason)
    @rule()
    def another_owner_takes_over(self) -> None:
        run, effects = self.driven.run, self.driven.effects
        self.driven.happens(
            OwnerChanged(owner="b", epoch=run.owner.epoch + 1, message=1, delivery=run.owner.delivery + 1)
        )
        assert self.driven.effects == effects

    @rule()
    def a_timer_fires_twice_or_for_nothing(self) -> None:
        self.driven.happens(*(TimerFired(timer=timer) for timer in self.driven.run.fired if timer != "run"))

    @precondition(lambda self: self.driven.run.verdict is not None)
    @rule()
    def the_run_is_closed(self) -> None:
        self.driven.happens(RunClosed())

    @invariant()
    def the_log_says_it_all(self) -> None:
        assert fold(Run(), self.driven.entries) == self.driven.run
        assert decide(self.driven.run) == decide(self.driven.run)

    @invariant()
    def there_is_one_verdict_at_most_and_it_stays(self) -> None:
        verdict = self.driven.run.verdict
        assert len(self.driven.logged(VerdictReached)) == (verdict is not None)
        assert self.verdict in (None, verdict)
        self.verdict = verdict
        if verdict is not None:
            assert all(isinstance(effect, Conclude) for effect in self.driven.effects)

    @invariant()
    def only_what_waits_is_dispatched_and_no_attempt_twice(self) -> None:
        ids = [event.sub_task.id for event in self.driven.logged(SubTaskDispatched)]
        assert len(ids) == len(set(ids))
        run, self.folded = self.folded, self.driven.run
        for event in self.driven.events[self.seen :]:
            if isinstance(event, SubTaskDispatched):
                assert event.sub_task.node not in run.graph or run.graph[event.sub_task.node].status == "waiting"
                assert event.sub_task.attempt <= MOST_TRIES
            run = evolve(replace(run, clock=replace(run.clock, now=self.driven.run.now)), event)
        self.seen = len(self.driven.events)

    @invariant()
    def in_a_session_one_sub_task_acts_at_a_time(self) -> None:
        in_use = [task.session for task in self.driven.tasks if task.session]
        assert len(in_use) == len(set(in_use))

    @invariant()
    def a_parked_run_has_nothing_under_way(self) -> None:
        if self.driven.run.parking.reason:
            assert not self.driven.effects
            assert all(node.status != "open" for node in self.driven.run.graph.values())

    @invariant()
    def a_pass_has_everything_proven(self) -> None:
        run = self.driven.run
        if run.verdict is None or run.verdict.status != "pass":
            assert run.verdict is None or run.verdict.cause in set(Cause)
            return
        assert isinstance(run.job, TestCaseState)
        assert run.job.plan is not None
        assert {node.plan.id for node in planned_in(run)} >= {node.id for node in self.plan.nodes}
        for node in planned_in(run):
            newest = [result for result in run.verdict.results if result.node == node.plan.id][-1]
            assert newest.status == "pass"
            assert proven(node.plan, newest)
        before = self.driven.events[: self.driven.events.index(VerdictReached(verdict=run.verdict))]
        assert not any(isinstance(it, ControlApplied) and isinstance(it.control, Cancel) for it in before)

    @invariant()
    def no_more_is_spent_than_the_limits_say(self) -> None:
        run = self.driven.run
        assert len(planned_in(run)) <= run.max_subtasks
        wanted = run.request.limits.max_calls if run.request else None
        if wanted is not None:
            assert all(task.budget.calls <= wanted for task in self.driven.tasks)

    def teardown(self) -> None:
        """From wherever it is, a run ends if workers answer, hosts open sessions, and time passes."""
        self.driven.asked(Resume(id="at last"))
        for _ in range(60):
            if self.driven.run.closed:
                break
            self._go_on()
            self.there_is_one_verdict_at_most_and_it_stays()
            self.only_what_waits_is_dispatched_and_no_attempt_twice()
            self.in_a_session_one_sub_task_acts_at_a_time()
            self.a_pass_has_everything_proven()
        assert self.driven.run.closed, f"stuck: {[(it.plan.id, it.status) for it in self.driven.run.graph.values()]}"

    def _go_on(self) -> None:
        if self.driven.run.verdict is not None:
            self.driven.closes()
        elif asking_nodes(self.driven.run):
            self.driven.asked(Answer(id=f"answer-{len(self.driven.entries)}", question="", text="This"))
        elif self.driven.tasks:
            self.end(self.driven.tasks[0], "pass", Decision(action="recover", recovery="Mend it"))
        elif self.driven.opening:
            self.driven.opens(self.driven.opening[0].request.name)
        else:
            retries = [timer for timer in self.driven.effects if isinstance(timer, SetTimer) and timer.id != "run"]
            assert retries, "nothing is open, nothing is waited for, and there is no verdict"
            self.driven.waits(max(0.0, min(timer.at for timer in retries) - self.driven.now))


TestAnyRun = AnyRun.TestCase
TestAnyRun.settings = settings(stateful_step_count=30, max_examples=2 * settings().max_examples)
