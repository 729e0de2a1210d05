"""Pages that invite a false verdict: what is true of them is proven, what is not is never."""

import pytest
from drawn_situations import COVERED, SHAPED
from driving import User
from field_situations import FIELDS, NAMED
from held_situations import STATES, TABLES, TOGGLES
from sampling import mostly_slow
from served import Site
from situations import Situation

from muster_grammar import parse_action, parse_expectation
from muster_protocol.tool_calls import ToolCall, ToolOutcome

SITUATIONS = [*COVERED, *SHAPED, *TOGGLES, *STATES, *TABLES, *FIELDS, *NAMED]


async def made(user: User, calls: tuple[ToolCall, ...]) -> list[ToolOutcome]:
    return [await user(call.tool, **call.arguments) for call in calls]


@pytest.mark.parametrize("situation", mostly_slow(SITUATIONS, 4), ids=lambda one: one.name)
async def test_only_what_is_true_of_a_page_is_proven(look: User, site: Site, situation: Situation) -> None:
    await look.open(site.page(situation.body))
    if situation.first:
        for outcome in await made(look, parse_action(situation.first)):
            assert outcome.status == "ok", outcome.text
    wrong: list[str] = []
    look.ctx.action_timeout = 0.15
    for sentence in situation.false:
        if all(outcome.status == "ok" for outcome in await made(look, parse_expectation(sentence))):
            wrong.append(f"proven: {sentence}")
    look.ctx.action_timeout = 2.0
    for sentence in situation.holds:
        outcomes = await made(look, parse_expectation(sentence))
        wrong += [f"{sentence}: {outcome.text}" for outcome in outcomes if outcome.status != "ok"]
    assert not wrong


@pytest.mark.parametrize(
    "style", ["visibility:hidden", "position:absolute;left:-9999px", "opacity:0", "position:absolute;top:0;z-index:-1"]
)
async def test_only_frames_of_others_that_can_be_seen_are_read(look: User, site: Site, style: str) -> None:
    sheet = "<div style='position:absolute;inset:0;background:#fff'></div>"
    there = site.page("<button>Order placed</button>", "/there").replace("127.0.0.1", "localhost")
    frame = f"<iframe src='{there}' style='{style}' onload=\"document.title = 'loaded'\"></iframe>"
    await look.open(site.page(f"{frame}{sheet if 'z-index' in style else ''}", "/", "Shop"))
    await look.ok("check_title", title="loaded")
    await look.bad("check_text", text="Order placed")
    await look.bad("check_visible", element="Order placed", role="button")
    await look.script("document.querySelector('iframe').style = ''; document.querySelector('div')?.remove()")
    await look.ok("check_text", text="Order placed")


async def test_letters_of_an_icon_font_are_no_part_of_a_name(look: User, site: Site) -> None:
    await look.open(site.page("<button>\uf055 Add</button><button><i>\uf014</i></button><p>\uf013</p>"))
    view = (await look.ok("snapshot")).text
    assert 'button "Add"' in view
    assert "\uf014" not in view
    await look.ok("check_visible", element="Add", role="button")
    assert "can read" in (await look("click", element="\uf014", role="button")).text
