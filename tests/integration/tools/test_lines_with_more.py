"""A label and its value in a line or part that says more: buttons at its end, other labels, numbers of lines."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

OWNER = "<div>Owner: Ada <button>Edit</button> <button>Remove</button></div><button>Lovelace</button>"
CROWD = "<div><button>Plus</button> <p>Two words</p> Chosen: <i>Green</i><i>!</i> <label><input type=checkbox>Red</label></div>"
EDITOR = """<h3>Code</h3><div><div aria-hidden=true style=float:left>1</div>
<div contenteditable role=textbox>let x = 1;</div></div>"""


async def _said(user: User, sentence: str) -> Failure | None:
    [call] = parse_expectation(sentence)
    return (await user.bad(call.tool, **call.arguments)).failure


async def _holds(user: User, sentence: str) -> None:
    [call] = parse_expectation(sentence)
    await user.ok(call.tool, **call.arguments)


async def test_buttons_behind_a_value_are_no_part_of_it(look: User, site: Site) -> None:
    await look.open(site.page(OWNER))
    await _holds(look, '"Owner" is "Ada"')
    assert await _said(look, '"Owner" is "Bob"') == Failure.EXPECTATION_FALSE
    assert await _said(look, '"Owner" is not "Ada"') == Failure.EXPECTATION_FALSE


async def test_a_value_may_be_called_as_a_button_elsewhere(look: User, site: Site) -> None:
    await look.open(site.page("<div>Owner: Ada Lovelace</div><button>Lovelace</button>"))
    await _holds(look, '"Owner" is "Ada Lovelace"')


@pytest.mark.parametrize("sentence", ['"Two" is "Green"', '"Two" is not "words"', '"Two" is more than 3'])
async def test_what_only_has_the_name_among_its_words_has_no_value(look: User, site: Site, sentence: str) -> None:
    await look.open(site.page(CROWD))
    assert await _said(look, sentence) == Failure.NO_EVIDENCE


async def test_a_text_is_compared_with_what_it_says_itself(look: User, site: Site) -> None:
    await look.open(site.page("<div>Welcome, Bob</div>"))
    await _holds(look, '"Welcome" is "Welcome, Bob"')
    assert await _said(look, '"Welcome" is "Welcome, Ada"') == Failure.EXPECTATION_FALSE


async def test_numbers_of_lines_are_no_part_of_a_text(look: User, site: Site) -> None:
    await look.open(site.page(EDITOR))
    await _holds(look, 'The "Code" field is "let x = 1;"')
    assert await _said(look, 'The "Code" field is "let x = 2;"') == Failure.EXPECTATION_FALSE
