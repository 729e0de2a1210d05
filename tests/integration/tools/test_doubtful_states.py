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
<label>Agree <input type=checkbox style="pointer-events:none"></label>"""


@pytest.mark.parametrize(
    ("element", "state"),
    [
        ("Mail", "valid"),
        ("Mail", "invalid"),
        ("Name", "valid"),
        ("Name", "invalid"),
        ("Pay", "enabled"),
        ("Pay", "disabled"),
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
        ("Agree", "enabled"),
        ("News", "unchecked"),
        ("Agree", "unchecked"),
        ("News", "unchecked"),
    ],
)
async def test_a_state_that_all_agree_on_is_known(look: User, site: Site, element: str, state: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_state", element=element, state=state)
