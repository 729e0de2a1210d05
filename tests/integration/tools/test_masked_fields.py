"""Fields that put what is typed into a form of their own, and those that listen to keys alone."""

import pytest
from driving import User
from served import Site

from muster_devices.screen import Element
from muster_devices.web.page_typing import holds

OWN_VALUE = """<label>Price <input id=p></label><p>Total</p><script>
let own = "";
p.onkeydown = event => { if (/^[0-9]$/.test(event.key)) own = (p.value + event.key).replace(/\\D/g, ""); };
p.oninput = () => { if (own) p.value = "$" + own; };
p.onblur = () => { p.value = own ? "$" + Number(own).toFixed(2) : ""; };
</script>"""
"""Knows of its value only by the keys that were pressed, and writes it anew when it is left."""
PHONE = """<label>Phone <input id=t value="+1 (___) ___"></label><script>
t.oninput = () => {
  const digits = t.value.replace(/^\\+1/, "").replace(/\\D/g, "");
  t.value = `+1 (${digits.slice(0, 3).padEnd(3, "_")}) ${digits.slice(3).padEnd(3, "_")}`;
};</script>"""
ADDED = """<label>Quantity <input type=number value=1 id=q></label><p id=o></p><script>
q.oninput = () => { o.textContent += q.value === "" ? "removed " : q.value + " "; };</script>"""


@pytest.mark.parametrize("text", ["5", "1234"])
async def test_a_field_that_listens_to_keys_keeps_a_number(do: User, site: Site, text: str) -> None:
    await do.open(site.page(OWN_VALUE))
    assert (await do.ok("type", element="Price", text=text)).confirmed
    await do.ok("press", key="Tab")
    await do.ok("check_value", element="Price", value=f"${text}.00")


async def test_a_mask_with_the_code_of_a_country_takes_what_is_typed(do: User, site: Site) -> None:
    await do.open(site.page(PHONE))
    outcome = await do.ok("type", element="Phone", text="555123")
    assert outcome.confirmed
    assert "+1 (555) 123" in outcome.text


async def test_one_digit_takes_the_place_of_another_without_an_empty_field_between(do: User, site: Site) -> None:
    await do.open(site.page(ADDED))
    await do.ok("type", element="Quantity", text="3")
    assert await do.script("o.textContent") == "3 "


@pytest.mark.parametrize(
    ("held", "typed", "same"),
    [
        ("1 234", "1234", True),
        ("+1 (555) 123", "555123", True),
        ("+1 (555) 123", "1555123", True),
        ("$", "", True),
        ("+49", "", True),
        ("+1 (555) 124", "555123", False),
        ("x555123", "555123", False),
        ("1 (555) 123", "555123", False),
        ("5", "", False),
        ("!!!", "???", False),
        ("", "5", False),
    ],
)
def test_what_a_form_of_its_own_is(held: str, typed: str, same: bool) -> None:
    assert holds(Element(role="textbox", name="Phone", value=held), typed) is same
