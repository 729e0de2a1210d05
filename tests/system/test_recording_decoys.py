"""Other places, frames, numbers and words where a recording is replayed: what only looks like its target is never used.

As in `test_recording_mutants.py`, but each attack has a healthy page of its own.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from pages import Page, Visit
from remembering import OPEN, Rerunner, rerunner, sure
from sampling import mostly_slow

Call = tuple[str, dict[str, Any]]


class Attack(NamedTuple):
    """A healthy page, what it has become, and what a model does that is sure of itself."""

    healthy: str
    mutant: str
    action: str
    expected: str
    cold: tuple[Call, ...]
    then: tuple[Call, ...] = ()
    pages: Mapping[str, Page] = {}


def rows(*names: str) -> str:
    """Return a table of people, each with buttons that are called alike."""
    says = "note.textContent = 'It is gone'"
    cells = "".join(
        f"<tr><td>{name}</td><td>user</td><td><button>Edit</button> <button onclick=\"this.closest('tr').remove(); {says}\">"
        f"Drop</button></td></tr>"
        for name in names
    )
    return f'<h1>People</h1><table>{cells}</table><p id="note" role="status"></p>'


def cards(*names: str) -> str:
    """Return sections that nothing but their headings tells apart."""
    made = "".join(
        f"<section><h2>{name}</h2><button>Details</button> <button onclick=\"note.textContent = 'In your cart'\">Take it"
        f"</button></section>"
        for name in names
    )
    return f'<h1>Shop</h1><main>{made}</main><p id="note" role="status"></p>'


def says(name: str, text: str, attributes: str = "") -> str:
    """Return a button that shows a text."""
    return f"<button {attributes} onclick=\"note.textContent = '{text}'\">{name}</button>"


NOTE = '<p id="note" role="status"></p>'
GO_ON = says("Go on", "All is well")
DECOY = "<button onclick=\"parent.note.textContent = 'All is well'\">Go on</button>"
FRAME = f"<iframe srcdoc='{DECOY.replace(chr(39), '&#39;')}'></iframe>"
SHADOW = (
    "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = "
    "`<button onclick=\"note.textContent = 'All is well'\">Go on</button>`</script>"
)
BOX = '<h1>News</h1><label><input type="checkbox"> Send me letters</label> ' + says("Keep", "Kept") + NOTE
FIELD = "<h1>Me</h1><label>Name <input></label> <label>Town <input></label> " + says("Keep", "Kept") + NOTE
GOES = (("click", {"element": "Go on"}),)
DROPS = (("click", {"element": "Drop", "within": "Ada"}),)
TAKES = (("click", {"element": "Take it", "within": "Backpack"}),)
ORDER = '<h1>Orders</h1><ul><li><a href="@/order/{0}">Order {0}</a></li><li><a href="@/help">Help</a></li></ul>'
SENT = "<h1>Letters</h1><p>Your letter is on its way.</p>"
KEPT = "<h1>Letters</h1><p>Your letter is kept as a draft.</p>"
LETTER = '<h1>Letter</h1><form action="@/sent"><label>To <input></label> <button>Hand it over</button> <button type="reset">Anew</button></form>'
DELIVERY = (
    '<h1>Order</h1><form action="@/sent"><h2>Delivery</h2><label>Street <input></label> <label>Town <input></label> '
    "<button>Hand it over</button></form>"
)
WRITTEN = (("type", {"element": "Town", "text": "Ulm"}), ("click", {"element": "Hand it over"}))


def by_hand_or_later(visit: Visit) -> str:
    """Answer for both buttons of a form at one address, under one heading."""
    return KEPT if visit.fields.get("how") == "later" else SENT


ATTACKS = {
    "the only section is gone, and another one is there": Attack(
        cards("Backpack"),
        cards("Bike light"),
        "Have what there is come along",
        'The text "In your cart" is visible',
        TAKES,
        (("click", {"element": "Take it"}),),
    ),
    "a form of another purpose has the same fields": Attack(
        DELIVERY,
        DELIVERY.replace("Delivery", "Billing"),
        "Have Ulm be where the delivery goes",
        'The text "Letters" is visible',
        WRITTEN,
        WRITTEN,
        {"sent": SENT},
    ),
    "a form that looks like it pays": Attack(
        DELIVERY,
        DELIVERY.replace("Delivery", "Pay now"),
        "Have Ulm be the place",
        'The text "Letters" is visible',
        WRITTEN,
        WRITTEN,
        {"sent": SENT},
    ),
    "a button of a longer name leads to the same address and heading": Attack(
        LETTER,
        LETTER.replace("<button>Hand it over", '<button name="how" value="later">Hand it over later'),
        "Write quite a letter",
        'The text "Letters" is visible',
        (("click", {"element": "Hand it over"}),),
        (("click", {"element": "Hand it over later"}),),
        {"sent": by_hand_or_later},
    ),
    "the row is gone, and another is left": Attack(
        rows("Ada", "Bob"),
        rows("Bob"),
        "Have the user be gone",
        'The text "It is gone" is visible',
        DROPS,
        (("click", {"element": "Drop"}),),
    ),
    "the row is gone, and the model takes one of the others": Attack(
        rows("Ada", "Bob", "Cleo"),
        rows("Bob", "Cleo"),
        "Have the first user be gone",
        'The text "It is gone" is visible',
        DROPS,
        (("click", {"element": "Drop", "within": "Bob"}),),
    ),
    "the section is gone, and another is left": Attack(
        cards("Backpack", "Bike light"),
        cards("Bike light"),
        "Have the best of all come along",
        'The text "In your cart" is visible',
        TAKES,
        (("click", {"element": "Take it"}),),
    ),
    "the section is gone, and the model takes one of the others": Attack(
        cards("Backpack", "Bike light", "Hat"),
        cards("Bike light", "Hat"),
        "Have the very best come along",
        'The text "In your cart" is visible',
        TAKES,
        (("click", {"element": "Take it", "within": "Hat"}),),
    ),
    "a frame has one that is called alike": Attack(
        f"<h1>Start</h1>{GO_ON}{NOTE}",
        f"<h1>Start</h1>{FRAME}{NOTE}",
        "Proceed without frames",
        'The text "All is well" is visible',
        GOES,
        GOES,
    ),
    "a shadow root has one that is called alike": Attack(
        f"<h1>Start</h1><form onsubmit='return false'><h2>Steps</h2>{GO_ON}</form>{NOTE}",
        f"<h1>Start</h1><form><h2>Steps</h2></form>{NOTE}<h2>Offers</h2>{SHADOW}",
        "Proceed without shadows",
        'The text "All is well" is visible',
        GOES,
        GOES,
    ),
    "another order stands where it was": Attack(
        ORDER.format(4711),
        ORDER.format(4712),
        "Have a look at order 4711",
        'The text "Shipped" is visible',
        (("click", {"element": "Order 4711"}),),
        (("click", {"element": "Order 4712"}),),
        {"order/4711": "<h1>Order 4711</h1><p>Shipped</p>", "order/4712": "<h1>Order 4712</h1><p>Shipped</p>"},
    ),
    "the box says the contrary": Attack(
        BOX,
        BOX.replace("Send me", "Do not send me"),
        "Have the letters come",
        'The text "Kept" is visible',
        (("check", {"element": "Send me letters"}), ("click", {"element": "Keep"})),
        (("check", {"element": "Do not send me letters"}), ("click", {"element": "Keep"})),
    ),
    "the field asks for something else": Attack(
        FIELD,
        FIELD.replace("Name <", "Company name <"),
        "Introduce yourself as Ann",
        'The text "Kept" is visible',
        (("type", {"element": "Name", "text": "Ann"}), ("click", {"element": "Keep"})),
        (("type", {"element": "Company name", "text": "Ann"}), ("click", {"element": "Keep"})),
    ),
    "a button that is called otherwise leads to the same heading": Attack(
        LETTER,
        LETTER.replace("Hand it over", "Put it aside").replace("/sent", "/sent/"),
        "Write a long letter",
        'The text "Letters" is visible',
        (("click", {"element": "Hand it over"}),),
        (("click", {"element": "Put it aside"}),),
        {"sent": SENT, "sent/": KEPT},
    ),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def again(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rerunner]:
    async with rerunner(tmp_path_factory.mktemp("fleet")) as made:
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("name", mostly_slow(ATTACKS, 16))
async def test_what_only_looks_like_the_target_is_neither_used_nor_healed(again: Rerunner, name: str):
    attack = ATTACKS[name]
    steps = [OPEN, (attack.action, attack.expected)]
    before = await again.recorded({"": attack.healthy, **attack.pages}, steps, sure(*attack.cold))

    seen = await again.run({"": attack.mutant, **attack.pages}, steps, sure(*attack.then), heal="use")

    assert seen.verdict.status == "fail", f"a false pass: {seen.verdict.summary}"
    after = await again.recorded({"": attack.healthy, **attack.pages}, steps, sure(*attack.cold))
    assert (after.step, after.proposal, after.episodes) == (before.step, None, ()), "a false heal"


@pytest.mark.slow
async def test_a_form_under_another_heading_is_healed_if_nothing_else_is_called_so(again: Rerunner):
    steps = [OPEN, ("Have Ulm be our town", 'The text "Letters" is visible')]
    pages: Mapping[str, Page] = {"": DELIVERY, "sent": SENT}
    await again.recorded(pages, steps, sure(*WRITTEN))

    seen = await again.run({**pages, "": DELIVERY.replace("Delivery", "Where to")}, steps, sure(*WRITTEN))

    assert (seen.verdict.status, seen.asked) == ("pass", 1), seen.verdict.summary
