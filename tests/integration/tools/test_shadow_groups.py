"""Groups and trees of custom elements: what is in them stands in slots, between what their shadow trees draw."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

RADIOS = """<x-group><x-radio role=radio aria-checked=true tabindex=0>Small</x-radio>
<x-radio role=radio aria-checked=false tabindex=-1>Large</x-radio></x-group><script>
document.querySelector("x-group").attachShadow({mode: "open"}).innerHTML =
  "<fieldset role=radiogroup aria-labelledby=l><label id=l>Size</label><slot></slot></fieldset>";
for (const one of document.querySelectorAll("x-radio")) one.onclick = () => {
  for (const each of document.querySelectorAll("x-radio")) each.ariaChecked = String(each === one);
};</script>"""
TREE = """<div role=tree aria-label=Foods><x-item>Fruits<x-item slot=inner>Apple</x-item></x-item>
<x-item>Nuts<x-item slot=inner>Almond</x-item></x-item></div><script>
for (const item of document.querySelectorAll("x-item")) {
  item.setAttribute("role", "treeitem");
  const root = item.attachShadow({mode: "open"}), sign = "<i style='cursor:pointer;padding:4px;display:block'>▸</i>";
  const line = `<div style="display:flex">${item.querySelector("x-item") ? sign : ""}<slot></slot></div>`;
  root.innerHTML = line + "<div hidden><slot name=inner></slot></div>";
  const fold = open => { item.ariaExpanded = String(open); root.lastChild.hidden = !open; };
  if (item.querySelector("x-item")) {
    fold(false);
    root.querySelector("i").onclick = () => fold(item.ariaExpanded !== "true");
  }
}</script>"""


async def _holds(look: User, sentence: str) -> None:
    for call in parse_expectation(sentence):
        await look.ok(call.tool, **call.arguments)


async def test_what_is_chosen_in_a_group_is_its_value(do: User, site: Site) -> None:
    await do.open(site.page(RADIOS))
    await _holds(do, 'The "Size" is "Small"')
    [call] = parse_action('Select the "Large" radio button')
    await do.ok(call.tool, **call.arguments)
    await _holds(do, 'The "Size" is "Large"')
    [call] = parse_expectation('The "Size" is "Small"')
    assert (await do.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("item", "inner"), [("Nuts", "Almond"), ("Fruits", "Apple")])
async def test_an_item_is_opened_by_its_own_sign(do: User, site: Site, item: str, inner: str) -> None:
    await do.open(site.page(TREE))
    for sentence, then in ((f'Expand "{item}"', "is"), (f'Collapse "{item}"', "is not")):
        [call] = parse_action(sentence)
        await do.ok(call.tool, **call.arguments)
        await _holds(do, f'The text "{inner}" {then} visible')
