"""Lists of all there is, orders and measured values on a real page: what holds, and the lie beside it that must not."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome

PAGE = """<title>Shop</title><h1>Orders</h1>
<div role=tablist><button role=tab>Open</button><button role=tab>Paid</button></div>
<label>Size <select><option>S</option><option>M</option></select></label>
<article><h2>Mug</h2><p>$9.99</p></article><article><h2>Cup</h2><p><s>$9.99</s> $7.50</p></article>
<table><thead><tr><th>Name</th><th>Year</th><th>Kind</th></tr></thead><tbody>
<tr><td>Ada</td><td>2024</td><td>New</td></tr><tr><td>Bob</td><td>2021</td><td>New</td></tr><tr><td>Bob B.</td><td>2009</td><td>New</td></tr></tbody></table>
<fieldset><legend>Pace</legend><label><input type=radio name=p disabled>Slow</label><label><input type=radio name=p disabled>Fast</label></fieldset>
<label><input type=checkbox checked> SMS</label><label><input type=checkbox> Mail</label>
<dialog open aria-labelledby=t><h2 id=t>Delete order</h2><button>OK</button></dialog>"""

CLAIMS = [
    ('The tabs are "Open" and "Paid"', 'The tabs are "Open"'),
    ('There are two tabs: "Open" and "Paid"', 'There are three tabs: "Open", "Paid" and "Done"'),
    ('The options of the "Size" dropdown are "S" and "M"', 'The options of the "Size" dropdown are "S"'),
    ("The dropdown contains exactly 2 options", "The dropdown contains exactly 3 options"),
    ('"Mug" costs "$9.99"', '"Cup" costs "$9.99"'),
    ("The rows are sorted by year, newest first", "The rows are sorted by year, oldest first"),
    ("The table is sorted by Name from A to Z", "The table is sorted by Name from Z to A"),
    ('"Ada" appears once in the table', '"Ada" appears twice in the table'),
    ('The radio buttons of "Pace" are disabled', 'The radio buttons of "Pace" are enabled'),
    ('"SMS" is ticked and "Mail" is not', '"Mail" is ticked and "SMS" is not'),
    ('The title of the dialog is "Delete order"', 'The title of the dialog is "Delete"'),
    ('The heading of the page is "Orders"', 'The heading of the page is "Order"'),
    ('Every "Kind" cell contains "New"', 'Every "Year" cell is "2024"'),
]


async def _judged(user: User, sentence: str) -> list[ToolOutcome]:
    return [await user(call.tool, **call.arguments) for call in parse_expectation(sentence)]


@pytest.mark.parametrize(("claim", "lie"), CLAIMS)
async def test_a_claim_of_all_there_is_holds_and_the_lie_beside_it_does_not(
    look: User, site: Site, monkeypatch: pytest.MonkeyPatch, claim: str, lie: str
):
    await look.open(site.page(PAGE))
    monkeypatch.setattr(look.ctx, "action_timeout", 0.02)
    held, denied = await _judged(look, claim), await _judged(look, lie)
    assert all(one.status == "ok" for one in held), held
    assert any(one.status != "ok" for one in denied), denied
    assert all(one.failure in {None, Failure.EXPECTATION_FALSE, Failure.NAME_UNKNOWN} for one in denied), denied
