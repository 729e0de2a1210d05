"""Frames that a page cannot look into: without scripts, or of another origin."""

from driving import User
from served import Site

from muster_protocol.causes import Failure

LETTER = "<h2>Your bill</h2><p>Total <b>12.00</b></p><a href=#x>Unsubscribe</a>"


async def test_a_frame_without_scripts_is_looked_at_as_any_other(look: User, site: Site) -> None:
    """A mail is shown so: nothing in it ever runs, neither its scripts nor a timer of who waits for it."""
    await look.open(site.page(f"<h1>Mail</h1><iframe sandbox title=Letter srcdoc='{LETTER}'></iframe>"))
    await look.ok("check_text", text="Your bill")
    await look.ok("check_text", text="Reminder", absent=True)
    await look.ok("check_value", element="Total", value="12.00")
    await look.ok("click", element="Unsubscribe")
    assert (await look.bad("check_text", text="Reminder")).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_text", text="Your bill", absent=True)).failure == Failure.EXPECTATION_FALSE
