"""A run's log, journals and files as a report gets them."""

from typing import Any

from envelopes import a_task, result_of

from muster_protocol import events
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Entry, Event
from muster_protocol.facts import Evidence
from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Usage
from muster_protocol.verdicts import Verdict
from muster_views.history import events_in, fold_events
from muster_views.html import RunPage, build_page
from muster_views.material import Material, StoredFile
from muster_views.outcome import CaseOutcome

RUN = "run-0123456789abcdef"
CASE = TestCase(
    name="A visitor pays",
    preconditions=("The shop is open",),
    variables={"base": "http://shop"},
    steps=(
        Step(action='Open "${base}/cart" and click "Pay"', expected='The text "Paid" is visible and "Total" is "$5"'),
        Step(action="Fetch the invoice", expected='The file "a.pdf" is there'),
    ),
)
PICTURE = ArtifactRef(name=f"{RUN}/s1/shot.png", sha256="0", size=2_500, content_type="image/png")
TRACE = ArtifactRef(name=f"{RUN}/session/main-trace.zip", sha256="0", size=1_200_000, content_type="application/zip")
FILES = (
    StoredFile(PICTURE.name, "artifacts/s1/shot.png", 2_500, "image/png"),
    StoredFile(f"{RUN}/x/left.png", "artifacts/x/left.png", 10, "image/png"),
    StoredFile(TRACE.name, "artifacts/session/main-trace.zip", 1_200_000, "application/zip"),
    StoredFile("log.txt", "log.txt", 10),
)
NODES = (
    PlanNode(id="p1", description="The shop is open", precondition=True, expected_result="The shop is open"),
    PlanNode(id="s1", covers=(0,), description='Open "${base}/cart"'),
    PlanNode(id="s2", covers=(0,), description='Click "Pay"', expected_result=CASE.steps[0].expected),
    PlanNode(id="x", description="Wait for the invoice"),
    PlanNode(id="s3", covers=(1,), description="Fetch the invoice", expected_result=CASE.steps[1].expected),
)
PLANNED = (events.PlanMade(plan=Plan(nodes=NODES)),)


def task(node: str, attempt: int = 1, kind: str = "step", **more: Any) -> SubTask:
    planned = next((one for one in NODES if one.id == node), None)
    texts = {"description": planned.description, "expected_result": planned.expected_result} if planned else {}
    known: dict[str, Any] = {"values": CASE.variables, **texts, **more}
    return a_task(id=f"{RUN}.{node}.{attempt}", run=RUN, node=node, attempt=attempt, dispatch=1, kind=kind, **known)


def result(node: str, status: Any = "pass", attempt: int = 1, **more: Any) -> SubTaskResult:
    known: dict[str, Any] = {"summary": f"{node} {status}", "worker": "worker-a", **more}
    kind = "plan" if "plan" in known else "evaluate" if "decision" in known else "step"
    return result_of(f"{RUN}.{node}.{attempt}", kind=kind, status=status, **known)


def check(clause: str, call: int, passed: bool = True, **more: Any) -> Evidence:
    facts = {"by": "phrase", "about": "page", "wanted": ("Paid",), "relation": "contains"}
    known: dict[str, Any] = {"check": "check_text", "arguments": '{"text":"Paid"}', "seen": "Paid!", **facts, **more}
    return Evidence(clause=clause, call=call, passed=passed, **known)


def tried(given: SubTask, ended: SubTaskResult | None = None) -> tuple[Event, ...]:
    dispatched = events.SubTaskDispatched(sub_task=given)
    return (dispatched, events.SubTaskEnded(outcome=ended)) if ended else (dispatched,)


def log(*happened: Event) -> tuple[Entry, ...]:
    """Return a log with one entry an event, each half a second after the one before."""
    opened = events.RunOpened(request=RunRequest(job=CASE, id=RUN), owner="o", message=1, delivery=1)
    return tuple(
        Entry(epoch=1, at=1_700_000_000 + number / 2, events=(event,))
        for number, event in enumerate((opened, *happened))
    )


def outcome(status: Any = "pass", cause: Cause | None = None, **more: Any) -> CaseOutcome:
    known: dict[str, Any] = {"summary": "so it ended", "duration": 12.3, "tags": ("smoke",), **more}
    verdict = Verdict(run=RUN, name=CASE.name, status=status, cause=cause, **known)
    return CaseOutcome(label="pay", name=CASE.name, run=RUN, source="cases/pay.yaml", line=3, verdict=verdict)


RECOVERED = log(
    *tried(task("plan", kind="plan"), result("plan", plan=Plan(nodes=NODES), source="model")),
    events.PlanMade(plan=Plan(nodes=NODES)),
    *tried(task("p1"), result("p1", evidence=(check("The shop is open", 1),))),
    *tried(task("s1"), result("s1", unverified=True, artifacts=(PICTURE,))),
    *tried(
        task("s2"), result("s2", "fail", failure=Failure.COMMAND_MISSING, seen="no such command", expected="it runs")
    ),
    *tried(
        task("s2-e1", kind="evaluate", about="s2"),
        result("s2-e1", decision=Decision(action="recover", reason="a tool is missing", recovery="Install the tool")),
    ),
    *tried(task("s2-r1", description="Install the tool", about="s2"), result("s2-r1")),
    *tried(
        task("s2", 2),
        result(
            "s2",
            attempt=2,
            source="model",
            iterations=4,
            last_act=2,
            usage=Usage(calls=3, model_calls=4, input_tokens=3_000, output_tokens=200, cost=0.0123),
            evidence=(check('The text "Paid" is visible', 3), check('"Total" is "$5"', 1)),
        ),
    ),
    *tried(task("x"), result("x", "error")),
    events.RetryPlanned(node="x", not_before=0, reason="the worker was lost"),
    *tried(task("x", 2), result("x", attempt=2)),
    *tried(task("s3"), result("s3")),
)


def page(entries: tuple[Entry, ...] = RECOVERED, **more: Any) -> RunPage:
    known: dict[str, Any] = {"outcome": outcome(), "files": FILES, **more}
    ended = events.VerdictReached(verdict=known["outcome"].verdict)
    history = fold_events((*events_in(entries), (1_700_000_099.0, ended)), RUN)
    return build_page(Material(history=history, **known))


def sub_task(made: RunPage, node_title: str) -> Any:
    return next(part for group in made.groups for part in group.sub_tasks if node_title in part.node.title)
