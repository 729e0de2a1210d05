"""Fields whose text a style draws in other capitals than those that were typed."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

PAGE = """<label>Plate <input value=ab-1 style="text-transform:uppercase"></label>
<label>Town <input value="new york" style="text-transform:capitalize"></label><label>Nick <input value=ada></label>"""


@pytest.mark.parametrize("name", ['"Plate"', 'The "Plate" field'])
async def test_a_value_is_known_as_drawn_and_as_typed(look: User, site: Site, name: str) -> None:
    await look.open(site.page(PAGE))
    for value in ("AB-1", "ab-1"):
        [call] = parse_expectation(f'{name} is "{value}"')
        await look.ok(call.tool, **call.arguments)
    for claim in (f'{name} is "AB-2"', f'{name} is not "AB-1"', f'{name} is not "ab-1"'):
        [call] = parse_expectation(claim)
        assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE


async def test_only_what_a_style_draws_so_is_in_other_capitals(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_expectation('The "Town" field is "New York"')
    await look.ok(call.tool, **call.arguments)
    [call] = parse_expectation('The "Nick" field is "ADA"')
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE
