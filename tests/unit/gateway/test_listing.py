"""Pages of the list of runs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_gateway.batch_routes import view_batch
from muster_gateway.lists.run_list import RunFilter, build_page, decode_cursor, encode_cursor, sort_key
from muster_protocol.logs import RunRow

ROWS = st.lists(
    st.builds(
        RunRow,
        run=st.from_regex(r"[a-z]{1,3}", fullmatch=True),
        name=st.just("n"),
        status=st.sampled_from(["queued", "running", "pass", "fail"]),
        suite=st.sampled_from(["", "a", "b"]),
        tags=st.sampled_from([(), ("smoke",)]),
        requested_at=st.sampled_from([0.0, 1.5, 2.25, 1796000000.123456]),
        started_at=st.sampled_from([0.0, 3.5]),
    ),
    unique_by=lambda row: row.run,
    max_size=30,
)


@given(ROWS, st.integers(1, 7))
def test_paging_shows_each_run_once_newest_first(rows: list[RunRow], limit: int):
    seen: list[RunRow] = []
    after = None
    while True:
        found = build_page(rows, RunFilter(), limit, after)
        seen += found.runs
        if not found.cursor:
            break
        after = decode_cursor(found.cursor)
        assert after is not None
    assert seen == sorted(rows, key=sort_key, reverse=True)


@given(ROWS)
def test_filters_are_combined(rows: list[RunRow]):
    found = build_page(rows, RunFilter(("pass",), "a", "smoke"), 100)
    wanted = {row.run for row in rows if row.status == "pass" and row.suite == "a" and "smoke" in row.tags}
    assert {row.run for row in found.runs} == wanted
    assert found.cursor == ""


@given(st.floats(0, 1e12), st.text(max_size=64))
def test_a_cursor_stands_for_its_place(when: float, run: str):
    assert decode_cursor(encode_cursor((when, run))) == (when, run)


@given(st.text(max_size=40))
def test_any_text_is_a_cursor_or_none_but_no_error(text: str):
    assert decode_cursor(text) is None or isinstance(decode_cursor(text), tuple)


@pytest.mark.parametrize(
    ("statuses", "state"),
    [(("pass", "done"), "passed"), (("pass", "fail"), "failed"), (("fail", "running"), "running")],
)
def test_a_batch_has_passed_once_all_its_runs_have_and_failed_once_all_are_over(statuses: tuple[Any, Any], state: str):
    rows = [RunRow(run=f"r{at}", name="n", status=it, labels={"batch": "b"}) for at, it in enumerate(statuses)]
    found = view_batch("b", [*rows, RunRow(run="x", name="n", status="fail")])

    assert found is not None
    assert (found.state, len(found.runs)) == (state, 2)
    assert view_batch("c", rows) is None
