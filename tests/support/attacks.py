"""Texts of tested pages and models that attack a report, and a run whose every text is one of them."""

from envelopes import a_task, result_of

from muster_cli.report_writer import index_html
from muster_protocol import events
from muster_protocol.causes import Cause, Failure
from muster_protocol.facts import Evidence
from muster_protocol.journal import CallFinished, CallStarted, ModelReplied, Taken
from muster_protocol.kinds import Decision, EvaluateOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, ToolCall, ToolOutcome
from muster_protocol.verdicts import Verdict
from muster_views.history import fold_events
from muster_views.html import build_page, render_run
from muster_views.journal_moments import TimedEntry
from muster_views.material import Material, StoredFile
from muster_views.outcome import CaseOutcome, build_report

RUN = "run-1"
ATTACKS = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "' onmouseover='window.hacked = 1' x='",
    "</pre></dd></table></style></script><svg onload=window.hacked=1>",
    "{{ 7 * 191 }}{% include 'page.html' %}",
    "javascript:window.hacked=1",
)
EVERYTHING = " ".join(ATTACKS)
NAMES = (
    f"{RUN}/../../../etc/cron.d/evil.png",
    f'{RUN}/a" onerror="window.hacked=1.png',
    f"{RUN}/javascript:window.hacked=1",
    f"{RUN}/<script>.html",
    "/etc/shadow",
)


def evil(text: str, files: tuple[StoredFile, ...] = ()) -> Material:
    """Return a run that says the text wherever a page, a model or a person can say something."""
    case = TestCase(name=text[:300] or "-", preconditions=(text,), steps=(Step(action=text or "-", expected=text),))
    node = PlanNode(id="s1", covers=(0,), description=text, expected_result=text)
    refs = tuple(ArtifactRef(name=file.name, sha256="0", size=1, content_type=text) for file in files)
    evidence = (
        Evidence(clause=text, check=text, arguments=text, call=3, passed=False, expected=text, seen=text, where=text),
        Evidence(clause="other", check="look", arguments=f'{{"question": {text!r}}}', call=1, passed=True, seen=text),
    )
    result = result_of(
        task=f"{RUN}.s1.1",
        node="s1",
        attempt=1,
        status="fail",
        summary=text,
        worker=text,
        failure=Failure.EXPECTATION_FALSE,
        expected=text,
        seen=text,
        where=text,
        captured={text: text},
        evidence=evidence,
        artifacts=refs,
    )
    decided = EvaluateOutput(decision=Decision(action="stop", reason=text, recovery=text))
    judged = a_task(id=f"{RUN}.s1-e1.1", kind="evaluate", about="s1", description=text, agent=text)
    evaluation = SubTaskResult(
        task=judged.id, node=judged.node, attempt=1, status="pass", summary=text, worker=text, output=decided
    )
    task = a_task(id=f"{RUN}.s1.1", run=RUN, node="s1", attempt=1, dispatch=1, description=text, expected_result=text)
    happened = (
        events.RunOpened(request=RunRequest(job=case, id=RUN), owner=text, message=1, delivery=1),
        events.PlanRefused(reasons=(text,)),
        events.PlanMade(plan=Plan(nodes=(node,))),
        events.SessionFailed(name=text, reason=text),
        events.SubTaskDispatched(sub_task=task),
        events.SubTaskEnded(outcome=result),
        events.SubTaskDispatched(sub_task=judged),
        events.SubTaskEnded(outcome=evaluation),
        events.RetryPlanned(node="s1", not_before=0, reason=text),
        events.VerdictReached(verdict=verdict_of(text, result)),
    )
    outcome = ToolOutcome(status="error", text=text, expected=text, seen=text, captured={text: text}, artifacts=refs)
    journal = (
        Taken(worker=text, message=1, delivery=1),
        CallStarted(index=0, call=ToolCall(tool=text, arguments={text: text, "list": [text]}), effect="act"),
        CallFinished(index=0, outcome=outcome),
        ModelReplied(index=0, reply=text),
        Taken(worker=text, message=1, delivery=2),
    )
    return Material(
        outcome=outcome_of(text, result),
        history=fold_events((1_700_000_000.0, event) for event in happened),
        journals={f"{RUN}.s1.1": tuple(TimedEntry(0.0, entry) for entry in journal)},
        lines=(text,),
        files=files,
    )


def verdict_of(text: str, result: SubTaskResult) -> Verdict:
    return Verdict(
        run=RUN,
        name=text,
        status="fail",
        cause=Cause.PRODUCT,
        summary=text,
        suite=text,
        labels={text: text},
        tags=(text,),
        failed_node="s1",
        expected=text,
        seen=text,
        where=text,
        results=(result,),
    )


def outcome_of(text: str, result: SubTaskResult) -> CaseOutcome:
    verdict = verdict_of(text, result)
    return CaseOutcome(label=text, name=text, run=RUN, source=text, suite=text, step=text, verdict=verdict)


def pages(text: str, files: tuple[StoredFile, ...] = ()) -> tuple[str, str]:
    """Return the page of the evil run and its index."""
    material = evil(text, files)
    page = build_page(material)
    report = build_report([material.outcome], "", 1_700_000_000, 1.0)
    return render_run(page), index_html(report, {RUN: page})
