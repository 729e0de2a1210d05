"""Claims and acts that sentences can say, each on a real page: what holds, and the lie beside it that must not."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome

PAGE = """<h1>Your orders</h1>
<p>Total: <b>$1,029.50</b></p><p>Due: <b>2026-03-01</b></p>
<table aria-label=Orders><thead><tr><th>Name</th><th>Price</th><th>State</th></tr></thead><tbody>
<tr><td>Ale</td><td>$9.50</td><td>Paid</td></tr><tr><td>Bun</td><td>$20.00</td><td>Paid</td></tr>
<tr><td>Cup</td><td>$1,000.00</td><td>Paid</td></tr></tbody></table>
<table aria-label=Empty><thead><tr><th>Name</th></tr></thead><tbody></tbody></table>
<ul aria-label=Steps><li>Mix</li><li>Bake</li><li>Eat</li></ul>
<label><input type=checkbox checked> A</label><label><input type=checkbox checked> B</label>
<label>Name <input placeholder="Your name" value=Ada></label>
<label>Mail <input aria-invalid=true value=x></label>
<h2 id=part class="is-open big">Part one</h2><label><input type=checkbox id=terms checked> I accept</label>
<label>Search <input type=search value=mug></label>
<a href="/help">Help</a><img alt="The logo" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width=9 height=9 title=Logo>"""

CLAIMS = [
    ('"Total" is more than "$1,000"', '"Total" is more than "$1,029.50"'),
    ('"Total" is at least "1029.5"', '"Total" is less than 1000'),
    ('"Total" is between 1000 and "1,100.00"', '"Total" is between 1 and 1000'),
    ('"Due" is later than "28 February 2026"', '"Due" is earlier than "2026-02-28"'),
    ('Each row in the "Orders" table contains "Paid"', 'Each row in the "Orders" table contains "Ale"'),
    ('No row in the "Orders" table contains "Open"', 'No row in the "Orders" table contains "Bun"'),
    ('Exactly one row contains "Bun"', 'Exactly two rows contain "Bun"'),
    ("All checkboxes are checked", "None of the checkboxes is checked"),
    ('The "Price" column is sorted ascending', 'The "Price" column is sorted descending'),
    ('"Mix" is shown before "Eat"', '"Eat" is shown before "Bake"'),
    ('The "Orders" table shows "Ale", "Bun" and "Cup" in this order', 'The page shows "Bake" and "Mix" in this order'),
    ('The placeholder of the "Name" field is "Your name"', 'The "Name" field has the placeholder "Ada"'),
    ('The "Help" link links to "/help"', 'The "Help" link links to "/home"'),
    ('The "Mail" field is invalid', 'The "Name" field is invalid'),
    ('The "Empty" table is empty', 'The "Orders" table is empty'),
    ('I should be on the "Your orders" page', 'I should be on the "Cart" page'),
    ('"Ada" is shown in the "Name" field', '"Bob" is shown in the "Name" field'),
    ('The checkbox "#terms" is checked', 'The checkbox "#terms" is not checked'),
    ('I should see an "h2" element', 'I should not see an "h2" element'),
    ('I should see 1 ".is-open" elements', 'I should see 2 ".is-open" elements'),
    ('The container "#part" contains "one"', 'The container "#part" contains "Ale"'),
    ('I see the value "Bun" in the "Name" column', 'I see the value "Bun" in the "Price" column'),
    ('I see an image with alt text "The logo"', 'I see an image with alt text "A logo"'),
    ('The search bar contains "mug"', 'The search bar contains "cup"'),
    ("I see the message Part one", "I see the message Part two"),
    ('The user should be able to see "Part one"', 'The user should not be able to see "Part one"'),
    ('The "Orders" table has "3" rows', 'The "Orders" table has 4 rows'),
]


async def _judged(user: User, sentence: str) -> list[ToolOutcome]:
    calls = parse_expectation(sentence)
    return [await user(call.tool, **call.arguments) for call in calls]


async def test_what_is_claimed_of_a_page_holds_and_the_lie_beside_it_does_not(
    look: User, site: Site, monkeypatch: pytest.MonkeyPatch
):
    await look.open(site.page(PAGE))
    monkeypatch.setattr(look.ctx, "action_timeout", 0.02)
    for claim, lie in CLAIMS:
        held, denied = await _judged(look, claim), await _judged(look, lie)
        assert all(one.status == "ok" for one in held), (claim, held)
        assert any(one.failure == Failure.EXPECTATION_FALSE for one in denied), (lie, denied)


ACTS = """<label>Name <input id=name value=A onkeyup="keys.value += event.key"></label><label>Keys <input id=keys></label>
<label>Volume <input id=volume type=range value=5></label><div id=note contenteditable aria-label=Note role=textbox>Milk</div>
<button onclick="this.textContent = event.shiftKey ? 'Held' : 'Plain'">Press me</button>
<ul><li draggable=true id=card>Card</li></ul><div id=done aria-label=Done role=group ondragover="event.preventDefault()"
 ondrop="event.preventDefault(); this.append(card)">Done here</div>
<button aria-haspopup=true onclick="entry.hidden = false">File</button>
<div role=menu id=entry hidden><button role=menuitem onclick="document.title = 'Exported'">Export</button></div>
<button id=count onclick="this.textContent += this.textContent == 'Count' ? ' I' : 'I'">Count</button>
<label>Size <select id=size><option>M</select></label><p id=late></p><button onclick="window.begun = () => { late.textContent = 'Ready' }">Start</button>"""


async def _do(user: User, sentence: str) -> None:
    for call in parse_action(sentence):
        await user.ok(call.tool, **call.arguments)


async def test_acts_beyond_clicking_and_filling_are_done_as_a_person_does_them(do: User, site: Site):
    await do.open(site.page(ACTS))
    await _do(do, 'Type "bc" key by key into the "Name" field')
    assert await do.script("document.querySelector('#name').value") == "bc"
    assert str(await do.script("keys.value")).endswith("bc")
    await _do(do, 'Append "d" to the "Name" field and type "ef"')
    assert await do.script("document.querySelector('#name').value") == "bcdef"
    await _do(do, 'Append " and eggs" to the "Note" text box and move the "Volume" slider to 30')
    assert await do.script("[note.textContent, volume.value]") == ["Milk and eggs", "30"]
    await _do(do, 'Shift+click the "Press me" button')
    assert await do.script("document.querySelector('button').textContent") == "Held"
    await _do(do, 'Drag "Card" to "Done"')
    assert await do.script("card.parentElement.id") == "done"
    await _do(do, "Leave the name empty")
    assert await do.script("document.querySelector('#name').value") == ""
    await _do(do, 'Click twice on the "Count" button and type "A" into the name')
    assert await do.script("[count.textContent, document.querySelector('#name').value]") == ["Count II", "A"]
    await _do(do, 'Click in the "Size" dropdown')
    assert await do.script("document.activeElement.id") == "size"
    await _do(do, "Click File > Export")
    assert await do.script("document.title") == "Exported"
    await _do(do, 'Click "Start"')
    do.ctx.action_timeout = 0.1
    assert (await do("check_text", text="Ready")).failure == Failure.EXPECTATION_FALSE
    await do.script("setTimeout(begun, 600)")
    await _do(do, 'Wait up to 5 seconds until the exact text "Ready" is visible')


async def test_parts_of_a_response_are_compared(do: User, site: Site, tmp_path: object):
    site.say("/api", '{"items": [{"name": "Mug", "price": 8}]}', headers={"X-Total": "3"})
    await do.ok("http_request", method="GET", url=f"{site.url}/api")
    for claim, lie in [
        ('The JSON field "items[0].name" is "Mug"', 'The JSON field "items[0].name" is "Cup"'),
        ('The JSON node "items[0].price" should exist', 'The JSON node "items[1].price" should exist'),
        ('The JSON field "items[0].name" is not "Cup"', 'The JSON field "items[0].name" is not "Mug"'),
        (
            'The JSON node "items[0].name" should not contain "ups"',
            'The JSON node "items[0].name" should not contain "ug"',
        ),
        ('The JSON node "items[0].name" should not be null', 'The JSON node "items[1].name" should not be null'),
        ('The response header "X-Total" is "3"', 'The response header "X-Total" is "33"'),
        ('The response does not contain "Cup"', 'The response does not contain "Mug"'),
    ]:
        assert all(one.status == "ok" for one in await _judged(do, claim)), claim
        assert any(one.failure == Failure.EXPECTATION_FALSE for one in await _judged(do, lie)), lie
    await do.ok("write_file", path="a.csv", content="a\nb\n")
    await do.ok("write_file", path="logs/b.txt", content="x")
    for claim, lie in [
        ('A directory named "logs" should exist', 'A directory named "loga" should exist'),
        ('The folder "loga" does not exist', 'The folder "logs" does not exist'),
        ('I see "x" in "logs/b.txt"', 'I see "y" in "logs/b.txt"'),
        ('The file "a.csv" matches /a\\sb/', 'The file "a.csv" matches /a+b/'),
        ('The file "a.csv" has 2 lines', 'The file "a.csv" has 3 lines'),
        ('The file "a.csv" does not contain "c"', 'The file "a.csv" does not contain "a"'),
    ]:
        assert all(one.status == "ok" for one in await _judged(do, claim)), claim
        assert any(one.failure == Failure.EXPECTATION_FALSE for one in await _judged(do, lie)), lie
