"""A tooltip is what stands beside the mouse, whoever draws it; the same words elsewhere are none."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

DRAWN = {
    "by the browser": '<button title="Careful">Delete</button>',
    "by the page": """<button onmouseover="t.hidden = false" onmouseout="t.hidden = true">Delete</button>
        <div role=tooltip id=t hidden>Careful</div>""",
    "by a style": """<style>[data-tip] { position: relative }
        [data-tip]:hover::after { content: attr(data-tip); position: absolute; top: 100%; left: 0 }</style>
        <button data-tip=Careful>Delete</button>""",
    "without a role": """<style>.tip { display: none; position: absolute } .has:hover .tip { display: block }</style>
        <div class=has><button>Delete</button><span class=tip>Careful</span></div>""",
}


@pytest.mark.parametrize("how", DRAWN)
async def test_a_tooltip_is_shown_under_the_mouse_alone(do: User, site: Site, how: str) -> None:
    await do.open(site.page(f"{DRAWN[how]}<p>Delete</p><button>Elsewhere</button>"))
    await do.ok("check_visible", element="Careful", role="tooltip", absent=True)
    await do.ok("hover", element="Delete", role="button")
    await do.ok("check_visible", element="Careful", role="tooltip")
    assert (await do.bad("check_visible", element="Delete", role="tooltip")).failure == Failure.EXPECTATION_FALSE
    await do.ok("hover", element="Elsewhere")
    await do.ok("check_visible", element="Careful", role="tooltip", absent=True)


async def test_words_elsewhere_are_no_tooltip(look: User, site: Site) -> None:
    await look.open(site.page('<p>Careful</p><nav style="position:fixed"><b>Careful</b><a href=/x>Home</a></nav>'))
    assert (await look.bad("check_visible", element="Careful", role="tooltip")).failure == Failure.EXPECTATION_FALSE
