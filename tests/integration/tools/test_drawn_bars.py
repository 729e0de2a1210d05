"""Bars that tell how far they are, and what is drawn in them."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

BAR = """<div role=progressbar aria-label=Import aria-valuenow={now} style="width:200px;height:10px;background:#eee;overflow:hidden">
<div style="height:10px;background:blue;{drawn}"></div></div>"""
CLAIM = 'The "Import" progress bar shows 40%'


@pytest.mark.parametrize(
    "drawn", ["width:40%", "transform:translateX(-60%)", "transform:scaleX(.4);transform-origin:left"]
)
async def test_a_bar_that_is_drawn_as_it_is_told(look: User, site: Site, drawn: str) -> None:
    await look.open(site.page(BAR.format(now=40, drawn=drawn)))
    [call] = parse_expectation(CLAIM)
    await look.ok(call.tool, **call.arguments)
    [call] = parse_expectation('The "Import" progress bar shows 41%')
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    "claim", [CLAIM, 'The "Import" progress bar shows 90%', 'The "Import" progress bar is not "90%"']
)
async def test_a_bar_that_is_drawn_otherwise_proves_nothing(look: User, site: Site, claim: str) -> None:
    await look.open(site.page(BAR.format(now=40, drawn="width:90%")))
    [call] = parse_expectation(claim)
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.NO_EVIDENCE


async def test_a_bar_is_waited_for_until_it_is_drawn_so_far(do: User, site: Site) -> None:
    await do.open(site.page(BAR.format(now=40, drawn="width:10%;transition:width .4s")))
    await do.script("document.querySelector('[role] > div').style.width = '40%'")
    [call] = parse_expectation(CLAIM)
    await do.ok(call.tool, **call.arguments)
