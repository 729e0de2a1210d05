"""Radio buttons and boxes whose words no markup ties to them: they stand behind them, or before them, in their line."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

AIR, SEA = "<input type=radio name=s id=air checked>", "<input type=radio name=s id=sea>"
BEHIND = f"<p>Ship by: {AIR} Air {SEA}Sea</p>"
IN_FONTS = f"<p>{AIR} <font>Air</font> {SEA} <font>Sea</font></p>"
BEFORE = f"<p>Air {AIR} Sea {SEA}</p>"
IN_LINES = f"<p>{AIR} Air<br>{SEA} Sea</p>"
LINES_BEFORE = f"<p>Air {AIR}<br>Sea {SEA}</p>"
TABLE = f"<table><tr><td>Ship by:<td>{AIR} Air {SEA}Sea</table>"


async def _said(user: User, sentence: str, *, holds: bool) -> Failure | None:
    [call] = parse_expectation(sentence)
    return (await (user.ok if holds else user.bad)(call.tool, **call.arguments)).failure


@pytest.mark.parametrize("page", [BEHIND, IN_FONTS, BEFORE, IN_LINES, LINES_BEFORE, TABLE])
async def test_each_words_are_those_of_one_radio_button(do: User, site: Site, page: str) -> None:
    await do.open(site.page(page))
    await _said(do, '"Air" is selected', holds=True)
    assert await _said(do, '"Sea" is selected', holds=False) == Failure.EXPECTATION_FALSE
    [call] = parse_action('Select the "Sea" radio button')
    await do.ok(call.tool, **call.arguments)
    assert await do.script("sea.checked")
    await _said(do, 'The "Sea" radio button is selected', holds=True)
    assert await _said(do, '"Air" is selected', holds=False) == Failure.EXPECTATION_FALSE


async def test_what_is_chosen_of_them_is_the_value_of_the_cell(look: User, site: Site) -> None:
    await look.open(site.page(TABLE))
    await _said(look, '"Ship by" is "Air"', holds=True)
    for sentence in ('"Ship by" is "Sea"', '"Ship by" is not "Air"', '"Ship by" is empty'):
        assert await _said(look, sentence, holds=False) == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    "line",
    ["Gift wrap: {}", "<span>Gift wrap</span> {} <small>for free</small>", "Options: {} Gift wrap <button>?</button>"],
)
async def test_the_words_on_either_side_of_a_single_box_may_be_its_name(do: User, site: Site, line: str) -> None:
    await do.open(site.page(f"<p>{line.format('<input type=checkbox id=g>')}</p>"))
    [call] = parse_action('Check "Gift wrap"')
    await do.ok(call.tool, **call.arguments)
    assert await do.script("g.checked")
