"""Health of tests over many runs, and clusters of their fails."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_protocol.logs import FailureSite, RunRow
from muster_views import suite_health
from muster_views.failure_signatures import failure_signature
from muster_views.suite_health import CaseHealth, SuiteAnalyst, analyse, analyse_case

DAY = 86_400.0


def row(at: int, mark: str, name: str = "Buy", **more: Any) -> RunRow:
    """Return the run of a day: `.` passed, `F` failed, `E` failed through the environment, `C` was cancelled."""
    cause = {"F": "product", "E": "environment", "C": "cancelled"}.get(mark, "")
    fields: dict[str, Any] = {
        "summary": "it failed" if cause else "",
        "started_at": at * DAY,
        "ended_at": at * DAY + 10,
        **more,
    }
    return RunRow(run=f"run-{name}-{at}", name=name, status="fail" if cause else "pass", cause=cause, **fields)


def history(marks: str, **more: Any) -> list[RunRow]:
    return [row(at, mark, **more) for at, mark in enumerate(marks)]


def health_of(marks: str) -> CaseHealth:
    return analyse_case(history(marks))


@pytest.mark.parametrize(
    ("marks", "health"),
    [
        ("....................", "healthy"),
        (".....", "healthy"),
        ("....", "unknown"),
        ("F", "unknown"),
        ("..F..", "unknown"),
        ("..F..F.", "flaky"),
        ("FFFF", "broken"),
        ("...............FFFFF", "broken"),
        (".......FFFFF........", "healthy"),
        ("...............FFFFFFFFFF.", "broken"),
        ("...............FFFFFFFFFF..", "healthy"),
        ("...............FFFFFFFFFF.FF.", "broken"),
        (".............F.", "unknown"),
        ("..F...F..F.....F..F.", "flaky"),
        (".F.F.F.F.F.F.F.F.F.F", "flaky"),
        ("FFF.FF.FFF.F.FFF.F..", "flaky"),
        ("....F........FFF.........", "unknown"),
        (".....F.......FFFF....................F............", "unknown"),
    ],
)
def test_the_order_of_passes_and_fails_tells_the_health(marks: str, health: str):
    assert health_of(marks).health == health


def test_a_broken_test_names_the_run_since_which_it_fails():
    found = health_of("...............FFFFF")
    assert (found.broken_by, found.broken_since) == ("run-Buy-15", 15 * DAY + 10)


def test_one_pass_of_a_broken_test_changes_only_how_sure_it_is():
    before, after = health_of("." * 15 + "F" * 10), health_of("." * 15 + "F" * 10 + ".")
    assert after.broken_by == before.broken_by == "run-Buy-15"
    assert 0 < after.sure < before.sure


@given(st.lists(st.sampled_from(".F"), min_size=1, max_size=80))
def test_whatever_the_history_its_health_is_told_with_a_probability(marks: list[str]):
    found = health_of("".join(marks))
    assert 0 <= found.sure < 1 and (found.health == "broken") == bool(found.broken_by)


def test_a_test_that_never_passed_is_broken_since_its_first_run():
    assert health_of("FFFF").broken_by == "run-Buy-0"


def test_one_fail_after_many_passes_decides_nothing_yet():
    assert health_of("...................F").health == "unknown"


def test_runs_that_did_not_judge_the_product_are_counted_apart():
    found = health_of("....E.E......C......")
    assert (found.health, found.runs, found.failed, found.unjudged) == ("healthy", 17, 0, 2)


def test_only_the_newest_runs_count():
    assert health_of("FFFFF" * 4 + "." * 60).failed == 0


def test_a_rerun_that_passed_is_counted():
    rows = [*history("....F"), row(5, ".", rerun_of="run-Buy-4"), *(row(at, ".") for at in range(6, 10))]
    assert analyse_case(rows).passed_again == 1


def test_a_test_that_takes_longer_than_before_is_told():
    rows = [row(at, ".", ended_at=at * DAY + (10 if at < 10 else 31)) for at in range(15)]
    assert (analyse_case(rows).seconds, analyse_case(rows).slower) == (31, 3.1)


def test_a_duration_within_the_usual_spread_is_no_drift():
    rows = [row(at, ".", ended_at=at * DAY + (5 + 20 * (at % 2))) for at in range(15)]
    assert analyse_case(rows).slower == 0


def test_tests_of_two_suites_with_one_name_are_two_tests():
    rows = [*history("......", suite="a"), *history("FFFFFF", suite="b")]
    assert [(case.suite, case.health) for case in analyse(rows).cases] == [("b", "broken"), ("a", "healthy")]


def test_runs_in_progress_count_for_nothing():
    assert analyse([RunRow(run="r", name="Buy", status="running")]).cases == ()


def test_fails_that_differ_in_numbers_ids_and_hosts_alone_are_one_cluster():
    summaries = (
        'sub-task 3/9 (Click "Buy"): seen "$12.50" at http://127.0.0.1:4711/cart for 3f9c0a1b2c3d4e5f',
        'sub-task 4/9 (Click "Buy"): seen "$7.00" at http://shop.test/cart for 0a1b2c3d4e5f6a7b',
    )
    rows = [row(at, "F", f"test {at}", summary=text) for at, text in enumerate(summaries)]
    (cluster,) = analyse(rows).clusters
    assert (cluster.runs, cluster.cases, cluster.example) == (2, ("test 0", "test 1"), "run-test 1-1")


def test_other_messages_and_causes_are_other_clusters():
    rows = [row(0, "F", summary="no button"), row(1, "F", summary="no field"), row(2, "E", summary="no button")]
    assert len({failure_signature(it) for it in rows}) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FailureSite(page="/cart"), FailureSite(page="/orders/#")),
        (FailureSite(request="/api/cart"), FailureSite(page="/api/cart")),
        (FailureSite(clause='"Total" is "$#"'), FailureSite(clause='"Tax" is "$#"')),
    ],
)
def test_fails_with_one_message_that_show_elsewhere_are_other_clusters(one: FailureSite, other: FailureSite):
    found = analyse([row(0, "F", site=one), row(1, "F", site=other), row(2, "F", site=one)]).clusters
    assert [(cluster.runs, cluster.site) for cluster in found] == [(2, one), (1, other)]


def test_which_step_of_which_case_found_a_fault_does_not_part_its_fails():
    texts = ('sub-task 3/9 (Click "Buy"): seen "$1"', 'sub-task 7/8 (Open the cart): seen "$22"')
    assert len({failure_signature(row(0, "F", summary=text)) for text in texts}) == 1


def test_a_label_says_how_probable_it_is():
    assert 0.7 <= health_of("..F.......F..............").sure < health_of("..F.F...F..F.....F..F....").sure < 1
    assert (health_of(".....").sure, health_of("F").sure, health_of("..F..").sure) == (0.96, 0.0, 0.0)


def test_a_second_look_is_the_same_as_a_first_one_and_works_out_only_what_has_changed(monkeypatch: pytest.MonkeyPatch):
    looked: list[str] = []

    def look(rows: Sequence[RunRow]) -> CaseHealth:
        looked.append(rows[-1].name)
        return analyse_case(rows)

    monkeypatch.setattr(suite_health, "analyse_case", look)
    rows = [*history(".....F"), *history("......", name="Sell")]
    analyst = SuiteAnalyst()
    analyst.analyse(rows)
    assert analyst.analyse(list(rows)) == analyse(rows)
    looked.clear()
    more = [*rows, row(9, "F", name="Sell")]
    assert analyst.analyse(more) == SuiteAnalyst().analyse(more)
    assert looked == ["Sell", "Buy", "Sell"], "one look by who knows the rest, two by who does not"
    assert analyst.analyse(rows[:6]).cases == analyse(rows[:6]).cases


def test_each_day_tells_what_its_runs_came_to():
    found = analyse([*history("..FEC", tokens=10, cost=0.5), row(2, ".", "Sell")]).days
    assert [(day.day, day.passed, day.failed, day.unjudged, day.tokens) for day in found] == [
        (0.0, 1, 0, 0, 10),
        (DAY, 1, 0, 0, 10),
        (2 * DAY, 1, 1, 0, 10),
        (3 * DAY, 0, 0, 1, 10),
    ]


@given(st.lists(st.sampled_from(".FEC"), min_size=1, max_size=80))
def test_every_history_has_one_health_and_counts_that_add_up(marks: Sequence[str]):
    found = health_of("".join(marks))
    judged = [mark for mark in marks if mark in ".F"][-60:]
    assert (found.runs, found.failed) == (len(judged), judged.count("F"))
    assert (found.health == "broken") == bool(found.broken_by)
    if found.health == "broken":
        assert judged[-1] == "F" or judged.count("F") > len(judged) / 2


def test_jobs_that_are_no_tests_do_not_count():
    drills = history("..FF.", job="drill")
    assert analyse(drills) == suite_health.SuiteHealth(cases=(), clusters=())
    assert analyse([*drills, *history("F.", name="Sell")]) == analyse(history("F.", name="Sell"))
