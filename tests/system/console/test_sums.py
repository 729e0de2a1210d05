"""What the console works out by itself, in the browser that runs it: pure functions of its modules."""

from typing import Any

import pytest
from browsing import visiting

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]


async def asked(stage: Stage, module: str, expression: str, *given: object) -> Any:
    """Return what an expression of a module's functions (as `m`) and the arguments (as `a`) is."""
    async with visiting(stage.site, "/console/nowhere") as (page, _):
        source = f"async (a) => {{ const m = await import('/console/{module}'); return {expression}; }}"
        return await page.evaluate(source, list(given))


def row(run: str, at: float, **more: object) -> dict[str, object]:
    return {"run": run, "name": run, "status": "queued", "requested_at": at, **more}


async def test_values_are_written_as_people_read_them(stage: Stage) -> None:
    seconds = [0.42, 8.34, 9.96, 59.7, 125, 3599.6, 3840, 90_000]
    assert await asked(stage, "format.js", "a.map(m.duration)", *seconds) == [
        "420 ms", "8.3 s", "10 s", "1 m 00 s", "2 m 05 s", "1 h 00 m", "1 h 04 m", "1 d 1 h",
    ]  # fmt: skip
    assert await asked(stage, "format.js", "a.map(m.count)", 873, 12_400, 999_960, 3_100_000) == [
        "873", "12.4k", "1M", "3.1M",
    ]  # fmt: skip
    assert await asked(stage, "format.js", "a.map(m.money)", 0, 0.00001, 0.0042, 0.31, 12.4) == [
        "", "<$0.0001", "$0.0042", "$0.31", "$12.40",
    ]  # fmt: skip
    assert await asked(stage, "format.js", "a.map(m.bytes)", 812, 4200, 31_000_000) == ["812 B", "4.2 kB", "31 MB"]


async def test_only_web_addresses_become_links_and_disguises_are_taken_off_texts(stage: Stage) -> None:
    good = ["https://example.org/a", "http://x", "/runs/a", "a.png"]
    bad = [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "",
        "java\nscript:x",
    ]
    links = await asked(stage, "format.js", "a.map(one => m.safeHref(one) ?? null)", *good, *bad)
    assert links == good + [None] * len(bad)
    text = await asked(
        stage, "format.js", "m.plain(a[0])", "a\x1b[31mred\x1b[0m\r\n\u202eexe\u2066\x07\tb\nc\x1b]0;t\x07d"
    )
    assert text == "ared\n\ufffdexe\ufffd\ufffd\tb\ncd"


async def test_a_number_after_quoted_words_from_right_to_left_stays_behind_them(stage: Stage) -> None:
    texts = ['"שלום" 3 "סל 4"', "expected «عدد 5», seen “٧”", 'Click "A" 3', 'one " left: שלום 3']
    parts = await asked(
        stage, "format.js", "a.map(one => m.quoted(one).filter(it => it.apart).map(it => it.text))", *texts
    )
    assert parts == [['"שלום"', '"סל 4"'], ["«عدد 5»", "“٧”"], [], []]
    drawn = """(async () => { const { html, render } = await import('/console/html.js'), ui = await import('/console/ui.js');
        render(html`<p><bdi>${ui.isolated(a[0])}</bdi></p>`, document.body);
        const place = (text) => { const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let one; (one = walk.nextNode());) { const at = one.data.indexOf(text); if (at < 0) continue;
                const range = new Range(); range.setStart(one, at); range.setEnd(one, at + text.length);
                return range.getBoundingClientRect().left; } };
        return ['שלום', '3', 'סל'].map(place); })()"""
    places = await asked(stage, "format.js", f"await {drawn}", texts[0])
    assert places == sorted(places), "as written, from left to right"


async def test_addresses_lead_to_pages_whatever_a_case_is_called(stage: Stage) -> None:
    names = ["A visitor buys", "a/b", "100 %", "..", ".", "ü?x=1#y", "runs"]
    code = """a.map(one => { const url = new URL(m.caseHref(one), location.origin); const found = m.route(url.pathname);
        return [found.page, found.arg || url.searchParams.get('name')]; })"""
    assert await asked(stage, "router.js", code, *names) == [["case", name] for name in names]


async def test_changes_go_to_their_place_and_leave_when_they_do_not_fit(stage: Stage) -> None:
    rows = [row("c", 30), row("b", 20), row("a", 10)]
    code = (
        "m.merged(a[0], a[1], m.filtersOf(new URLSearchParams(a[2])), a[3], 100).map(one => one.run + ':' + one.status)"
    )
    new = [row("d", 25), row("b", 20, status="running"), row("old", 5)]
    assert await asked(stage, "runs/filters.js", code, rows, new, "", False) == [
        "c:queued", "d:queued", "b:running", "a:queued", "old:queued",
    ]  # fmt: skip
    assert await asked(stage, "runs/filters.js", code, rows, new, "", True) == [
        "c:queued", "d:queued", "b:running", "a:queued",
    ]  # fmt: skip
    assert await asked(stage, "runs/filters.js", code, rows, new, "status=queued", True) == [
        "c:queued", "d:queued", "a:queued",
    ]  # fmt: skip
    late = [row("b", 20, status="running", sequence=3)]
    over = [row("b", 20, status="pass", sequence=7)]
    assert await asked(stage, "runs/filters.js", code, over, late, "", False) == ["b:pass"]


async def test_the_first_page_read_anew_joins_what_is_shown_or_replaces_it(stage: Stage) -> None:
    shown = {"rows": [row(name, at) for name, at in (("e", 50), ("d", 40), ("c", 30), ("b", 20))], "cursor": "older"}
    code = "(({rows, cursor}) => [rows.map(one => one.run).join(''), cursor])(m.refreshed(a[0], a[1]))"
    joined = {"runs": [row("f", 60), row("e", 50), row("c", 30)], "cursor": "page"}
    assert await asked(stage, "runs/filters.js", code, shown, joined) == ["fecb", "older"]  # d does not fit any longer
    apart = {"runs": [row("y", 90), row("x", 80)], "cursor": "page"}
    assert await asked(stage, "runs/filters.js", code, shown, apart) == ["yx", "page"]
    whole = {"runs": [row("e", 50)]}
    assert await asked(stage, "runs/filters.js", code, shown, whole) == ["e", ""]


async def test_rows_of_any_height_are_found_by_their_offset(stage: Stage) -> None:
    code = (
        "(tops => [...tops, ...[-5, 0, 9, 10, 29, 30, 99].map(at => m.rowAt(tops, at))])(m.offsets(a[0], one => one))"
    )
    assert await asked(stage, "list.js", code, [10, 20, 30]) == [0, 10, 30, 60, 0, 0, 0, 1, 1, 2, 2]


async def test_the_history_of_a_case_adds_up_without_what_was_cancelled(stage: Stage) -> None:
    told = [("pass", ""), ("pass", ""), ("fail", "product"), ("fail", "cancelled"), ("pass", ""), ("running", "")]
    rows = [
        row(str(at), 100 - at, status=status, cause=cause, started_at=10, ended_at=12 + at)
        for at, (status, cause) in enumerate(told)
    ]
    summed = await asked(stage, "history/past.js", "m.summed(a[0])", rows)
    assert summed == {"runs": 4, "passed": 3, "median": 3, "flips": 2, "streak": {"status": "pass", "length": 2}}
    failed = await asked(stage, "history/past.js", "m.summed(a[0])", [one for one in rows if one["status"] == "fail"])
    assert (failed["passed"], failed["median"]) == (0, None)


async def test_the_form_of_a_text_and_what_it_needs_are_seen(stage: Stage) -> None:
    texts = ["# note\n@smoke\nFeature: X", "name: x\nsteps: []", "# Heading\n1. Do"]
    code = "a.map(one => m.formOf(one, 'markdown'))"
    assert await asked(stage, "create/text.js", code, *texts) == ["gherkin", "yaml", "markdown"]
    case = {
        "name": "x",
        "steps": [
            {"action": 'Open "${url}" and remember it as ${seen}', "expected": "${seen} is ${colour} ${secret:PIN}"}
        ],
        "variables": {"url": "http://x", "unused": "1"},
    }
    found = await asked(stage, "create/text.js", "m.placeholders(a)", case)
    assert found == [
        {"name": "url", "set": "http://x"},
        {"name": "colour", "set": None},
        {"name": "unused", "set": "1"},
    ]


async def test_words_that_yaml_takes_for_something_else_are_put_in_quotes(stage: Stage) -> None:
    given = ["null", "True", "NO", "y", "Open the page", "nobody"]
    quoted = ["'null'", "'True'", "'NO'", "'y'", "Open the page", "nobody"]
    assert await asked(stage, "create/text.js", "a.map(m.quoted)", *given) == quoted


async def test_a_case_is_looked_up_in_its_suite(stage: Stage) -> None:
    code = "a.map(one => m.caseHref('A b', { suite: one }))"
    hrefs = await asked(stage, "router.js", code, "shop/cart", "")
    assert hrefs == ["/console/cases/A%20b?suite=shop%2Fcart", "/console/cases/A%20b"]


async def test_a_run_is_over_with_any_verdict(stage: Stage) -> None:
    rows = [{"status": status} for status in ("pass", "fail", "done", "failed", "running", "parked", "queued")]
    assert await asked(stage, "format.js", "a.map(m.isOver)", *rows) == [True] * 4 + [False] * 3
