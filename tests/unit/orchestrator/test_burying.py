"""The history of a run that costs one orchestrator after another."""

from envelopes import result_of

from muster_orchestrator.dead_letter_handling import describe_owners
from muster_protocol.events import Asked, Entry, Event, OwnerChanged, RunOpened, SubTaskEnded
from muster_protocol.requests import Drill, RunRequest

OPENED = RunOpened(request=RunRequest(job=Drill()), owner="a", message=1, delivery=1)
ENDED = SubTaskEnded(outcome=result_of(task="r.n.1", node="n", attempt=1, status="pass", summary=""))


def lost_to(owner: str, epoch: int) -> OwnerChanged:
    return OwnerChanged(owner=owner, epoch=epoch, message=1, delivery=epoch)


def log(*events: Event) -> list[Entry]:
    return [Entry(epoch=1, at=60.0 * number, events=(event,)) for number, event in enumerate(events)]


def test_each_owner_has_a_line_from_the_first_on():
    assert describe_owners(log(OPENED, lost_to("b", 2), lost_to("c", 3))) == (
        "1970-01-01 00:00:00 UTC: a took it",
        "1970-01-01 00:01:00 UTC: b took it over (owner 2)",
        "1970-01-01 00:02:00 UTC: c took it over (owner 3)",
    )


def test_it_begins_with_the_last_progress():
    assert describe_owners(log(OPENED, lost_to("b", 2), ENDED, lost_to("c", 3))) == (
        "1970-01-01 00:02:00 UTC: sub-task r.n.1 ended",
        "1970-01-01 00:03:00 UTC: c took it over (owner 3)",
    )
    asked = describe_owners(log(OPENED, Asked(question="q", text="?", task="r.n.2")))
    assert asked == ("1970-01-01 00:01:00 UTC: sub-task r.n.2 asked a person",)
