"""Every tool is driven, and does what its declaration says: no more, no less, and to what its facts name."""

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from driving import user_of
from local_session import Host, opened
from msgspec.structs import replace
from recorded_tools import PAGE, Bench
from sampling import mostly_slow
from served import Site
from tool_uses import ACTS, CHANGED_BY, CHECKS, ELSEWHERE, NEGATED, READS, SPOILED

from muster_protocol.facts import Act, Evidence
from muster_protocol.tool_calls import CHANGING, ToolCall
from muster_subagent.tool_context import NeedsPerson
from muster_subagent.tools import TOOLS
from muster_subagent.tools.intents import intended_act, intended_capture, intended_check


@pytest_asyncio.fixture(loop_scope="session")
async def bench(host: Host, site: Site, tmp_path: Any) -> AsyncGenerator[Bench]:
    async with opened(host, tmp_path) as session, httpx.AsyncClient() as http:
        site.page("<p>Elsewhere</p>", "/other", title="Other")
        site.say(
            "/bill", "8 dollars", kind="text/csv", headers={"Content-Disposition": "attachment; filename=bill.csv"}
        )
        site.say("/search", '{"results": []}', kind="application/json")
        site.say("/api", "taken", kind="text/plain")
        do = user_of(session, http)
        await do.open(site.page(PAGE))
        await do.ok("write_file", path="a.txt", content="ready")
        await do.ok("execute_command", command="echo ready")
        yield Bench(do, site)


def filled(bench: Bench, value: Any) -> Any:
    """Return a value with the site's address in it."""
    match value:
        case str():
            return value.replace("@/", f"{bench.site.url}/")
        case dict():
            return {name: filled(bench, one) for name, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value


def assert_needs(bench: Bench, tool: str) -> None:
    """What a tool uses is declared, and what it declares it uses."""
    used, needs = bench.session.used, TOOLS[tool].needs
    assert used <= needs, f"{tool} uses {used} and declares {set(needs)}"
    assert needs <= used | bench.session.recalled, f"{tool} declares {set(needs)} and uses {used}"


def test_no_tool_is_left_out() -> None:
    assert ACTS.keys() | CHECKS.keys() | READS.keys() | ELSEWHERE == TOOLS.keys()
    assert all(tool.marks[name] for tool in TOOLS.values() for name in tool.marks), "an argument says not what it is"


@pytest.mark.parametrize("name", mostly_slow(ACTS, 4))
async def test_an_act_changes_what_its_facts_say(bench: Bench, name: str) -> None:
    use, tool = ACTS[name], TOOLS[name]
    given, facts = filled(bench, use.given), filled(bench, use.facts)
    stated = intended_act(tool, ToolCall(tool=name, arguments=given))
    assert stated == replace(Act(call=0, tool=name, arguments=stated.arguments), **facts)

    await use.prepare(bench)
    before = await bench.state()
    bench.session.used.clear()
    outcome = await bench.do.ok(name, **given)

    assert tool.effect in CHANGING
    assert outcome.confirmed
    assert_needs(bench, name)
    part, after = CHANGED_BY[stated.does], await bench.state()
    assert before.get(part) != after[part]
    if stated.does not in ("key", "request"):
        assert all(text in str(after[part]) for text in stated.entered)
    if stated.address:
        assert stated.address.removeprefix(bench.site.url) in str(after[part])
    assert not stated.program or stated.program in after["commands"]


@pytest.mark.parametrize("name", mostly_slow(CHECKS, 4))
async def test_a_check_changes_nothing_and_is_about_what_its_facts_say(bench: Bench, name: str) -> None:
    use, tool = CHECKS[name], TOOLS[name]
    call = ToolCall(tool=name, arguments=use.given)
    stated = intended_check(tool, call)
    plain = Evidence(clause="", check=name, arguments=stated.arguments, call=0, passed=False)
    assert stated == replace(plain, **use.facts)

    await use.prepare(bench)
    before = await bench.state()
    bench.session.used.clear()
    await bench.do.ok(name, **use.given)

    assert tool.effect == "check"
    assert_needs(bench, name)
    assert await bench.state() == before
    bench.do.ctx.action_timeout = 0.2
    for negation in NEGATED & tool.marks.keys():
        negated = {**use.given, negation: True}
        assert intended_check(tool, replace(call, arguments=negated)).denied
        assert (await bench.do(name, **negated)).status == "failed"
    if stated.about in {"value", "console"}:  # what is known already, or was said, cannot become another
        return
    await SPOILED[stated.about](bench)
    assert (await bench.do(name, **use.given)).status != "ok"


@pytest.mark.parametrize("name", mostly_slow(READS, 4))
async def test_what_only_reads_changes_nothing(bench: Bench, name: str) -> None:
    before = await bench.state()
    bench.session.used.clear()
    try:
        await bench.do.ok(name, **filled(bench, READS[name]))
    except NeedsPerson:
        bench.session.used.add("people")

    assert TOOLS[name].effect == "read"
    assert_needs(bench, name)
    assert await bench.state() == before


@pytest.mark.parametrize(
    ("tool", "given", "source"),
    [
        ("remember", {"element": "Total", "within": "Shop"}, "page"),
        ("remember", {"source": "output"}, "output"),
        ("remember", {"source": "url", "pattern": "a.*"}, "url"),
        ("ask_person", {"question": "How many?"}, "person"),
        ("find", {"text": "x"}, "unknown"),
    ],
)
def test_where_a_value_comes_from_is_stated(tool: str, given: dict[str, Any], source: str) -> None:
    names = {"name": "it"} if tool != "find" else {}
    stated = intended_capture(TOOLS[tool], ToolCall(tool=tool, arguments={**names, **given}), "it")
    assert (stated.source, stated.pattern) == (source, given.get("pattern", ""))
    assert stated.target == tuple(given[name] for name in ("element", "within") if name in given)
