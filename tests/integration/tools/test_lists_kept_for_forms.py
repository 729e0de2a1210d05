"""Native lists that only keep a choice for their form, while plain elements right behind them are drawn in their place."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

OPTIONS = "<option>Small<option>Medium<option>Large"
SCRIPT = """<script>for (const line of document.querySelectorAll('.line')) {
const list = line.previousElementSibling, menu = line.querySelector('ul'), said = line.querySelector('span');
for (const {label} of list.options) { const item = document.createElement('li'); item.textContent = label; menu.append(item);
item.onclick = event => { event.stopPropagation(); menu.hidden = true; list.value = label; said.textContent = label; } }
line.onclick = () => menu.hidden = !menu.hidden; }</script>"""
STYLE = "<style>.line {cursor: pointer; border: 1px solid; width: 99px} ul {position: absolute; background: #fff; margin: 0}</style>"
DRAWN = "<div class=line><span>{}</span><ul hidden></ul></div>"


def page_of(drawn: str, *, options: str = OPTIONS, more: str = "") -> str:
    """Return a page with a list of sizes that nobody sees, and what is drawn for it."""
    return f"{STYLE}<label for=s>Size</label><select id=s style=display:none {more}>{options}</select>{drawn}{SCRIPT}"


async def _does(user: User, sentence: str) -> None:
    [call] = parse_action(sentence)
    await user.ok(call.tool, **call.arguments)


async def _sees(user: User, sentence: str) -> None:
    [call] = parse_expectation(sentence)
    await user.ok(call.tool, **call.arguments)


async def _denies(user: User, sentence: str) -> Failure | None:
    [call] = parse_expectation(sentence)
    return (await user.bad(call.tool, **call.arguments)).failure


async def test_an_option_is_chosen_in_what_is_drawn_for_the_list(do: User, site: Site) -> None:
    await do.open(site.page(page_of(DRAWN.format("Small"))))
    await _sees(do, 'The "Size" dropdown is "Small"')
    await _does(do, 'Select "Medium" in "Size"')
    assert await do.script("s.value") == "Medium"
    await _sees(do, '"Medium" is selected in "Size"')
    assert await _denies(do, 'The "Size" dropdown is "Small"') == Failure.EXPECTATION_FALSE
    await _sees(do, 'The "Size" dropdown is visible')


async def test_a_drawing_that_says_another_option_than_the_list_holds_proves_nothing(do: User, site: Site) -> None:
    await do.open(site.page(page_of(DRAWN.format("Large"))))
    for sentence in ('The "Size" dropdown is "Small"', 'The "Size" dropdown is "Large"'):
        assert await _denies(do, sentence) == Failure.NO_EVIDENCE


async def test_a_drawn_invitation_is_no_choice(do: User, site: Site) -> None:
    await do.open(site.page(page_of(DRAWN.format("Choose one"), options="<option value=''>" + OPTIONS)))
    await _sees(do, 'The "Size" dropdown is empty')
    await _does(do, 'Select "Large" in "Size"')
    await _sees(do, 'The "Size" dropdown is "Large"')


@pytest.mark.parametrize(
    "behind", ["<p>Sizes run small</p>", "<a href=#x>Next</a>", "<div><button>Next</button></div>"]
)
async def test_what_merely_follows_an_unseen_list_is_not_its_drawing(do: User, site: Site, behind: str) -> None:
    await do.open(site.page(page_of(behind, options="<option value=''>" + OPTIONS)))
    [call] = parse_action('Select "Large" in "Size"')
    await do.bad(call.tool, **call.arguments)
    assert await do.script("location.hash") == ""
