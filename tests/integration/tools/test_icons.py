"""Pictures that are called by what they show."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = "<style>button{width:30px;height:30px}svg{width:16px;height:16px}</style>"
PATH = "<path d='M2 2h12v12H2z'/>"
PLAIN = f"{STYLE}<ul><li><a href=#t>Trash</a></ul><p>Mail <button aria-label='Move to trash'><svg>{PATH}</svg></button>"
ROWS = f"""{STYLE}<table><tr><th>Name<th></th></tr>
<tr><td>Ana<td><button aria-label=Edit><svg><use href=#i-pencil></use></svg></button><button title=Delete onclick="document.title='Ana'"><svg>{PATH}</svg></button></tr>
<tr><td>Bo<td><button aria-label=Edit><svg><use href=#i-pencil></use></svg></button><button title=Delete onclick="document.title='Bo'"><svg>{PATH}</svg></button></tr></table>"""
MARKUP = [
    f'<button><svg data-testid="DeleteIcon">{PATH}</svg></button>',
    "<button><i class='bi bi-trash-fill'>&nbsp;</i></button>",
    f"<button><svg class='lucide lucide-trash-2'>{PATH}</svg></button>",
    "<button>🗑</button>",
]


async def test_an_icon_is_a_picture_and_no_text(look: User, site: Site) -> None:
    await look.open(site.page(PLAIN))
    clicked = await look.ok("click", element="trash", role="icon")
    assert "Move to trash" in clicked.text


async def test_an_icon_is_known_by_what_it_is_for(look: User, site: Site) -> None:
    await look.open(site.page(ROWS))
    await look.ok("click", element="trash", role="icon", within="Bo")
    await look.ok("check_page", name="Bo")
    assert (await look.bad("click", element="trash", role="icon")).failure == Failure.TARGET_UNCLEAR
    await look.ok("check_visible", element="pencil", role="icon", within="Ana")


@pytest.mark.parametrize("button", MARKUP)
async def test_an_icon_is_known_by_its_markup(look: User, site: Site, button: str) -> None:
    await look.open(site.page(STYLE + button))
    await look.ok("check_visible", element="trash" if "Delete" not in button else "delete", role="icon")
    await look.ok("click", element="bin", role="icon")


async def test_an_icon_is_known_by_the_name_of_its_file(look: User, site: Site) -> None:
    image = "<img width=16 height=16 src='/img/changeHistory.gif?v=2' onclick=\"document.title='used'\">"
    await look.open(site.page(image))
    await look.ok("click", element="changeHistory.gif", role="icon")
    await look.ok("check_page", name="used")


async def test_what_a_picture_is_for_does_not_show_that_it_is_drawn(look: User, site: Site) -> None:
    await look.open(site.page(ROWS))
    assert (
        await look.bad("check_visible", element="trash", role="icon", within="Bo")
    ).failure == Failure.EXPECTATION_FALSE
    assert (
        await look.bad("check_visible", element="trash", role="icon", within="Bo", absent=True)
    ).failure == Failure.NO_EVIDENCE
    await look.ok("check_visible", element="bell", role="icon", within="Bo", absent=True)


async def test_a_picture_without_a_name_may_be_the_one(look: User, site: Site) -> None:
    await look.open(site.page(f"{STYLE}<button><svg>{PATH}</svg></button>"))
    unknown = await look.bad("check_visible", element="trash", role="icon", absent=True)
    assert unknown.failure == Failure.NO_EVIDENCE


PAINTED = """<style>a{display:block;width:40px;height:40px;cursor:pointer;background-image:
url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='30' height='30'/></svg>")}</style>
<a class="shopping_cart_link" onclick="document.title='in'">MARK</a><button>Add to cart</button><button>Add to cart</button>"""


@pytest.mark.parametrize(
    ("said", "drawn"),
    [("close", "fa-xmark"), ("send", "fa-paper-plane"), ("refresh", "fa-rotate"), ("chat", "fa-comment")],
)
async def test_an_icon_is_known_by_the_names_that_icon_fonts_give_it(
    do: User, site: Site, said: str, drawn: str
) -> None:
    await do.open(
        site.page(f"{STYLE}<button><svg class='svg-inline--fa {drawn}'>{PATH}</svg></button><button>Go</button>")
    )
    await do.ok("click", element=said, role="icon")


@pytest.mark.parametrize("mark", ["", "<span>2</span>", "<span>99+</span>"])
async def test_a_picture_that_a_style_draws_is_an_icon_also_with_a_number_at_it(
    do: User, site: Site, mark: str
) -> None:
    await do.open(site.page(PAINTED.replace("MARK", mark)))
    await do.ok("click", element="cart", role="icon")
    assert await do.script("document.title") == "in"
    await do.ok("check_visible", element="shopping cart", role="icon")


async def test_a_picture_that_a_style_draws_needs_no_sign_that_it_is_used(do: User, site: Site) -> None:
    listening = (
        "<script>document.querySelector('a').addEventListener('click', () => { document.title = 'in'; })</script>"
    )
    quiet = PAINTED.replace("cursor:pointer;", "").replace("onclick=\"document.title='in'\"", "")
    await do.open(site.page(quiet.replace("MARK", "<span>2</span>") + listening))
    await do.ok("click", element="cart", role="icon")
    assert await do.script("document.title") == "in"


async def test_a_number_without_a_picture_is_no_icon(do: User, site: Site) -> None:
    await do.open(site.page("<button class=cart>2</button>"))
    await do.bad("check_visible", element="cart", role="icon")
