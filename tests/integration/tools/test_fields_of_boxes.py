"""Fields that are made of one box for each letter, as for a code that was sent."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

BOXES = "".join(f"<input maxlength=1 size=1 {{}} id=b{number}>" for number in range(4))
MOVES = """<script>const all = [...document.querySelectorAll('input')];
all.forEach((one, at) => one.addEventListener('input', () => one.value && all[at + 1]?.focus()));</script>"""
GROUP = f"<fieldset><legend>Code</legend><div>{BOXES.format(*[''] * 4)}</div></fieldset>"
LABEL = f"<p>Code</p><div>{BOXES.format(*[f'aria-label={name}' for name in 'abcd'])}</div><button>Verify</button>"


@pytest.mark.parametrize("page", [GROUP, GROUP + MOVES, LABEL, LABEL + MOVES])
async def test_a_code_is_typed_letter_by_letter_and_read_as_one(do: User, site: Site, page: str) -> None:
    await do.open(site.page(page))
    [call] = parse_expectation('The "Code" field is empty')
    await do.ok(call.tool, **call.arguments)
    for code in ("1234", "A5C6"):
        [call] = parse_action(f'Type "{code}" into the "Code" field')
        await do.ok(call.tool, **call.arguments)
        assert await do.script("[b0, b1, b2, b3].map(one => one.value).join('')") == code
        [call] = parse_expectation(f'The "Code" field is "{code}"')
        await do.ok(call.tool, **call.arguments)
        [call] = parse_expectation('The "Code" field is "1235"')
        assert (await do.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE


async def test_a_code_that_does_not_fit_is_not_typed_as_if_it_did(do: User, site: Site) -> None:
    await do.open(site.page(GROUP))
    [call] = parse_action('Type "12345" into the "Code" field')
    await do(call.tool, **call.arguments)
    [call] = parse_expectation('The "Code" field is "12345"')
    assert (await do.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE
