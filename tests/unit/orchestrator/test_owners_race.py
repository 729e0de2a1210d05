"""Several orchestrators believe that a run is theirs: the log decides, whatever comes in between."""

from typing import Any, Literal, NamedTuple

from driven import START, a_case, fails, faults, passes, plan_of, planned_in
from envelopes import with_output
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from muster_orchestrator.machine import AcquireSession, Command, Conclude, Enqueue, Run, SetTimer, evolve, fold, settle
from muster_orchestrator.run_watch import is_relevant
from muster_protocol.causes import Failure
from muster_protocol.control import Cancel, Control, Pause, Resume
from muster_protocol.events import (
    ControlApplied,
    Entry,
    Event,
    OwnerChanged,
    RunClosed,
    RunOpened,
    SessionOpened,
    SubTaskDispatched,
    SubTaskEnded,
    TimerFired,
    VerdictReached,
    Woken,
)
from muster_protocol.requests import RunRequest
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict

CASE = a_case('The title is "A"', "", 'The text "B" is visible', preconditions=("The shop is open",))
REQUEST = RunRequest(id="run-1", job=CASE)
MOST_OWNERS = 15
KINDS = ("pass",) * 6 + ("unproven", "fail", "fault", "fault", "lost")


class Delivery(NamedTuple):
    """What the queue hands out: a message, and how often it was handed out."""

    message: int
    delivery: int


class Owner:
    """Who was given the run, as far as it knows of it; what it knows may be out of date."""

    def __init__(self, name: str, given: Delivery, log: list[Entry]) -> None:
        self.name, self.given = name, given
        self.run, self.read = fold(Run(), log), len(log)
        self.took = False
        self.timers: dict[str, float] = {}
        self.concluded = False

    def taking(self, controls: list[Control]) -> tuple[Event, ...]:
        """Return what it appends first, or nothing if the run is not for it."""
        run, given = self.run, self.given
        asked = tuple(ControlApplied(control=control) for control in controls)
        if run.request is None:
            opened = RunOpened(request=REQUEST, owner=self.name, message=given.message, delivery=given.delivery)
            return (opened, *asked)
        if run.closed or given <= (run.owner.message, run.owner.delivery):
            return ()
        if run.parking.reason and not any(is_relevant(event, run) for event in asked):
            return ()
        epoch = run.owner.epoch + 1
        taken = OwnerChanged(owner=self.name, epoch=epoch, message=given.message, delivery=given.delivery)
        return (taken, *((Woken(reason=run.parking.reason),) if run.parking.reason else ()), *asked)


def result_of(task: SubTask, kind: str) -> SubTaskResult:
    made = passes(task, plan=plan_of(CASE)) if task.kind == "plan" else passes(task)
    kinds = {
        "pass": made,
        "unproven": with_output(replace(made, unverified=False), evidence=made.step.evidence[1:]),
        "fail": fails(task, Failure.EXPECTATION_FALSE),
        "fault": faults(task),
        "lost": faults(task, Failure.SESSION_LOST),
    }
    return kinds[kind]


def said(result: SubTaskResult) -> Event:
    return SubTaskEnded(outcome=result)


class RacingOwners(RuleBasedStateMachine):
    """One log, appended by compare-and-set, and any number of owners that do not know of each other."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[Entry] = []
        self.states = [Run()]
        """The run after so many entries."""
        self.events: list[Event] = []
        self.by: list[str] = []
        """Who appended each entry."""
        self.now, self.message, self.delivery = START, 1, 0
        self.owners: list[Owner] = []
        self.outbox: list[tuple[Owner, Command]] = []
        """Effects on their way; one that left its owner goes out even if the run has been taken over since."""
        self.queue: dict[str, SubTask] = {}
        self.journals: dict[str, SubTaskResult] = {}
        self.truth: dict[str, str] = {}
        self.controls: list[Control] = []
        self.hints: list[Event] = []
        """Told live, to anybody, any number of times."""
        self.announced: list[Verdict] = []
        self.seen, self.folded = 0, Run()

    @initialize(steps=st.integers(0, 3))
    def begin(self, steps: int) -> None:
        for _ in range(steps):
            self.go_on()

    @precondition(lambda self: len(self.owners) < 4 and self.delivery < MOST_OWNERS)
    @rule()
    def the_queue_hands_the_run_out(self) -> None:
        self.delivery += 1
        self.owners.append(Owner(f"o{self.message}-{self.delivery}", Delivery(self.message, self.delivery), self.log))

    @precondition(lambda self: self.owners)
    @rule(data=st.data(), dies=st.sampled_from((False,) * 5 + (True,)))
    def an_owner_takes_the_run(self, data: st.DataObject, dies: bool) -> None:
        owner = self.some(data, [owner for owner in self.owners if not owner.took])
        if owner is None:
            return
        first = owner.taking(self.controls)
        if not first:
            self.leave(owner)
        elif self.append(owner, first, dies=dies):
            owner.took = True
        elif owner in self.owners:  # somebody's last append came in between: it reads again
            owner.run, owner.read = fold(Run(), self.log), len(self.log)

    @precondition(lambda self: self.hints and any(owner.took for owner in self.owners))
    @rule(data=st.data(), dies=st.sampled_from((False,) * 9 + (True,)))
    def an_owner_hears_something(self, data: st.DataObject, dies: bool) -> None:
        owner = self.some(data, [owner for owner in self.owners if owner.took])
        heard = data.draw(st.lists(st.sampled_from(self.hints[-8:]), min_size=1, max_size=4))
        if owner is not None:
            self.told(owner, heard, dies=dies)

    @rule(data=st.data(), seconds=st.sampled_from((0.0, 1.0, 5.0)))
    def time_passes_for_an_owner(self, data: st.DataObject, seconds: float) -> None:
        self.now += seconds
        owner = self.some(data, [owner for owner in self.owners if owner.timers])
        if owner is not None:
            self.told(owner, [TimerFired(timer=id) for id, at in owner.timers.items() if at <= self.now])

    @precondition(lambda self: self.outbox)
    @rule(data=st.data())
    def an_effect_goes_out(self, data: st.DataObject) -> None:
        self.carry_out(*self.outbox.pop(data.draw(st.integers(0, len(self.outbox) - 1))))

    @precondition(lambda self: self.queue.keys() - self.journals.keys())
    @rule(data=st.data(), kind=st.sampled_from(KINDS))
    def a_worker_finishes_a_sub_task(self, data: st.DataObject, kind: str) -> None:
        self.work(data.draw(st.sampled_from(sorted(self.queue.keys() - self.journals.keys()))), kind)

    @precondition(lambda self: not self.run.closed and self.delivery < MOST_OWNERS)
    @rule(kind=st.sampled_from(KINDS))
    def all_goes_on_for_a_while(self, kind: str) -> None:
        self.go_on(kind)

    @precondition(lambda self: len(self.controls) < 4)
    @rule(what=st.sampled_from(("pause", "resume", "resume", "cancel")))
    def somebody_asks_something(self, what: Literal["pause", "resume", "cancel"]) -> None:
        kinds: dict[str, Any] = {"pause": Pause, "resume": Resume, "cancel": Cancel}
        self.ask(kinds[what](id=f"c{len(self.controls)}"))

    @precondition(lambda self: len(self.owners) > 1)
    @rule(data=st.data())
    def an_owner_is_killed(self, data: st.DataObject) -> None:
        owner = self.some(data, self.owners)
        if owner is not None:
            self.lose(owner)

    @invariant()
    def an_owner_knows_a_beginning_of_the_log_and_nothing_else(self) -> None:
        for owner in self.owners:
            if owner.took:
                assert owner.run == self.states[owner.read]

    @invariant()
    def each_epoch_is_one_owners_and_they_rise(self) -> None:
        epochs = [entry.epoch for entry in self.log]
        assert epochs == sorted(epochs)
        for epoch in set(epochs):
            assert len({by for by, entry in zip(self.by, self.log, strict=True) if entry.epoch == epoch}) == 1

    @invariant()
    def there_is_one_verdict_at_most_and_nothing_is_dispatched_after_it(self) -> None:
        kinds = [type(event) for event in self.events]
        assert kinds.count(VerdictReached) <= 1
        assert kinds.count(RunClosed) <= 1
        if VerdictReached in kinds:
            assert SubTaskDispatched not in kinds[kinds.index(VerdictReached) :]
        assert all(verdict == self.run.verdict for verdict in self.announced)

    @invariant()
    def no_attempt_is_dispatched_twice_and_none_of_what_is_finished(self) -> None:
        ids = [event.sub_task.id for event in self.events if isinstance(event, SubTaskDispatched)]
        assert len(ids) == len(set(ids))
        for entry in self.log[self.seen :]:
            run = self.folded
            clock, owner = replace(run.clock, now=entry.at), replace(run.owner, epoch=entry.epoch)
            run = replace(run, clock=clock, owner=owner)
            for event in entry.events:
                if isinstance(event, SubTaskDispatched):
                    node = run.graph.get(event.sub_task.node)
                    assert node is None or node.status == "waiting"
                run = evolve(run, event)
            self.folded = run
        self.seen = len(self.log)

    @invariant()
    def only_what_the_log_dispatched_is_in_the_queue(self) -> None:
        dispatched = {event.sub_task.id for event in self.events if isinstance(event, SubTaskDispatched)}
        assert set(self.queue) <= dispatched

    @invariant()
    def a_pass_is_one_that_workers_brought_about(self) -> None:
        verdict = self.run.verdict
        if verdict is None or verdict.status != "pass":
            return
        for node in planned_in(self.run):
            newest = [result.task for result in verdict.results if result.node == node.plan.id][-1]
            assert self.truth[newest] == "pass"
        asked = [event.control for event in self.events if isinstance(event, ControlApplied)]
        assert not any(isinstance(control, Cancel) for control in asked)

    def teardown(self) -> None:
        """Whatever happened, one more owner and a worker that works bring the run to its end."""
        self.ask(Resume(id="at last"))
        self.owners.clear()
        self.outbox.clear()
        for _ in range(100):
            if self.run.closed:
                break
            self.go_on()
        assert self.run.closed, f"stuck: {[(it.plan.id, it.status) for it in self.run.graph.values()]}"
        self.there_is_one_verdict_at_most_and_nothing_is_dispatched_after_it()
        self.no_attempt_is_dispatched_twice_and_none_of_what_is_finished()
        self.a_pass_is_one_that_workers_brought_about()

    def go_on(self, kind: str = "pass") -> None:
        """Let the newest owner, or one more, do what is due, and a worker what is queued."""
        last = self.owners[-1] if self.owners else None
        if last is None or not last.took or last.read != len(self.log):
            self.delivery += 1
            last = Owner("last", Delivery(self.message, self.delivery), self.log)
            first = last.taking(self.controls)
            if not first:
                assert self.run.parking.reason, "nobody stands in its way"
                return
            self.owners.append(last)
            last.took = self.append(last, first)
            assert last.took
            if last not in self.owners:  # it parked the run again at once: what comes now is not for it
                return
        while self.outbox:
            self.carry_out(*self.outbox.pop(0))
        for id in sorted(self.queue.keys() - self.journals.keys()):
            self.work(id, kind)
        self.now += 2.0
        due = [TimerFired(timer=id) for id, at in last.timers.items() if at <= self.now]
        self.told(last, [*self.hints, *due])

    @property
    def run(self) -> Run:
        return self.states[-1]

    def some(self, data: st.DataObject, owners: list[Owner]) -> Owner | None:
        return data.draw(st.sampled_from(owners)) if owners else None

    def told(self, owner: Owner, heard: list[Event], *, dies: bool = False) -> None:
        closing = (RunClosed(),) if owner.concluded else ()
        if not owner.run.closed:
            self.append(owner, (*heard, *closing), dies=dies)

    def append(self, owner: Owner, heard: tuple[Event, ...], *, dies: bool = False) -> bool:
        """Append by compare-and-set; an owner that is fenced stops, one that dies has appended and begins nothing."""
        news = tuple(event for event in heard if is_relevant(event, owner.run))
        if not news:
            return True
        epoch = owner.run.owner.epoch + isinstance(news[0], RunOpened | OwnerChanged)
        run, entry, _, effects = settle(owner.run, news, self.now, epoch)
        if owner.read != len(self.log):
            if owner.took:
                self.leave(owner)
            return False
        dispatched = {event.sub_task.id for event in entry.events if isinstance(event, SubTaskDispatched)}
        assert not dispatched & self.journals.keys()
        self.log.append(entry)
        self.states.append(fold(self.run, [entry]))
        self.events += entry.events
        self.by.append(owner.name)
        owner.run, owner.read = run, len(self.log)
        owner.timers |= {effect.id: effect.at for effect in effects if isinstance(effect, SetTimer)}
        self.outbox += [(owner, effect) for effect in effects]
        if run.parking.reason:
            self.message, self.delivery = self.message + 1, 0
        if dies:
            self.lose(owner)
        elif run.parking.reason or run.closed:
            self.leave(owner)
        return True

    def leave(self, owner: Owner) -> None:
        self.owners = [other for other in self.owners if other is not owner]

    def lose(self, owner: Owner) -> None:
        self.leave(owner)
        self.outbox = [(whose, effect) for whose, effect in self.outbox if whose is not owner]

    def carry_out(self, owner: Owner, effect: Command) -> None:
        match effect:
            case Enqueue(sub_task=task):
                self.queue.setdefault(task.id, task)
            case AcquireSession(request=request):
                ref = SessionRef(run=request.run, name=request.name, host="host-1")
                self.hints.append(SessionOpened(session=ref))
            case Conclude(verdict=verdict):
                self.announced.append(verdict)
                owner.concluded = True
                self.hints.append(TimerFired(timer="run"))
            case _:
                pass

    def work(self, id: str, kind: str) -> None:
        self.journals[id], self.truth[id] = result_of(self.queue[id], kind), kind
        self.hints.append(said(self.journals[id]))

    def ask(self, control: Control) -> None:
        self.controls.append(control)
        self.hints.append(ControlApplied(control=control))


TestRacingOwners = RacingOwners.TestCase
TestRacingOwners.settings = settings(stateful_step_count=40, max_examples=2 * settings().max_examples)
