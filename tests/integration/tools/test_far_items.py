"""What a list would draw once somebody scrolls there: that it is not in the document is no fault of the product."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action
from muster_protocol.causes import Failure

PAGE = """<h3>Logs</h3><div id=box style="height:200px;overflow:auto"><div id=all style="height:9000px;position:relative"></div></div>
<button>Other</button><script>for (let at = 0; at < 10; at++) { const row = document.createElement('div'); row.textContent = `Line ${at + 1} `;
row.style.cssText = `position:absolute;height:30px;top:${at * 30}px`; row.append(document.createElement('button')); row.lastChild.textContent = 'Delete'; all.append(row); }</script>"""


@pytest.mark.parametrize("sentence", ['Click "Line 120"', 'Click the "Delete" button next to "Line 120"'])
async def test_what_may_be_drawn_later_is_not_blamed(look: User, site: Site, sentence: str) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_action(sentence)
    outcome = await look.bad(call.tool, **call.arguments)
    assert outcome.failure == Failure.TARGET_UNCLEAR
    assert "scroll" in outcome.text


async def test_what_is_not_called_like_the_items_is_still_missing(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    [call] = parse_action('Click "Archive"')
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.NAME_UNKNOWN
