"""An element that is only read aloud by a name, and shows another one, neither proves nor denies that name."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

PAGE = """<style>.aloud{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>
<button aria-label=Save>Delete</button><button><span class=aloud>Publish</span><span aria-hidden=true>Archive</span></button>
<a href=#3 aria-label="Page 3">4</a> <a href=#7 aria-label="Page 7">7</a>
<label>Email <input aria-label=Phone></label> <label>Quantity <input aria-label="Quantity of lamps" value=1></label>
<button aria-label=Bold>B</button> <button aria-label=Close>X</button> <button aria-label="Ada Lovelace">AL</button>
<button aria-label=Search>Search… <kbd>Ctrl K</kbd></button> <button aria-label="Add to cart">+ Add</button>
<button>Read<span class=aloud> about cats</span></button> <button aria-label=Status>Open</button>"""


@pytest.mark.parametrize("element", ['"Save" button', '"Publish" button', '"Page 3" link', '"Phone" field'])
async def test_a_name_that_nobody_reads_there_decides_nothing(look: User, site: Site, element: str) -> None:
    await look.open(site.page(PAGE))
    for sentence in (f"The {element} is visible", f"The {element} is not visible"):
        [call] = parse_expectation(sentence)
        outcome = await look.bad(call.tool, **call.arguments)
        assert outcome.failure == Failure.NO_EVIDENCE, outcome.text
        assert "shows something else" in outcome.text


async def test_what_is_read_there_and_what_only_shortens_the_name_counts(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    buttons = ("Delete", "Archive", "Bold", "Close", "Ada Lovelace", "Search", "Add to cart", "Read about cats")
    sentences = [f'The "{name}" button is visible' for name in buttons]
    sentences += ['The "Page 7" link is visible', 'The "Quantity" field is "1"', '"Status" is "Open"']
    for sentence in [*sentences, 'The "Quantity of lamps" field is "1"']:
        for call in parse_expectation(sentence):
            await look.ok(call.tool, **call.arguments)
