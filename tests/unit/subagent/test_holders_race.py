"""Several workers believe that a sub-task is theirs: its journal decides, whatever comes in between."""

from typing import Literal, NamedTuple

from envelopes import result_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalEntry,
    Question,
    Released,
    Revoked,
    Suspended,
    Taken,
)
from muster_protocol.tool_calls import Effect, ToolCall, ToolOutcome
from muster_subagent.task_journal import Progress, Standing, progressed, standing

CALLS: tuple[Effect, ...] = ("act", "read", "idempotent", "act", "check", "act")
"""What the sub-task does, in order."""
CHANGING = ("act", "idempotent")
DONE = Finished(outcome=result_of(task="r.n.1", node="n", attempt=1, status="pass", summary="done"))
ASKS = Question(id="r.n.1:0", text="Which?")
MOST = 12
"""Deliveries and copies that are handed out."""


class Call(NamedTuple):
    """A call that a holder is in the middle of."""

    number: int
    made: bool = False


class Holder:
    """A worker that was given a message of the sub-task, as far as it knows of it."""

    def __init__(self, message: int, delivery: int) -> None:
        self.message, self.delivery = message, delivery
        self.progress, self.read = Progress(), 0
        self.looked = delivery == 1
        """The first delivery appends without reading first."""
        self.took = False
        self.call: Call | None = None
        self.unknown: set[int] = set()
        """Acts that were under way when an earlier holder went: not made again."""

    @property
    def next(self) -> int:
        """The call that comes next, or how many there are."""
        known = self.progress.outcomes.keys() | self.unknown
        return next((index for index in range(len(CALLS)) if index not in known), len(CALLS))


def started(index: int) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool=f"tool_{index}"), effect=CALLS[index])


def came_back(index: int) -> CallFinished:
    return CallFinished(index=index, outcome=ToolOutcome(status="ok"))


def folded(entries: list[JournalEntry]) -> Progress:
    progress = Progress()
    for entry in entries:
        progress = progressed(progress, entry)
    return progress


class RacingHolders(RuleBasedStateMachine):
    """One journal, appended by compare-and-set, a session, and any number of holders that do not know of each other."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[JournalEntry, ...]] = []
        self.messages = {1: 0}
        """How often each message in the queue was handed out."""
        self.newest = 1
        self.holders: list[Holder] = []
        self.attached = 0
        """Number of the newest holder that the session has seen."""
        self.made: list[int] = []
        """Calls as the world saw them."""

    @precondition(lambda self: self.messages and sum(self.messages.values()) < MOST)
    @rule(data=st.data())
    def the_queue_hands_a_message_out(self, data: st.DataObject) -> None:
        self.hand_out(data.draw(st.sampled_from(sorted(self.messages))))

    @precondition(lambda self: self.newest < 4)
    @rule()
    def the_sub_task_is_queued_once_more(self) -> None:
        """By an owner that does not know that it was, or with the answer to what it asked."""
        self.newest += 1
        self.messages[self.newest] = 0

    @precondition(lambda self: self.holders)
    @rule(data=st.data(), steps=st.sampled_from((1, 1, 2, 3, 8)))
    def a_holder_goes_on(self, data: st.DataObject, steps: int) -> None:
        holder = data.draw(st.sampled_from(self.holders))
        for _ in range(steps):
            if holder in self.holders:
                self.step(holder)

    @precondition(lambda self: any(holder.took and holder.call is None for holder in self.holders))
    @rule(data=st.data(), how=st.sampled_from(("release", "suspend")))
    def a_holder_gives_it_back(self, data: st.DataObject, how: Literal["release", "suspend"]) -> None:
        idle = [holder for holder in self.holders if holder.took and holder.call is None]
        holder = data.draw(st.sampled_from(idle))
        if how == "release":
            self.append(holder, Released())
        elif self.append(holder, Suspended(waits=ASKS, message=holder.message)):
            self.ack(holder)
        self.leave(holder)

    @precondition(lambda self: len(self.holders) > 1)
    @rule(data=st.data())
    def a_holder_is_killed(self, data: st.DataObject) -> None:
        self.leave(data.draw(st.sampled_from(self.holders)))

    @rule(now=st.sampled_from((False,) * 4 + (True,)))
    def the_run_takes_it_back(self, now: bool) -> None:
        if now and len(self.batches) > 4 and not isinstance(self.entries[-1], Finished | Revoked):
            self.batches.append((Revoked(reason="the run has its verdict"),))

    @invariant()
    def nothing_is_done_that_was_not_announced_and_no_act_twice(self) -> None:
        announced = [entry.index for entry in self.entries if isinstance(entry, CallStarted)]
        for index, effect in enumerate(CALLS):
            if effect in CHANGING:
                assert index in announced or index not in self.made
            if effect == "act":
                assert announced.count(index) <= 1
                assert self.made.count(index) <= 1

    @invariant()
    def what_came_back_is_not_begun_again(self) -> None:
        done: set[int] = set()
        for entry in self.entries:
            if isinstance(entry, CallStarted):
                assert entry.index not in done
            elif isinstance(entry, CallFinished):
                assert entry.index not in done
                done.add(entry.index)

    @invariant()
    def nothing_follows_the_end(self) -> None:
        ends = [number for number, entry in enumerate(self.entries) if isinstance(entry, Finished | Revoked)]
        assert ends in ([], [len(self.entries) - 1])

    @invariant()
    def newer_holders_have_higher_numbers(self) -> None:
        progress, numbers = Progress(), list[int]()
        taken: dict[int, int] = {}
        for entry in self.entries:
            progress = progressed(progress, entry)
            if isinstance(entry, Taken):
                numbers.append(progress.holders)
                assert entry.delivery > taken.get(entry.message, 0)
                taken[entry.message] = entry.delivery
        assert numbers == sorted(set(numbers))

    @invariant()
    def a_holder_knows_a_beginning_of_the_journal_and_nothing_else(self) -> None:
        for holder in self.holders:
            assert holder.progress == folded([entry for batch in self.batches[: holder.read] for entry in batch])

    def teardown(self) -> None:
        """Whatever happened, one more delivery ends it, with all calls made; if it waits for an answer, then that."""
        self.holders.clear()
        over = self.over
        for message in sorted(self.messages):  # copies are taken out, one message stands for it
            self.hand_out(message)
            while self.holders:
                self.step(self.holders[-1])
        if not self.over:
            assert not self.entries or isinstance(self.entries[-1], Suspended), f"nobody goes on: {self.entries}"
            self.messages = {self.newest + 1: 0}
            self.hand_out(self.newest + 1)
            while self.holders:
                self.step(self.holders[-1])
        assert self.over
        if not over:
            assert set(folded(self.entries).started) == set(range(len(CALLS)))
        self.nothing_is_done_that_was_not_announced_and_no_act_twice()
        self.what_came_back_is_not_begun_again()
        self.nothing_follows_the_end()
        self.newer_holders_have_higher_numbers()

    @property
    def over(self) -> bool:
        return bool(self.batches) and isinstance(self.entries[-1], Finished | Revoked)

    @property
    def entries(self) -> list[JournalEntry]:
        return [entry for batch in self.batches for entry in batch]

    def hand_out(self, message: int) -> None:
        self.messages[message] += 1
        self.holders.append(Holder(message, self.messages[message]))

    def ack(self, holder: Holder) -> None:
        """Take the message out of the queue; who was silent until it was handed out again knows by its clock not to."""
        if self.messages.get(holder.message) == holder.delivery:
            del self.messages[holder.message]

    def leave(self, holder: Holder) -> None:
        self.holders = [other for other in self.holders if other is not holder]

    def append(self, holder: Holder, *batch: JournalEntry) -> bool:
        if holder.read != len(self.batches):
            return False
        self.batches.append(batch)
        for entry in batch:
            holder.progress = progressed(holder.progress, entry)
        holder.read = len(self.batches)
        return True

    def step(self, holder: Holder) -> None:
        """Let a holder do one thing, between any two of which anything may happen."""
        if not holder.took:
            self.take(holder)
        elif holder.call is not None:
            self.finish_call(holder, holder.call)
        else:
            self.begin_call(holder, holder.next)

    def take(self, holder: Holder) -> None:
        if not holder.looked:
            holder.progress, holder.read, holder.looked = folded(self.entries), len(self.batches), True
            return
        found = standing(holder.progress, holder.message, holder.delivery)
        if found is not Standing.MINE:
            if found is not Standing.OUTDATED:
                self.ack(holder)
            self.leave(holder)
        elif self.append(holder, Taken(worker="w", message=holder.message, delivery=holder.delivery)):
            holder.took = True
            self.attached = max(self.attached, holder.progress.holders)
        else:
            holder.looked = False

    def begin_call(self, holder: Holder, index: int) -> None:
        if index == len(CALLS):
            if self.append(holder, DONE):
                self.ack(holder)
            self.leave(holder)
        elif index in holder.progress.started and CALLS[index] == "act":
            holder.unknown.add(index)
        elif CALLS[index] in CHANGING and not self.append(holder, started(index)):
            self.leave(holder)
        else:
            holder.call = Call(index)

    def finish_call(self, holder: Holder, call: Call) -> None:
        """Make the call, unless the session has seen a newer holder; then report it."""
        if not call.made:
            if holder.progress.holders < self.attached:
                self.leave(holder)
                return
            assert call.number not in folded(self.entries).outcomes, "another holder has made it since"
            self.made.append(call.number)
            holder.call = Call(call.number, made=True)
            return
        begun = () if CALLS[call.number] in CHANGING else (started(call.number),)
        holder.call = None
        if not self.append(holder, *begun, came_back(call.number)):
            self.leave(holder)


TestRacingHolders = RacingHolders.TestCase
TestRacingHolders.settings = settings(stateful_step_count=40, max_examples=2 * settings().max_examples)
