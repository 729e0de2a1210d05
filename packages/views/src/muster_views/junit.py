"""Renders JUnit XML: product faults are failures, environment and agent faults errors, cancelled runs skipped. Pure."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from xml.etree import ElementTree as ET

from muster_protocol.causes import Cause
from muster_views.outcome import CaseOutcome, Report, count_totals
from muster_views.summaries import GIVEN_UP, describe_failure, describe_results
from muster_views.texts import to_one_line, to_xml

ELEMENTS = {cause: "error" for cause in Cause} | {Cause.PRODUCT: "failure", Cause.CANCELLED: "skipped"}


def render_junit(report: Report) -> bytes:
    """Return the report as JUnit XML with one test suite per suite; valid whatever characters the texts contain."""
    root = ET.Element("testsuites", {"name": "muster", **_count_attributes(report.runs, report.duration)})
    tests = [outcome for outcome in report.runs if outcome.is_test]
    by_suite = sorted(tests, key=lambda outcome: outcome.suite)
    for suite, outcomes in groupby(by_suite, key=lambda outcome: outcome.suite):
        _add_suite(root, to_xml(suite) or "muster", list(outcomes), report.started_at)
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def _add_suite(root: ET.Element, name: str, outcomes: Sequence[CaseOutcome], started_at: float) -> None:
    duration = sum(outcome.verdict.duration for outcome in outcomes if outcome.verdict)
    when = datetime.fromtimestamp(started_at, UTC).isoformat(timespec="seconds")
    attributes = {"name": name, **_count_attributes(outcomes, duration), "timestamp": when}
    suite = ET.SubElement(root, "testsuite", attributes)
    for outcome, test in zip(outcomes, _name_tests(outcomes), strict=True):
        _add_case(suite, name, test, outcome)


def _name_tests(outcomes: Sequence[CaseOutcome]) -> list[str]:
    """Return a name for each run of a suite, no two alike: readers of JUnit files take equal ones for one test.

    Of cases with the same name, each is called with its file, or else with a number.
    """
    written, numbers = Counter(outcome.name for outcome in outcomes), Counter[str]()
    names: dict[str, None] = {}  # an ordered set
    for outcome in outcomes:
        name = unique = to_xml(outcome.name)
        if written[outcome.name] > 1 and outcome.source:
            name = unique = f"{name} ({to_xml(outcome.source)})"
        while unique in names:
            numbers[name] += 1
            unique = f"{name} #{numbers[name] + 1}"
        names[unique] = None
    return list(names)


def _add_case(suite: ET.Element, classname: str, test: str, outcome: CaseOutcome) -> None:
    verdict = outcome.verdict
    attributes = {
        "name": test,
        "classname": classname,
        "time": f"{verdict.duration if verdict else 0.0:.3f}",
    }
    if outcome.source:
        attributes |= {"file": to_xml(outcome.source), "line": str(outcome.line)}
    case = ET.SubElement(suite, "testcase", attributes)
    properties = ET.SubElement(case, "properties")
    labels = {"run": outcome.run, **(verdict.labels if verdict else {})}
    for name, value in labels.items():
        ET.SubElement(properties, "property", {"name": to_xml(name), "value": to_xml(value)})
    if outcome.cause is not None:
        _add_fail(case, outcome, outcome.cause)
    ET.SubElement(case, "system-out").text = to_xml("\n".join(describe_results(outcome)))


def _add_fail(case: ET.Element, outcome: CaseOutcome, cause: Cause) -> None:
    kind = ELEMENTS[cause] if outcome.verdict else "skipped"
    message = outcome.verdict.summary if outcome.verdict else outcome.standing or f"the run was {GIVEN_UP}"
    element = ET.SubElement(case, kind, {"message": to_one_line(to_xml(message), 500)})
    if kind != "skipped":  # JUnit's schema gives a skipped test a message and nothing else
        element.set("type", cause.value)
        element.text = to_xml("\n".join(f"{name}: {text}" for name, text in describe_failure(outcome)))


def _count_attributes(outcomes: Sequence[CaseOutcome], duration: float) -> dict[str, str]:
    counted = count_totals(outcomes)
    return {
        "tests": str(counted.runs),
        "failures": str(counted.product),
        "errors": str(counted.environment + counted.agent + counted.budget),
        "skipped": str(counted.cancelled + counted.without_verdict),
        "time": f"{duration:.3f}",
    }
