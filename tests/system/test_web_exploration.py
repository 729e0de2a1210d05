"""Explorations of pages in real Chromium: what is a page of the app, and what is audited."""

from pathlib import Path

import pytest
from command_line import started
from explored_apps import explored
from fleet import fleet
from pages import Sent, site

from muster_exploration.map_file import MapFile
from muster_protocol.requests import Exploration

HOME = """<!doctype html><html lang="en"><title>Home</title><main><h1>Home</h1>
<a href="#" onclick="document.querySelector('h2').hidden = false">Show prices</a> <h2 hidden>Prices</h2>
<a href="/data">Data</a> <a href="/drawing">Drawing</a> <a href="/about">About</a> <button>Delete all</button>
<button onclick="navigator.clipboard.writeText('3.50')">Copy the price</button></main>"""
EDITOR = """<!doctype html><html lang="en"><title>Editor</title><main><h1>Editor</h1>
<label>Text <textarea oninput="onbeforeunload = (event) => event.preventDefault()"></textarea></label>
<a href="/about">About</a> <a href="/more">More</a></main>"""
ABOUT = "<!doctype html><title>About</title><h1>About us</h1><p>No language is named here.</p>"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><a href="/about"><text y="20">About</text></a></svg>'


async def explored_site(folder: Path) -> MapFile:
    async with fleet(folder) as group:
        with site() as web:
            web.pages |= {"/": HOME, "/about": ABOUT}
            web.pages["/data"] = Sent('{"price": 3}', kind="application/json")
            web.pages["/drawing"] = Sent(DRAWING, kind="image/svg+xml")
            for service in ("sessions", "orchestrator", "subagent"):
                await group.start(service)
            return (await explored(group, Exploration(url=web.url, max_steps=40)))[1]


@pytest.mark.slow
async def test_what_the_browser_alone_is_to_blame_for_is_no_state_and_no_finding(tmp_path: Path) -> None:
    """No tour goes back beyond the app, a drawing without a body is a page, only HTML is audited, and pages may copy."""
    known = (await explored_site(tmp_path)).map
    seen = {state.address.rpartition("/")[2] for state in known.states}
    assert seen == {"", "#", "data", "drawing", "about"}, [state.address for state in known.states]
    assert {(one.kind, one.rule) for one in known.findings} == {("access", "html-has-lang")}
    assert {one.address.rpartition("/")[2] for one in known.findings} == {"about"}


@pytest.mark.slow
async def test_a_page_that_asks_whether_to_leave_it_keeps_no_tour(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with site() as web:
            about = ABOUT.replace("<html>", '<html lang="en">')
            web.pages |= {"/": EDITOR, "/about": about, "/more": about.replace("About", "More")}
            for service in ("sessions", "orchestrator", "subagent"):
                await group.start(service)
            verdict, file = await explored(group, Exploration(url=web.url, max_steps=40))
    assert file.over == "everything that was found was tried", verdict.summary
    assert {state.title for state in file.map.states} == {"Editor", "About", "More"}


@pytest.mark.slow
async def test_a_goal_that_is_not_reached_is_told_with_what_was_left_out_and_exits_with_3(tmp_path: Path) -> None:
    with site() as web:
        web.pages |= {"/": HOME, "/about": ABOUT}
        goal = 'The text "All is deleted" is visible'
        given = ("explore", web.url, "--goal", goal, "--max-steps", 15, "--emit", "cases")
        async with started(tmp_path, *given) as process:
            out = (await process.communicate())[0].decode()
    told = " ".join(out.split())
    assert process.returncode == 3, out
    assert f"the goal was not reached: {goal}" in told
    assert "moves left out on purpose; --allow and --domain permit them:" in told
    assert "button “Delete all”: " in told
    assert not list((tmp_path / "cases").glob("way-*")), "no ways are written in place of the goal's"
