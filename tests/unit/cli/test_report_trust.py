"""Whatever tested pages and models write into a report, it stays text: escaped, and without effect in a real browser."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from envelopes import a_task, result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.async_api import Page

from muster_cli.report_writer import index_html, run_folder
from muster_cli.run_outcome import CaseOutcome, make_report
from muster_protocol import events
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Entry
from muster_protocol.facts import Evidence
from muster_protocol.journal import CallFinished, CallStarted, ModelReplied, Taken
from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, ToolCall, ToolOutcome
from muster_protocol.verdicts import Verdict
from muster_reports.pages import page_of, run_page
from muster_reports.pages.material import Material, StoredFile, artifact_paths, content_type

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
        decision=Decision(action="stop", reason=text, recovery=text),
        artifacts=refs,
    )
    task = a_task(id=f"{RUN}.s1.1", run=RUN, node="s1", attempt=1, dispatch=1, description=text, expected_result=text)
    happened = (
        events.RunOpened(request=RunRequest(job=case, id=RUN), owner=text, message=1, delivery=1),
        events.PlanRefused(reasons=(text,)),
        events.PlanMade(plan=Plan(nodes=(node,))),
        events.SessionFailed(name=text, reason=text),
        events.SubTaskDispatched(sub_task=task),
        events.SubTaskEnded(outcome=result),
        events.RetryPlanned(node="s1", not_before=0, reason=text),
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
        entries=(Entry(epoch=1, at=1_700_000_000, events=happened),),
        journals={f"{RUN}.s1.1": journal},
        lines=(text,),
        files=files,
    )


def outcome_of(text: str, result: SubTaskResult) -> CaseOutcome:
    verdict = Verdict(
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
    return CaseOutcome(label=text, name=text, run=RUN, source=text, suite=text, step=text, verdict=verdict)


class _Elements(HTMLParser):
    """Collects the elements of a page, and every attribute that could run or fetch something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.suspicious: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            ours = (value or "").startswith(("#", "artifacts/", "../index.html", "log.txt", f"{RUN}-"))
            if name.startswith("on") or (name in ("href", "src", "action", "srcset", "data") and not ours):
                self.suspicious.append((name, value))


def pages(text: str, files: tuple[StoredFile, ...] = ()) -> tuple[str, str]:
    """Return the page of the evil run and its index."""
    material = evil(text, files)
    page = page_of(material)
    report = make_report([material.outcome], "", 1_700_000_000, 1.0)
    return run_page(page), index_html(report, {RUN: page})


@pytest.mark.parametrize("text", [*ATTACKS, EVERYTHING])
def test_a_text_adds_no_element_and_no_attribute(text: str):
    for page, plain in zip(pages(text), pages("harmless"), strict=True):
        assert _Elements(page).tags.count("script") == 1
        assert set(_Elements(page).tags) <= set(_Elements(plain).tags)
        assert [found for found in _Elements(page).suspicious if "index.html" not in (found[1] or "")] == []
        assert "1337" not in page


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet="<>\"'&{}%#/=\\ \n\x00\x1b\u202eab", max_size=60))
def test_no_text_at_all_adds_an_element(text: str):
    for page, plain in zip(pages(text), pages("harmless"), strict=True):
        assert set(_Elements(page).tags) <= set(_Elements(plain).tags)
        assert "\x1b" not in page and "\u202e" not in page and "\x00" not in page


def test_names_of_artefacts_can_neither_leave_the_folder_nor_run():
    paths = artifact_paths(NAMES, RUN)
    assert sorted(paths) == sorted(NAMES)
    for path in paths.values():
        assert path.startswith("artifacts/") and ".." not in path.split("/")
        assert not set(path) & set("<>\"':% ")
        assert not path.endswith((".html", ".svg", ".js"))


async def test_nothing_runs_in_a_real_browser_and_the_text_is_there_to_be_read(browser_page: Page, tmp_path: Path):
    types = {name: "image/png" for name in NAMES}
    files = tuple(StoredFile(n, p, 1, content_type(n, types)) for n, p in artifact_paths(NAMES, RUN).items())
    run, index = pages(EVERYTHING, files)
    errors: list[str] = []
    browser_page.on("dialog", lambda dialog: errors.append(dialog.message))
    browser_page.on("pageerror", lambda error: errors.append(str(error)))
    for name, html in (("run.html", run), ("index.html", index)):
        (tmp_path / name).write_text(html)
        await browser_page.goto((tmp_path / name).as_uri())
        await browser_page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        await browser_page.locator("body").hover()
        assert await browser_page.evaluate("window.hacked") is None
        assert "<script>window.hacked = 1</script>" in await browser_page.inner_text("body")
    assert errors == []


async def test_the_content_policy_stops_what_would_get_past_the_escaping(browser_page: Page, tmp_path: Path):
    hole = "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
    html = run_page(page_of(evil("harmless"))).replace("</main>", f"{hole}</main>")
    (tmp_path / "run.html").write_text(html)
    await browser_page.goto((tmp_path / "run.html").as_uri())
    assert await browser_page.locator("img[onerror]").count() == 1
    assert await browser_page.evaluate("window.hacked") is None
    await browser_page.click("text=Open all")
    assert await browser_page.locator("#steps details:not([open])").count() == 0


def test_the_folder_of_a_run_is_a_plain_name_whatever_the_case_is_called():
    for text in ATTACKS:
        folder = run_folder(CaseOutcome(label=text, name=text, run="../run/../x"))
        assert not set(folder) & set("/\\<>\"': ") and not folder.startswith(".")
