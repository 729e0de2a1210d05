"""A check that fails while the page still waits for an answer says so."""

from driving import User
from served import Site

PAGE = """<p id=out></p><button onclick="fetch('/data').then(got => got.text()).then(said => out.textContent = said)">Load</button>"""


async def test_what_is_not_answered_yet_is_told(do: User, site: Site) -> None:
    site.say("/data", "Ready")
    gate = site.hold("/data")
    await do.open(site.page(PAGE))
    await do.ok("click", element="Load")
    early = await do.bad("check_text", text="Ready")
    assert "/data is not answered yet" in early.text
    gate.opened.set()
    await do.ok("check_text", text="Ready")
    late = await do.bad("check_text", text="Steady")
    assert "not answered" not in late.text
