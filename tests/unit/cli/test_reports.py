"""What is made of outcomes: table, JUnit, JSON and the index page. All pure."""

import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import msgspec
import pytest
from envelopes import result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from muster_cli.report_writer import index_html
from muster_cli.table import failed_outcomes, failure_text, verdict_table
from muster_protocol.causes import Cause
from muster_protocol.verdicts import Verdict
from muster_views.folder import folder_name, to_json
from muster_views.html import File, build_page
from muster_views.html.render import isolate
from muster_views.junit import render_junit
from muster_views.material import Material, artifact_path, artifact_paths
from muster_views.outcome import CaseOutcome, Report, build_report
from muster_views.summaries import build_row, describe_failure, describe_totals
from muster_views.texts import strip_controls

EVIL = "\x1b[31m[bold]<script>&\x00\"'\ufffe\ud7ff]]>"


def outcome(
    label: str, cause: Cause | None = None, *, suite: str = "shop", text: str = "the total is wrong"
) -> CaseOutcome:
    status = "fail" if cause else "pass"
    result = result_of(task="t", node="s1", status=status, summary=text)
    verdict = Verdict(
        run=f"run-{label}",
        name=f"Case {label}",
        status=status,
        cause=cause,
        summary=text,
        suite=suite,
        labels={"team": "a"},
        failed_node="s1" if cause else "",
        expected="$89.97" if cause else "",
        seen="$29.99" if cause else "",
        where="http://127.0.0.1/cart" if cause else "",
        results=(result,),
        duration=2.5,
    )
    return CaseOutcome(
        label=label,
        name=f"Case {label} {text}",
        run=f"run-{label}",
        source="cases/a.yaml",
        line=2,
        suite=suite,
        step='step 4: Select "3"' if cause else "",
        step_line=17,
        steps_done=3,
        steps_total=4,
        verdict=verdict,
    )


def report(*outcomes: CaseOutcome) -> Report:
    return build_report(outcomes, "", 1_700_000_000.0, 12.0)


MIXED = report(
    outcome("good"),
    outcome("product", Cause.PRODUCT),
    outcome("environment", Cause.ENVIRONMENT, suite="other"),
    outcome("agent", Cause.AGENT),
    outcome("cancelled", Cause.CANCELLED),
    CaseOutcome(label="none", name="None", run="run-none", suite="shop"),
)


def printed(value: object) -> str:
    out = io.StringIO()
    Console(file=out, width=160, color_system=None).print(value)
    return out.getvalue()


def test_the_table_has_a_row_for_each_run():
    rows = [" ".join(line.split()) for line in printed(verdict_table(MIXED)).splitlines()]
    assert "good pass 3/4 2.5 s the total is wrong" in rows
    assert "product fail product 3/4 2.5 s the total is wrong" in rows
    assert "none none 0/0 given up before it had a verdict" in rows


def test_the_table_can_show_what_was_expected():
    text = printed(verdict_table(report(outcome("bug", Cause.PRODUCT)), {"run-bug": "fail (product)"}))
    assert "expected" in text and "actual" in text
    assert "bug fail (product) fail product 3/4" in " ".join(text.split())


def test_the_totals_name_each_kind_of_end():
    ends = ["1 passed", *(f"1 failed ({cause})" for cause in ("product", "environment", "agent")), "1 cancelled"]
    assert describe_totals(MIXED) == f"{', '.join(ends)}, 1 without a verdict in 12 s"


def test_a_fail_says_what_was_expected_and_seen_where_and_in_which_step():
    assert describe_failure(outcome("x", Cause.PRODUCT)) == [
        ("written in", "cases/a.yaml:17"),
        ("failed", 'step 4: Select "3"'),
        ("expected", "$89.97"),
        ("seen", "$29.99"),
        ("where", "http://127.0.0.1/cart"),
    ]


def test_only_fails_that_nobody_asked_for_are_explained():
    assert [found.label for found in failed_outcomes(MIXED)] == ["product", "environment", "agent"]


def test_unverified_steps_are_told():
    verdict = Verdict(run="r", name="n", status="pass", summary="ok", unverified=2)
    assert build_row(CaseOutcome(label="a", name="n", run="r", verdict=verdict)).summary == "ok (2 steps unverified)"
    said = Verdict(run="r", name="n", status="pass", summary="3 of 3 sub-tasks passed, 1 unverified", unverified=1)
    assert build_row(CaseOutcome(label="a", name="n", run="r", verdict=said)).summary == said.summary


def test_markup_and_escapes_of_a_page_reach_no_terminal():
    text = printed(failure_text(outcome("x", Cause.PRODUCT, text=EVIL))) + printed(
        verdict_table(report(outcome("x", Cause.PRODUCT, text=EVIL)))
    )
    assert "[bold]<script>" in text
    assert "\x1b" not in text and "\x00" not in text


def test_junit_has_a_suite_for_each_suite_with_the_right_counts():
    root = ET.fromstring(render_junit(MIXED))
    assert root.tag == "testsuites"
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "1",
        "errors": "2",
        "skipped": "2",
    }
    assert [(suite.get("name"), suite.get("tests"), suite.get("errors")) for suite in root] == [
        ("other", "1", "1"),
        ("shop", "5", "1"),
    ]
    assert root[0].get("timestamp") == "2023-11-14T22:13:20+00:00"


@pytest.mark.parametrize(
    ("label", "element"),
    [
        ("product", "failure"),
        ("environment", "error"),
        ("agent", "error"),
        ("cancelled", "skipped"),
        ("none", "skipped"),
    ],
)
def test_junit_tells_a_products_fail_from_an_error_and_from_a_cancellation(label: str, element: str):
    (case,) = ET.fromstring(render_junit(report(*(run for run in MIXED.runs if run.label == label)))).iter("testcase")
    ends = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    assert ends == [element]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"שלום" 3 "סל 4" & <b>', '<bdi>"שלום"</bdi> 3 <bdi>"סל 4"</bdi> &amp; &lt;b&gt;'),
        ("expected «عدد 5», seen “٧”", "expected <bdi>«عدد 5»</bdi>, seen <bdi>“٧”</bdi>"),
        ('Click "A" <3', 'Click "A" &lt;3'),
        ('one " left: שלום 3', 'one " left: שלום 3'),
    ],
)
def test_a_quoted_part_has_its_own_direction_where_one_writes_from_right_to_left(text: str, shown: str):
    assert str(isolate(text)).replace("&#34;", '"') == shown
    assert isolate(text).striptags() == " ".join(strip_controls(text).split())


def test_junit_gives_no_two_tests_of_a_suite_one_name():
    def named(name: str, source: str = "", suite: str = "shop") -> CaseOutcome:
        return CaseOutcome(label="", name=name, run="run-1", source=source, suite=suite)

    cases = [named("A", "x/a.yaml"), named("A", "y/a.yaml"), named("B", "x/b.yaml"), named("A", suite="other")]
    runs = [named("C", suite="third") for _ in range(3)] + [named("C #2", suite="third")]
    root = ET.fromstring(render_junit(report(*cases, *runs)))
    told = {suite.get("name"): [case.get("name") for case in suite] for suite in root}
    assert told == {
        "shop": ["A (x/a.yaml)", "A (y/a.yaml)", "B"],
        "other": ["A"],
        "third": ["C", "C #2", "C #3", "C #2 #2"],
    }


def test_junit_holds_the_details_and_the_lines_of_a_fail():
    root = ET.fromstring(render_junit(report(outcome("x", Cause.PRODUCT))))
    failure = root.find(".//failure")
    assert failure is not None and failure.text is not None
    assert (failure.get("type"), failure.get("message")) == ("product", "the total is wrong")
    assert "expected: $89.97\nseen: $29.99" in failure.text
    out = root.findtext(".//system-out") or ""
    assert out.split("\n") == ["1. FAIL: the total is wrong", "VERDICT: FAIL (product): the total is wrong"]
    assert {p.get("name"): p.get("value") for p in root.iter("property")} == {"run": "run-x", "team": "a"}


@settings(deadline=None)
@given(st.text(), st.text())
def test_junit_and_the_index_are_valid_whatever_the_texts_hold(text: str, suite: str):
    made = report(outcome("x", Cause.PRODUCT, text=text, suite=suite), outcome("y", Cause.AGENT, text=EVIL))
    assert len(list(ET.fromstring(render_junit(made)).iter("testcase"))) == 2
    parser = _Tags()
    parser.feed(index_html(made, {}))
    assert parser.tags.count("tr") == 3
    assert parser.tags.count("script") == 1  # its own


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_the_index_links_the_page_of_each_run():
    made = report(outcome("x", Cause.PRODUCT))
    pages = {run.run: build_page(Material(outcome=run)) for run in made.runs}
    page = index_html(made, pages, (File(path="services/gateway.log", name="gateway.log", size="1 kB"),))
    assert f'<a href="{folder_name(made.runs[0])}/index.html">Case x the total is wrong</a>' in page
    assert '<a href="services/gateway.log">gateway.log</a>' in page


def test_the_index_offers_the_filters_that_leave_something():
    page = index_html(MIXED, {})
    counts = {"all": 6, "pass": 1, "fail": 4, "product": 1, "environment": 1, "agent": 1, "cancelled": 1, "none": 1}
    for kind, count in counts.items():
        assert re.search(rf'id="show-{kind}"[^<]*><label for="show-{kind}">[\w ]+ <b>{count}</b>', page), kind
    assert 'id="show-again"' not in page
    assert 'id="show-product"' not in index_html(report(outcome("good")), {})


def test_json_is_one_document_with_verdicts_and_totals():
    document = msgspec.json.decode(to_json(MIXED))
    assert document["exit_code"] == 1
    assert document["totals"]["runs"] == len(document["runs"]) == 6
    assert document["runs"][1]["verdict"]["cause"] == "product"
    assert document["runs"][5]["verdict"] is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("run-1/main/trace.zip", "artifacts/main/trace.zip"),
        ("run-1/../../etc/passwd", "artifacts/etc/passwd.txt"),
        ("/etc/passwd", "artifacts/etc/passwd.txt"),
        ("run-1/a b/.ssh", "artifacts/a-b/ssh.txt"),
        ("run-1", "artifacts/unnamed.txt"),
        ("run-1/main/page.HTML", "artifacts/main/page.HTML.txt"),
        ("run-1/main/page.unknown", "artifacts/main/page.unknown.txt"),
        ("run-1/main/run.har", "artifacts/main/run.har"),
        ("run-1/main/logo.svg", "artifacts/main/logo.svg.txt"),
    ],
)
def test_an_artifact_stays_below_its_runs_folder(name: str, path: str):
    assert str(artifact_path(name, "run-1")) == path


def test_artifacts_whose_names_become_the_same_do_not_replace_each_other():
    names = ["r/a b.png", "r/a-b.png", "r/A-b.png", "r/a-b.png/inner.txt", "r/x", "r/x/y"]
    paths = list(artifact_paths(names, "r").values())
    assert len({path.casefold() for path in paths}) == len(names)
    assert not [(one, other) for one in paths for other in paths if other.casefold().startswith(f"{one.casefold()}/")]


def test_run_folders_are_distinct_and_readable():
    assert folder_name(CaseOutcome(label="03-cart (bug)", name="x", run="run-0123456789abcdef")) == "03-cart-bug-abcdef"
