"""What has to be scrolled to is covered by what lies over it there, as it would be in the window."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = "<style>.part{position:relative}.over{position:absolute;inset:0;background:#fff}</style>"
OVER = "<div class=over></div>"
PAGE = f"""{STYLE}<div style="height:1500px">Top</div>
<div class=part><p>Order covered</p>{OVER}</div>
<div class=part><p style="position:relative">Order before</p>{OVER}</div>
<div class=part><button>Covered button</button>{OVER}</div>
<div class=part><p>Order behind</p><div class=over style="z-index:-1"></div></div>
<div class=part><p style="position:relative;z-index:2">Order above</p>{OVER}</div>
<div class=part>{OVER}<p style="position:relative">Order after</p></div>
<div class=part><p>Order beside</p><div style="position:absolute;height:0;overflow:hidden"><div class=over style="height:50px">
</div></div></div>
<div class=part><p>Order turned</p><div class=over style="backface-visibility:hidden;transform:rotateY(180deg)"></div></div>
<div class=part><button>Free button</button></div>
<div style="position:fixed;bottom:0;left:0;right:0;height:50px;background:#eee">Foot</div><p style="height:100px">End</p>"""


@pytest.mark.parametrize("text", ["Order covered", "Order before"])
async def test_a_text_below_a_layer_is_not_seen_there_either(look: User, site: Site, text: str) -> None:
    await look.open(site.page(PAGE))
    assert (await look.bad("check_text", text=text)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text=text, absent=True)


@pytest.mark.parametrize("text", ["Order behind", "Order above", "Order after", "Order beside", "Order turned", "End"])
async def test_a_text_on_top_of_all_layers_is_seen(look: User, site: Site, text: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_text", text=text)
    await look.bad("check_text", text=text, absent=True)


async def test_the_same_is_true_of_elements(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    await look.bad("check_visible", element="Covered button", role="button")
    await look.ok("check_visible", element="Free button", role="button")


async def test_in_a_part_that_scrolls_only_what_scrolls_with_a_text_covers_it(look: User, site: Site) -> None:
    inner = f"<div style='height:400px'></div><div class=part><p>Row covered</p>{OVER}</div><p>Row free</p>"
    await look.open(site.page(f"{STYLE}<div style='height:100px;overflow:auto'>{inner}</div>"))
    await look.bad("check_text", text="Row covered")
    await look.ok("check_text", text="Row free")


async def test_a_dialog_whose_box_is_empty_is_where_its_parts_are(look: User, site: Site) -> None:
    drawn = "position:fixed;top:90px;left:90px;width:300px;height:200px;background:#fff;border:1px solid;z-index:9"
    dialog = (
        f"<div role=dialog aria-label='Delete all?'><div style='{drawn}'>Delete all? <button>OK</button></div></div>"
    )
    await look.open(
        site.page(f"<header style='position:sticky;top:0;background:#08f;z-index:5'>Shop</header>{dialog}<p>Page</p>")
    )
    await look.ok("check_visible", element="Delete all?", role="dialog")


WALL = "<p>Top</p><div style='height:3000px'></div><div style='position:fixed;z-index:9;background:#fff;{box}'>Wall</div><p>Below</p>"


@pytest.mark.parametrize("box", ["inset:0", "top:0;height:100%;left:0;width:60%"])
async def test_what_stays_over_all_of_the_window_covers_what_one_scrolls_to(look: User, site: Site, box: str) -> None:
    await look.open(site.page(WALL.format(box=box)))
    await look.bad("check_text", text="Below")
    await look.ok("check_text", text="Below", absent=True)


@pytest.mark.parametrize("box", ["top:0;left:0;right:0;height:80%", "inset:0 0 0 60%", "inset:0;z-index:-1"])
async def test_what_leaves_room_to_scroll_to_does_not(look: User, site: Site, box: str) -> None:
    await look.open(site.page(WALL.format(box=box)))
    await look.ok("check_text", text="Below")
    await look.bad("check_text", text="Below", absent=True)
