"""What the browser says itself of a field that it refuses: drawn outside of the page, until the field is right or left."""

from driving import User
from served import Site

from muster_protocol.causes import Failure

FILL_OUT = "Please fill out this field"
FORM = """<form onsubmit="event.preventDefault(); this.after('Sent')"><label>Name <input required></label>
<label>Email <input type=email required></label><button>Send</button></form>"""
QUIETLY = """<form><label>Name <input required></label>
<button type=button onclick="this.form.elements[0].focus(); this.form.checkValidity()">Send</button></form>"""


async def test_the_browser_says_what_is_wrong_with_the_first_refused_field(look: User, site: Site) -> None:
    await look.open(site.page(FORM))
    assert (await look.bad("check_text", text=FILL_OUT)).failure == Failure.EXPECTATION_FALSE
    await look.ok("click", element="Send")
    await look.ok("check_text", text=FILL_OUT)
    assert (await look.bad("check_text", text=FILL_OUT, absent=True)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text=FILL_OUT, within=['of field "Name"'])
    await look.bad("check_text", text=FILL_OUT, within=['of field "Email"'])


async def test_it_says_so_no_longer_once_the_field_is_right(look: User, site: Site) -> None:
    await look.open(site.page(FORM))
    await look.ok("click", element="Send")
    await look.ok("type", element="Name", text="Ada")
    await look.ok("check_text", text=FILL_OUT, absent=True)
    await look.bad("check_text", text=FILL_OUT)


async def test_a_form_that_only_asks_for_faults_shows_none(look: User, site: Site) -> None:
    for page in (
        QUIETLY,
        FORM.replace("<form", "<form novalidate"),
        FORM.replace("<input", "<input oninvalid='return false'"),
    ):
        await look.open(site.page(page))
        await look.ok("click", element="Send")
        await look.bad("check_text", text=FILL_OUT)
        await look.ok("check_text", text=FILL_OUT, absent=True)
