"""What each policy does with times that come while runs of the time before go on, against an oracle in plain words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from muster_orchestrator.trigger_rules import finish, next_decision
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Overlap, Schedule, Trigger, TriggerRow

EVERY, TIMES = 10, 12
START = 1_796_000_000.0 - 1_796_000_000.0 % EVERY


def played(overlap: Overlap, lengths: list[int]) -> tuple[list[tuple[float, float]], TriggerRow]:
    """Return due and start of each time that was fired, when somebody looks each second, and the row at the end."""
    trigger = Trigger(id="t", schedule=Schedule(every_seconds=EVERY), runs=(RunRequest(job=Drill()),), overlap=overlap)
    row, busy, fired = TriggerRow(trigger=trigger, handled_until=START), 0.0, list[tuple[float, float]]()
    for now in range(1, EVERY * TIMES + 1):
        while (changed := next_decision(row, START + now, overlapping=now < busy and overlap != "allow")) is not None:
            row = changed
            if row.pending:
                fired.append((row.pending.due - START, now))
                busy = now + lengths[len(fired) % len(lengths)]
                row = finish(row, (f"run-{len(fired)}",))
    return fired, row


def told(overlap: Overlap, lengths: list[int]) -> tuple[list[tuple[float, float]], int]:
    """Return the same in plain words, and how many times were skipped."""
    busy, waiting, skipped, fired = 0.0, 0.0, 0, list[tuple[float, float]]()

    def fire(due: float, now: float) -> float:
        fired.append((due, now))
        return now + lengths[len(fired) % len(lengths)]

    for now in range(1, EVERY * TIMES + 1):
        if waiting and now >= busy:
            busy, waiting = fire(waiting, now), 0.0
        if now % EVERY:
            continue
        if now >= busy or overlap in ("allow", "cancel"):
            busy = fire(now, now)
        elif overlap == "queue" and not waiting:
            waiting = now
        else:
            skipped += 1
    return fired, skipped


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(("skip", "queue", "allow", "cancel")), st.lists(st.integers(0, 45), min_size=1, max_size=6))
def test_each_policy_does_what_its_name_says(overlap: Overlap, lengths: list[int]):
    fired, row = played(overlap, lengths)
    wanted, skipped = told(overlap, lengths)
    assert (fired, row.fired, row.skipped, row.missed) == (wanted, len(wanted), skipped, 0)
    assert row.fired + row.skipped + bool(row.waiting) == TIMES
