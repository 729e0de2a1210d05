"""A state that page and browser tell differently, or that nobody could make use of, is none."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PAGE = """<form novalidate><label>Mail <input type=email value=x aria-invalid=false></label>
<label>Name <input required></label><label>Town <input required value=Oslo></label>
<label>Code <input required value=1 aria-invalid=true></label></form>
<button style="pointer-events:none">Pay</button><button disabled style="pointer-events:none">Save</button>
<label>Video <input type=checkbox role=switch aria-checked=true style="opacity:0"></label>
<label>News <input type=checkbox aria-checked=true></label>
<label>Agree <input type=checkbox style="pointer-events:none"></label>
<style>.off { opacity: .5; cursor: not-allowed }</style><a class="page is-disabled" tabindex=0>Back</a> <button class=off>Ship</button>
<button class=btn--disabled disabled>Sell</button> <button class="not-disabled disabled:opacity-50">Send</button>"""


@pytest.mark.parametrize(
    ("element", "state"),
    [
        ("Mail", "valid"),
        ("Mail", "invalid"),
        ("Name", "valid"),
        ("Name", "invalid"),
        ("Pay", "enabled"),
        ("Pay", "disabled"),
        ("Back", "enabled"),
        ("Back", "disabled"),
        ("Ship", "enabled"),
        ("Video", "checked"),
        ("Video", "unchecked"),
    ],
)
async def test_a_state_in_doubt_is_neither_proven_nor_denied(look: User, site: Site, element: str, state: str) -> None:
    await look.open(site.page(PAGE))
    assert (await look.bad("check_state", element=element, state=state)).failure != Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    ("element", "state"),
    [
        ("Town", "valid"),
        ("Code", "invalid"),
        ("Save", "disabled"),
        ("Sell", "disabled"),
        ("Send", "enabled"),
        ("Agree", "enabled"),
        ("News", "unchecked"),
        ("Agree", "unchecked"),
        ("News", "unchecked"),
    ],
)
async def test_a_state_that_all_agree_on_is_known(look: User, site: Site, element: str, state: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_state", element=element, state=state)


FAULTS = """<style>.red {{ color: #d32f2f }}</style><form novalidate>
<label for=m>Mail <input id=m value=ab {told}><span>Send</span><i><b role={role} class="{look}">{text}</b></i></label>
<div><label for=p>Phone <span class=red>*</span></label><input id=p value=5><small>With area code</small></div>
<div><label class=red for=c>City</label><input id=c value=5></div></form>"""


@pytest.mark.parametrize(("role", "shade"), [("alert", ""), ("none", "red")])
@pytest.mark.parametrize("told", ["", "aria-invalid=false"])
async def test_a_field_with_an_error_written_about_it_is_not_valid(
    look: User, site: Site, told: str, role: str, shade: str
) -> None:
    await look.open(site.page(FAULTS.format(told=told, role=role, look=shade, text="Too short")))
    for state in ("valid", "invalid"):
        outcome = await look.bad("check_state", element="Mail", role="textbox", state=state)
        assert outcome.failure == Failure.TARGET_UNCLEAR
    await look.ok("check_state", element="Phone", state="valid")
    await look.ok("check_state", element="City", state="valid")


async def test_a_field_without_an_error_is_valid(look: User, site: Site) -> None:
    await look.open(site.page(FAULTS.format(told="", role="alert", look="", text="")))
    await look.ok("check_state", element="Mail", role="textbox", state="valid")


SWITCH = """<label>Dark mode <x-switch></x-switch></label><script>
customElements.define("x-switch", class extends HTMLElement {{
  static formAssociated = true;
  selected = false;
  constructor() {{
    super();
    this.attachShadow({{ mode: "open" }}).innerHTML = "<input type=checkbox role=switch style='opacity:0'><i>o</i>";
    this.shadowRoot.firstChild.onchange = ({{ target }}) => {{ {follow}; this.shadowRoot.lastChild.style.color = this.selected ? "red" : "" }};
  }}
}});
</script>"""


async def test_a_switch_whose_element_and_control_differ_is_in_no_known_state(look: User, site: Site) -> None:
    await look.open(site.page(SWITCH.format(follow="")))
    await look.ok("check_state", element="Dark mode", state="unchecked")
    await look("check", element="Dark mode")
    for state in ("checked", "unchecked"):
        outcome = await look.bad("check_state", element="Dark mode", state=state)
        assert outcome.failure == Failure.TARGET_UNCLEAR


async def test_a_switch_whose_element_follows_its_control_has_its_state(look: User, site: Site) -> None:
    await look.open(site.page(SWITCH.format(follow="this.selected = target.checked")))
    await look.ok("check", element="Dark mode")
    await look.ok("check_state", element="Dark mode", state="checked")
