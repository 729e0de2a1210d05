"""Values that are drawn as signs: stars of which colour alone tells how many count, ticks in place of words."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

STARS = "".join(f"<b style='color:{colour}'>★</b>" for colour in ("gold", "gold", "gold", "#ddd", "#ddd"))
PAGE = f"<p>Service <span>{STARS}</span></p><table><tr><th>Item<th>Sold<tr><td>Lamp<td>✓<tr><td>Chair<td>—</table>"


@pytest.mark.parametrize(
    "sentence",
    [
        '"Service" is "3"',
        '"Service" is not "3"',
        '"Service" is more than 2',
        'The "Sold" of "Lamp" is "Yes"',
        'The "Sold" of "Lamp" is not "Yes"',
    ],
)
async def test_words_are_not_compared_with_signs(look: User, site: Site, sentence: str) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_expectation(sentence)
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.NO_EVIDENCE


SHAPE = "display:inline-block;width:20px;height:20px;clip-path:circle();background:"
SHAPES = "".join(f"<i style='{SHAPE}{colour}'></i>" for colour in ("gold", "gold", "gold", "#ddd", "#ddd"))


@pytest.mark.parametrize("claim", ["is", "is not"])
async def test_shapes_behind_a_label_are_its_value_and_not_what_comes_next(look: User, site: Site, claim: str) -> None:
    await look.open(site.page(f"<p>Taste <span>{SHAPES}</span></p><p>Speed:</p>"))
    for value in ("3", "Speed:"):
        [call] = parse_expectation(f'"Taste" {claim} "{value}"')
        assert (await look.bad(call.tool, **call.arguments)).failure == Failure.NO_EVIDENCE


async def test_a_text_before_shapes_is_read_where_it_is_the_value(look: User, site: Site) -> None:
    await look.open(site.page(f"<table><tr><th>Item<th>Done<tr><td>Lamp<td>60% <span>{SHAPES}</span></table>"))
    [call] = parse_expectation('The "Done" of "Lamp" is "60%"')
    await look.ok(call.tool, **call.arguments)


@pytest.mark.parametrize(("sign", "holds"), [("✓", True), ("✗", False)])
async def test_signs_are_compared_with_signs(look: User, site: Site, sign: str, holds: bool) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_expectation(f'The "Sold" of "Lamp" is "{sign}"')
    await (look.ok if holds else look.bad)(call.tool, **call.arguments)


async def test_a_dash_is_no_number(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_expectation('The "Sold" of "Chair" is "3"')
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE
