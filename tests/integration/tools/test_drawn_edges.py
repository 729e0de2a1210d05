"""The header and the sidebar of a page that calls nothing so are what is drawn along its edges."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = (
    "<style>body{margin:0} .top{display:flex;gap:20px;padding:12px} .page{display:flex} .side{width:200px;height:80vh}"
    ".main{flex:1}</style>"
)
TOP = "<div class=top><b>Board</b><span>3 of 9 done</span></div>"
SIDE = "<{tag} class=side><p>Channels</p><p>support</p></{tag}>"
MAIN = "<div class=main><h2>Tour</h2><p>Welcome</p></div>"


@pytest.mark.parametrize("tag", ["div", "nav"])
async def test_an_edge_holds_what_is_drawn_in_it(look: User, site: Site, tag: str) -> None:
    await look.open(site.page(f"{STYLE}{TOP}<div class=page>{SIDE.format(tag=tag)}{MAIN}</div>"))
    await look.ok("check_text", text="3 of 9 done", within=["in banner"])
    await look.ok("check_text", text="support", within=["in complementary"])
    for text, edge in (
        ("Welcome", "banner"),
        ("support", "banner"),
        ("Welcome", "complementary"),
        ("Board", "complementary"),
    ):
        wrong = await look.bad("check_text", text=text, within=[f"in {edge}"])
        assert wrong.failure == Failure.EXPECTATION_FALSE
        await look.ok("check_text", text=text, within=[f"in {edge}"], absent=True)


async def test_what_says_that_it_is_the_header_is_believed(look: User, site: Site) -> None:
    await look.open(site.page(f"{STYLE}{TOP}<header>Shop</header><aside>Help</aside>{SIDE.format(tag='div')}"))
    for text, edge in (("Board", "banner"), ("support", "complementary")):
        assert (await look.bad("check_text", text=text, within=[f"in {edge}"])).failure == Failure.EXPECTATION_FALSE


async def test_two_sidebars_are_one_too_many(look: User, site: Site) -> None:
    await look.open(site.page(f"{STYLE}<div class=page>{SIDE.format(tag='div')}{MAIN}{SIDE.format(tag='div')}</div>"))
    outcome = await look.bad("check_text", text="support", within=["in complementary"])
    assert outcome.failure == Failure.TARGET_UNCLEAR


async def test_a_page_without_edges_has_no_header(look: User, site: Site) -> None:
    await look.open(site.page("<h1>Shop</h1><p>Welcome</p>"))
    for absent in (True, False):
        await look.bad("check_text", text="Cart", within=["in banner"], absent=absent)
