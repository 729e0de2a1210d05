"""Where styles do not tell whether letters can be read, pictures of the page with and without them do."""

from urllib.parse import quote

import pytest
from driving import User
from served import Site

DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='{}'/></svg>"
PICTURE = "url(data:image/svg+xml,{})"
PLAIN, DARK = (PICTURE.format(quote(DRAWING.format(colour))) for colour in ("white", "navy"))
CANVAS = (
    "<div style='position:relative'><p>Paid</p><canvas width=400 height=90 style='position:absolute;left:0;top:0'>"
    "</canvas></div><script>const pen = document.querySelector('canvas').getContext('2d');"
    "pen.fillStyle = '#fff'; {}</script>"
)
UNREAD = {
    "white on a white picture": f"<p style='color:#fff;background:{PLAIN}'>Paid</p>",
    "below a canvas that is filled": CANVAS.format("pen.fillRect(0, 0, 400, 90)"),
    "below an image": f"<div style='position:relative'><p>Paid</p><img width=400 height=90 src={PLAIN[4:-1]} style='position:absolute;left:0;top:0'></div>",
    "made black on black": "<div style='filter:brightness(0)'><p style='background:#000;color:#fff'>Paid</p></div>",
    "without contrast": "<p style='filter:contrast(0);background:#fff'>Paid</p>",
    "white that takes away white": "<p style='background:#fff;color:#fff;mix-blend-mode:screen'>Paid</p>",
    "in the colour of a gradient": "<p style='color:#eee;background:linear-gradient(#eee,#efefef)'>Paid</p>",
    "in a shadow tree": f"<x-p></x-p><script>document.querySelector('x-p').attachShadow({{mode:'open'}}).innerHTML = `<p style='color:#fff;background:{PLAIN}'>Paid</p>`</script>",
}
READ = {
    "white on a dark picture": f"<p style='color:#fff;background:{DARK}'>Paid</p>",
    "below a canvas that is empty": CANVAS.format(""),
    "on an image": f"<div style='position:relative'><img width=400 height=90 src={PLAIN[4:-1]} style='position:absolute;left:0;top:0'><p style='position:relative'>Paid</p></div>",
    "inverted": "<div style='filter:invert(1);background:#fff'><p>Paid</p></div>",
    "grey": "<p style='filter:grayscale(1)'>Paid</p>",
    "blended": "<p style='mix-blend-mode:multiply'>Paid</p>",
    "on a gradient": "<button style='color:#fff;background:linear-gradient(#fff,#007)'>Paid</button>",
    "cut out of a picture": f"<p style='color:transparent;background:{DARK};-webkit-background-clip:text'>Paid</p>",
    "with a shadow of its own": f"<p style='color:#fff;text-shadow:0 0 2px #000;background:{PLAIN}'>Paid</p>",
    "that fades over": f"<p style='color:#000;transition:all 2s;background:{PLAIN}'>Paid</p>",
    "in a picture, and plainly": f"<p style='color:#fff;background:{PLAIN}'>Paid</p><p>Paid</p>",
}


@pytest.mark.parametrize("page", UNREAD.values(), ids=UNREAD)
async def test_letters_that_change_nothing_in_a_picture_are_not_read(look: User, site: Site, page: str) -> None:
    await look.open(site.page(f"{page}<p>Base</p>"))
    await look.bad("check_text", text="Paid")
    await look.ok("check_text", text="Paid", absent=True)


@pytest.mark.parametrize("page", READ.values(), ids=READ)
async def test_letters_that_a_picture_shows_are_read(look: User, site: Site, page: str) -> None:
    await look.open(site.page(f"{page}<p>Base</p>"))
    await look.ok("check_text", text="Paid")
    await look.bad("check_text", text="Paid", absent=True)


async def test_asking_leaves_the_page_as_it_was(look: User, site: Site) -> None:
    page = f"<p style='color:#fff;background:{PLAIN}'>Paid</p><script>window.seen = 0; new MutationObserver(() => seen++).observe(document, {{subtree: true, attributes: true, childList: true}})</script>"
    await look.open(site.page(page))
    await look.bad("check_text", text="Paid")
    assert await look.script("[seen, document.adoptedStyleSheets.length, CSS.highlights.size]") == [0, 0, 0]
