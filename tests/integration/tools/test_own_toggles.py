"""Toggles that are custom elements and tell what they are out of the document's sight."""

from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

PAGE = """<style>own-radio {display: inline-block; width: 20px; height: 20px; border: 1px solid}</style><script>
customElements.define("own-radio", class extends HTMLElement {
  static formAssociated = true;
  connectedCallback() {
    this.told = this.attachInternals();
    this.told.role = "radio";
    this.tell(this.hasAttribute("checked"));
    this.addEventListener("click", () => document.querySelectorAll("own-radio").forEach(one => one.tell(one === this)));
  }
  tell(on) { this.checked = on; this.told.ariaChecked = String(on); this.style.background = on ? "blue" : "white"; }
});</script><own-radio id=c checked></own-radio><label for=c>Cats</label><own-radio id=d></own-radio><label for=d>Dogs</label>"""


async def test_a_radio_button_is_selected_that_the_browser_alone_knows(do: User, site: Site) -> None:
    await do.open(site.page(PAGE))
    [call] = parse_action('Select the "Dogs" radio button')
    await do.ok(call.tool, **call.arguments)
    assert await do.script("d.checked && !c.checked")
    [call] = parse_expectation('The "Dogs" radio button is selected')
    await do.ok(call.tool, **call.arguments)
    [call] = parse_expectation('The "Cats" radio button is selected')
    assert (await do.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE
