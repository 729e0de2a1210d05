"""What nobody can see proves nothing: scripts, hidden elements and parts of them are no text of the page."""

import pytest
from driving import User
from sampling import mostly_slow
from served import Site


def in_shadow(inner: str, host: str = "<x-a></x-a>", mode: str = "open") -> str:
    """Return a page with a host whose shadow tree is `inner`."""
    return f"{host}<script>document.querySelector('x-a').attachShadow({{mode:'{mode}'}}).innerHTML=`{inner}`</script>"


SQUARE = (
    '<img style="position:absolute;inset:0;width:300px;height:80px" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 '
    'width=%2210%22 height=%2210%22><rect width=%2210%22 height=%2210%22 fill=%22white%22/></svg>">'
)
HIDDEN = {
    "in a script": "<p>Nothing</p><script>const told = 'Order placed'</script>",
    "in a style": "<p>Nothing</p><style>/* Order placed */</style>",
    "in a template": "<p>Nothing</p><template><p>Order placed</p></template>",
    "in a hidden element": "<p>Nothing</p><p hidden>Order placed</p>",
    "in part hidden": "<p>Order <span style='display:none'>placed</span></p>",
    "invisible": "<p>Nothing</p><p style='visibility:hidden'>Order placed</p>",
    "in an attribute": "<p title='Order placed' data-text='Order placed'>Nothing</p>",
    "in a comment": "<p>Nothing</p><!-- Order placed -->",
    "among the options not chosen": "<select><option>Nothing<option>Order placed</select>",
    "in a closed dialog": "<p>Nothing</p><dialog>Order placed</dialog>",
    "faded out": "<p>Nothing</p><div style='opacity:0'><p>Order placed</p></div>",
    "in a hidden frame": "<p>Nothing</p><iframe style='display:none' srcdoc='<p>Order placed</p>'></iframe>",
    "in an invisible frame": "<p>Nothing</p><iframe style='visibility:hidden' srcdoc='<p>Order placed</p>'></iframe>",
    "in a closed part": "<details><summary>More</summary>Order placed</details>",
    "almost faded out": "<div style='opacity:0.1'><p style='opacity:0.1'>Order placed</p></div>",
    "faded out by a filter": "<p style='filter:opacity(0)'>Order placed</p>",
    "faded out in a shadow tree": "<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML="
    "'<p style=opacity:0>Order placed</p>'</script>",
    "in part faded out": "<p>Order <span style='opacity:0'>placed</span></p>",
    "transparent": "<p style='color:transparent'>Order placed</p>",
    "filled with nothing": "<p style='-webkit-text-fill-color:rgb(1 2 3 / 0)'>Order placed</p>",
    "without size": "<p style='font-size:0'>Order placed</p>",
    "scaled to nothing": "<p style='transform:scale(0)'>Order placed</p>",
    "left of the page": "<p style='position:absolute;left:-9999px'>Order placed</p>",
    "above the page": "<p style='position:absolute;top:-500px'>Order placed</p>",
    "moved off the page": "<p style='transform:translateX(-200vw)'>Order placed</p>",
    "right of the window": "<p style='position:fixed;left:5000px'>Order placed</p>",
    "right of a page that does not scroll": "<style>body{overflow-x:hidden}</style>"
    "<p style='transform:translateX(200vw)'>Order placed</p>",
    "outdented": "<p style='text-indent:-9999px;overflow:hidden'>Order placed</p>",
    "for screen readers": "<p style='position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap'>Order placed</p>",
    "clipped": "<p style='position:absolute;clip:rect(0,0,0,0)'>Order placed</p>",
    "clipped by a path": "<p style='clip-path:inset(50%)'>Order placed</p>",
    "folded": "<div style='height:0;overflow:hidden'><section><p>Order placed</p></section></div>",
    "cut off": "<div style='height:30px;overflow:hidden'><p>Cart</p><p style='margin-top:99px'>Order placed</p></div>",
    "in a faded frame": "<iframe style='opacity:0' srcdoc='<p>Order placed</p>'></iframe>",
    "in a frame off the page": "<iframe style='position:absolute;left:-9999px' srcdoc='<p>Order placed</p>'></iframe>",
    "in a picture without size": "<svg width=0 height=0><text>Order placed</text></svg>",
    "in a faded field": "<input style='opacity:0' value='Order placed'>",
    "chosen in a faded list": "<select style='opacity:0'><option>Order placed</select>",
    "in a hidden part of a shadow tree": in_shadow("<p>Nothing</p><p style='display:none'>Order placed</p>"),
    "in the shadow tree of a hidden host": in_shadow("<p>Order placed</p>", "<x-a hidden></x-a>"),
    "in a shadow tree without a place for it": in_shadow("<p>Nothing</p>", "<x-a>Order placed</x-a>"),
    "in a style of a shadow tree": in_shadow("<style>p::x{content:'Order placed'}</style><p>Nothing</p>"),
    "in the colour behind it": "<div style='background:#335'><p style='color:#335'>Order placed</p></div>",
    "in white on white": "<p style='color:white'>Order placed</p>",
    "in nearly the colour behind it": "<p style='color:#fefefe'>Order placed</p>",
    "in a see-through colour that adds up to what is behind it": "<p style='color:rgb(255 255 255 / 0.5)'>Order placed</p>",
    "below something else": "<div style='position:relative'><p>Order placed</p>"
    "<div style='position:absolute;inset:0;background:#eee'>Wait</div></div>",
    "below a frame": "<div style='position:relative;height:60px'>Order placed<iframe style='position:absolute;inset:0;width:100%;"
    "height:100%' srcdoc='<body style=background:white>Wait'></iframe></div>",
    "below a sheet over the whole window": "<p>Order placed</p><div style='position:fixed;inset:0;background:white'>Wait</div>",
    "under a mask": "<p style='mask-image:linear-gradient(transparent,transparent)'>Order placed</p>",
    "clipped to a shape without a size": "<p style='clip-path:polygon(0 0,0 0,0 0)'>Order placed</p>",
    "clipped to a shape beside it": "<p style='clip-path:polygon(80% 0,90% 0,90% 100%,80% 100%);width:900px'>Order placed</p>",
    "faded out by two filters": "<div style='filter:opacity(0.1)'><p style='filter:opacity(10%)'>Order placed</p></div>",
    "made black on black": "<div style='filter:brightness(0);background:white'><p>Order placed</p></div>",
    "made grey on grey": "<div style='filter:contrast(0);background:white'><p>Order placed</p></div>",
    "inverted to white": "<p style='filter:invert(1)'>Order placed</p>",
    "brightened to white": "<p style='color:#888;filter:brightness(10)'>Order placed</p>",
    "in a page turned dark, in the colour behind it": "<div style='filter:invert(1) hue-rotate(180deg);background:white;color:white'>"
    "<p>Order placed</p></div>",
    "blended away": "<div style='background:white'><p style='mix-blend-mode:screen;color:red'>Order placed</p></div>",
    "blended into black": "<div style='background:black'><p style='mix-blend-mode:multiply;color:red'>Order placed</p></div>",
    "in the colours of a gradient": "<div style='background:linear-gradient(#fff,#fdfdfd)'><p style='color:white'>Order placed</p></div>",
    "with an outline in the colour behind it": "<p style='color:white;-webkit-text-stroke:1px white'>Order placed</p>",
    "with a shadow in the colour behind it": "<p style='color:white;text-shadow:0 0 1px white'>Order placed</p>",
    "under a mask without a size": "<p style='mask:linear-gradient(#000,#000) no-repeat 0 0/0 0'>Order placed</p>",
    "in a frame of one pixel": "<iframe width=1 height=1 style='border:0' srcdoc='<p>Order placed</p>'></iframe>",
    "below what a script has painted": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<canvas id=c width=300 height=80 style='position:absolute;inset:0'></canvas></div>"
    "<script>c.getContext('2d').fillRect(0,0,300,80)</script>",
    "below an image": f"<div style='position:relative;width:300px'><p>Order placed</p>{SQUARE}</div>",
    "below a shape of its picture": "<svg width=200 height=50><text y=20>Order placed</text>"
    "<rect width=200 height=50 fill=white /></svg>",
    "in generated content that is hidden": "<style>p::after{content:'Order placed';display:none}</style><p>Nothing</p>",
    "in generated content of what is hidden": "<style>b::after{content:'Order placed'}</style><p>Nothing<b hidden></b></p>",
}


@pytest.mark.parametrize("body", mostly_slow(HIDDEN.values(), 6), ids=HIDDEN)
async def test_text_that_nobody_can_see_is_not_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))

    assert (await look.bad("check_text", text="Order placed")).status == "failed"
    assert (await look("check_text", text="Order placed", absent=True)).status == "ok"


SEEN = {
    "below the fold": "<div style='height:4000px'></div><p>Order placed</p>",
    "below the fold of a page that is held still": "<style>body{overflow:hidden}</style>"
    "<div style='height:4000px'></div><p>Order placed</p>",
    "scrolled past": "<p>Order placed</p><div style='height:4000px'></div><script>scrollTo(0, 3000)</script>",
    "far right": "<div style='width:5000px;text-align:right'>Order placed</div>",
    "in a part that scrolls": "<div style='height:50px;overflow:auto'><div style='height:900px'></div>Order placed</div>",
    "scrolled past in a part": "<div id=s style='height:50px;overflow:auto'>Order placed<div style='height:900px'></div></div>"
    "<script>s.scrollTop = 800</script>",
    "in a page that is one part": "<style>html,body{height:100%;margin:0;overflow:hidden}</style><main style='height:100%;"
    "overflow:auto'><div style='height:3000px'></div>Order placed</main>",
    "in a body that scrolls": "<style>html{height:100%;overflow:hidden}body{height:100%;margin:0;overflow:auto}</style>"
    "Order placed<div style='height:3000px'></div><script>document.body.scrollTop = 900</script>",
    "over a part that cuts off": "<div style='height:5px;overflow:hidden'><p style='position:absolute'>Order placed</p></div>",
    "fixed in a part that cuts off": "<div style='height:0;overflow:hidden;position:relative'>"
    "<p style='position:fixed;top:9px'>Order placed</p></div>",
    "in a header that sticks": "<p style='position:sticky;top:0'>Order placed</p><div style='height:4000px'></div>",
    "half cut off": "<p style='width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>Order placed</p>",
    "out of a part without height": "<div style='height:0'>Order placed</div>",
    "in letters of a gradient": "<h1 style='background:linear-gradient(red,blue);background-clip:text;color:transparent'>"
    "Order <span>placed</span></h1>",
    "in letters of a shadow": "<p style='color:transparent;text-shadow:0 0 1px #000'>Order placed</p>",
    "faint": "<p style='opacity:0.3'>Order placed</p>",
    "in parts": "<p>Order</p><p>placed</p><p hidden>Order placed</p>",
    "also faded out": "<p style='opacity:0'>Order placed</p><p>Order placed</p>",
    "in a field, and hidden": "<input value='Order placed'><p hidden>Order placed</p>",
    "in a page from right to left": "<style>html{direction:rtl}</style><div style='width:5000px;direction:ltr'>Order placed</div>",
    "in a list that scrolls sideways": "<div style='width:90px;overflow:auto hidden;white-space:nowrap'>"
    "<span style='padding-left:400px'>Order placed</span></div>",
    "in a dialog over all": "<div style='opacity:0;height:0;overflow:hidden;transform:scale(1)'><dialog id=d><p>Order placed</p>"
    "</dialog></div><script>d.showModal()</script>",
    "in boxes without boxes": "<div style='display:contents'>Order placed</div>",
    "in a picture": "<svg width=200 height=30><text y=20>Order placed</text></svg>",
    "in a shadow tree": in_shadow("<p>Order placed</p>"),
    "in a closed shadow tree": in_shadow("<p>Order placed</p>", mode="closed"),
    "at the top of a shadow tree": in_shadow("Order placed <b>now</b>"),
    "in a slot": in_shadow("<p><slot></slot></p>", "<x-a>Order placed</x-a>"),
    "partly in a slot": in_shadow("<p>Order <slot></slot></p>", "<x-a>placed</x-a>"),
    "where a slot is empty": in_shadow("<p><slot>Order placed</slot></p>"),
    "in a shadow tree of a shadow tree": in_shadow("<x-b></x-b>")
    + "<script>document.querySelector('x-a').shadowRoot.firstChild.attachShadow({mode:'open'}).innerHTML="
    "'<p>Order placed</p>'</script>",
    "in generated content": "<style>p::before{content:'Order placed'}</style><p></p>",
    "in generated content from an attribute": "<style>p::after{content:attr(title)}</style><p title='Order placed'></p>",
    "in pale letters": "<p style='color:#bbb'>Order placed</p>",
    "in white on a picture": "<div style='background-image:linear-gradient(#000,#333)'><p style='color:white'>Order placed</p></div>",
    "in white on a picture behind it": "<div style='position:relative'><div style='position:absolute;inset:0;z-index:-1;"
    "background:#000'></div><p style='color:white'>Order placed</p></div>",
    "in white with an outline": "<p style='color:white;-webkit-text-stroke:1px black'>Order placed</p>",
    "below a sheet one can see through": "<p>Order placed</p><div style='position:fixed;inset:0;background:rgb(0 0 0 / 0.5)'></div>",
    "below a link over the whole card": "<div style='position:relative'><p>Order placed</p>"
    "<a href=# style='position:absolute;inset:0'></a></div>",
    "below a bar that sticks": "<div style='position:sticky;top:0;height:80px;background:white'>Bar</div>"
    "<p>Order placed</p><div style='height:4000px'></div><script>scrollTo(0, 80)</script>",
    "that lets clicks through": "<div style='position:relative'><button style='width:200px;height:40px'></button>"
    "<p style='position:absolute;top:0;pointer-events:none'>Order placed</p></div>",
    "behind a dialog": "<p style='margin-left:600px'>Order placed</p><dialog id=d style='margin:0;width:200px'>Sure?</dialog>"
    "<script>d.showModal()</script>",
    "that is inert": "<div inert>Order placed</div>",
    "clipped to a round shape": "<p style='clip-path:circle(60%);width:200px'>Order placed</p>",
    "turned dark": "<div style='filter:invert(1) hue-rotate(180deg);background:white;color:black'><p>Order placed</p></div>",
    "in sepia": "<div style='filter:sepia(1) saturate(2) blur(0.2px)'><p>Order placed</p></div>",
    "in white with a shadow by a filter": "<p style='color:white;filter:drop-shadow(0 0 1px black)'>Order placed</p>",
    "in white with a shadow": "<p style='color:white;text-shadow:0 0 2px black'>Order placed</p>",
    "blended with white": "<p style='mix-blend-mode:multiply'>Order placed</p>",
    "blended to its opposite": "<div style='background:white'><p style='mix-blend-mode:difference;color:white'>Order placed</p></div>",
    "below an empty drawing": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<canvas width=300 height=80 style='position:absolute;inset:0'></canvas></div>",
    "below a half drawing": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<canvas id=c width=300 height=80 style='position:absolute;inset:0'></canvas></div>"
    "<script>c.getContext('2d').fillRect(60,0,300,80)</script>",
    "below what is blended with it": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<div style='position:absolute;inset:0;background:white;mix-blend-mode:multiply'></div></div>",
    "below what a filter fades out": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<div style='position:absolute;inset:0;background:white;filter:opacity(0)'></div></div>",
    "below what a mask takes away": "<div style='position:relative;width:300px'><p>Order placed</p>"
    "<div style='position:absolute;inset:0;background:white;mask-image:linear-gradient(transparent,transparent)'></div></div>",
    "over a shape of its picture": "<svg width=200 height=50><rect width=200 height=50 fill=white /><text y=20>Order placed</text></svg>",
    "below a clear shape of its picture": "<svg width=200 height=50><text y=20>Order placed</text>"
    "<rect width=200 height=50 fill=none pointer-events=all /></svg>",
    "that is vertical": "<p style='writing-mode:vertical-rl'>Order placed</p>",
    "under a mask that fades": "<p style='mask-image:linear-gradient(black,transparent)'>Order placed</p>",
}


@pytest.mark.parametrize("body", mostly_slow(SEEN.values(), 6), ids=SEEN)
async def test_text_that_can_be_brought_into_view_is_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))

    await look.ok("check_text", text="Order placed")
    assert (await look.bad("check_text", text="Order placed", absent=True)).status == "failed"


CUT = "overflow:hidden;width:110px;"
CURTAILED = {
    "by an ellipsis": f"<p style='{CUT}white-space:nowrap;text-overflow:ellipsis'>Your order 17 to Berlin and to Paris is placed</p>",
    "after a line": f"<p style='{CUT}display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical'>Your order 17 to Berlin and "
    "to Paris is placed</p>",
    "by the box around": f"<div style='{CUT}white-space:nowrap'><p>Your order <b>17</b> to Berlin and to Paris is placed</p></div>",
    "below": f"<p style='{CUT}height:20px'>Your order 17 to Berlin and to Paris is placed</p>",
}


@pytest.mark.parametrize("body", mostly_slow(CURTAILED.values(), 4), ids=CURTAILED)
async def test_a_text_that_is_cut_off_early_is_neither_visible_nor_gone(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    for text in ("Your order 17 to Berlin and to Paris is placed", "to Paris is placed"):
        told = await look.bad("check_text", text=text)
        assert told.seen is not None
        assert "cut off before its end" in told.seen
        await look.bad("check_text", text=text, absent=True)
    await look.ok("check_text", text="Your order")


NOT_CURTAILED = {
    "in a part that scrolls": "<div style='width:90px;overflow:auto;white-space:nowrap'>Your order 17 is placed</div>",
    "in a part that holds it": "<div style='width:400px;overflow:hidden;white-space:nowrap'>Your order 17 is placed<i style='padding-left:"
    "900px'></i></div>",
    "but for its last letters": "<p style='width:9em;overflow:hidden;white-space:nowrap'>Your order 17 is placed</p>",
    "in a field": "<input style='width:50px' value='Your order 17 is placed'>",
    "in a table that scrolls": "<div style='width:120px;overflow:auto'><table style='width:900px'><tr><td style='overflow:hidden'>Your "
    "order 17 is placed</table></div>",
}


@pytest.mark.parametrize("body", mostly_slow(NOT_CURTAILED.values(), 4), ids=NOT_CURTAILED)
async def test_a_text_of_which_most_can_be_read_is_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_text", text="Your order 17 is placed")
    await look.bad("check_text", text="Your order 17 is placed", absent=True)


async def test_of_a_number_every_digit_must_be_seen(look: User, site: Site) -> None:
    await look.open(site.page("<p style='width:7em;overflow:hidden;white-space:nowrap'>The total is 12345678</p>"))
    await look.bad("check_text", text="The total is 12345678")


async def test_what_is_written_for_screen_readers_names_what_can_be_seen(look: User, site: Site) -> None:
    unseen = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
    body = f"""<label style='{unseen}' for=n>Name</label><input id=n value=Ada><button><b style='{unseen}'>Close</b>×</button>
      <label><input type=checkbox checked style='opacity:0'>Terms</label><select aria-label=Size style='opacity:0'><option>M</select>
      <p><span style='{unseen}'>Total</span> <b>29.99</b></p>"""
    await look.open(site.page(body))
    await look.ok("type", element="Name", text="Eva")
    await look.ok("check_value", element="Name", value="Eva")
    await look.ok("check_visible", element="Name", role="textbox")
    await look.ok("check_visible", element="Close", role="button")
    await look.ok("click", element="Close")
    await look.ok("check_state", element="Terms", state="checked")
    await look.ok("check_value", element="Size", value="M")
    await look.ok("check_value", element="Total", value="29.99")


@pytest.mark.parametrize(
    "body",
    [
        "<p><label for=t>Total</label> <output id=t hidden>29.99</output></p>",
        "<p><label for=t>Total</label> <output id=t style='opacity:0'>29.99</output></p>",
        "<p><label for=t>Total</label> <output id=t style='color:transparent'>29.99</output></p>",
        "<label>Total <input style='opacity:0' value=29.99></label>",
        "<dl><dt>Total</dt><dd style='display:none'>29.99</dd></dl>",
        "<dl><dt>Total</dt><dd><b style='opacity:0'>29.99</b></dd></dl>",
        "<table><tr><th>Total</th><td style='visibility:hidden'>29.99</td></tr></table>",
        "<p style='opacity:0'>Total: 29.99</p>",
        "<p style='position:absolute;left:-9999px'>Total: 29.99</p>",
        "<p><b>Total</b> <span style='font-size:0'>29.99</span></p>",
        "<p data-testid=total style='opacity:0'>29.99</p>",
    ],
)
async def test_a_value_that_nobody_can_see_is_none(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.bad("check_value", element="Total", value="29.99")
    await look.bad("check_value", element="Total", value="29.99", match="contains")


async def test_text_is_found_as_it_is_drawn_and_as_the_document_spells_it(look: User, site: Site) -> None:
    await look.open(site.page("<p style='text-transform:uppercase'>Order <b>placed</b></p><p>Go <i hidden>x</i>on</p>"))

    for text in ("Order placed", "ORDER PLACED", "Go on"):
        assert (await look("check_text", text=text)).status == "ok"


@pytest.mark.parametrize(
    "body",
    [
        "<div style='opacity:0'><button>Save</button></div>",
        "<iframe style='display:none' srcdoc='<button>Save</button>'></iframe>",
        "<button>Unsaved</button>",
        "<a href=# style='visibility:hidden'>Save</a>",
        "<button style='position:absolute;left:-9999px'>Save</button>",
        "<button style='color:transparent;background:none;border:0'>Save</button>",
        "<button style='transform:scale(0)'>Save</button>",
        "<div style='height:0;overflow:hidden'><button>Save</button></div>",
        "<h2 style='color:transparent'>Save</h2>",
        "<iframe style='opacity:0' srcdoc='<button>Save</button>'></iframe>",
    ],
)
async def test_an_element_that_nobody_can_see_is_not_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    assert (await look.bad("check_visible", element="Save")).status == "failed"
    assert (await look("check_visible", element="Save", absent=True)).status == "ok"
    assert (await look("check_count", element="Save", count=0)).status == "ok"


async def test_an_element_that_is_drawn_without_its_text_is_visible(look: User, site: Site) -> None:
    body = "<a href=# style='display:block;width:90px;height:30px;background:red;text-indent:-9999px;overflow:hidden'>Shop</a>"
    await look.open(site.page(body + "<button style='font-size:0'>Help</button>"))
    await look.ok("check_visible", element="Shop", role="link")
    await look.ok("check_visible", element="Help", role="button")
    await look.bad("check_text", text="Shop")


async def test_only_elements_that_can_be_seen_are_counted(look: User, site: Site) -> None:
    await look.open(site.page("<ul><li>a<li>b<li style='position:absolute;left:-9999px'>c<li style='opacity:0'>d</ul>"))
    await look.ok("check_count", element="", role="listitem", count=2)


@pytest.mark.parametrize(
    "body",
    [
        "<style>button::before{content:'×'}</style><button></button>",
        "<style>i::after{content:'×'}</style><button><i></i></button>",
        "<style>a::before{content:'×' / 'close'}</style><a href='#'></a>",
        "<style>[role=button]::before{content:attr(data-sign)}</style><div role=button tabindex=0 data-sign='×'></div>",
        in_shadow("<style>button::before{content:'×'}</style><button></button>"),
    ],
)
async def test_what_a_style_writes_into_a_control_names_it(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_visible", element="×", role="button")
    await look.ok("check_count", element="×", role="button", count=1)
    await look.bad("check_visible", element="×", role="button", absent=True)
    await look.ok("click", element="×", role="button")


async def test_letters_of_an_icon_font_are_no_text(look: User, site: Site) -> None:
    await look.open(site.page("<style>button::before{content:'\\f00d'}</style><button>Close</button>"))
    await look.ok("check_visible", element="Close", role="button")
    await look.ok("check_text", text="Close")


async def test_an_element_that_is_covered_is_not_visible(look: User, site: Site) -> None:
    cover = "<div style='position:absolute;inset:0;background:#eee'></div>"
    await look.open(site.page(f"<div style='position:relative;width:300px'><button>Save</button>{cover}</div>"))
    await look.bad("check_visible", element="Save", role="button")


WRITTEN = "<style>.new::after{{content:' ({word})'}}</style><h2 class=new>Feature</h2><p>Our <b class=new>Plan</b></p>"


async def test_what_a_style_writes_is_a_part_of_an_exact_text(look: User, site: Site) -> None:
    await look.open(site.page(WRITTEN.format(word="new")))
    for text in ("Feature", "Our Plan", "Plan"):
        assert (await look.bad("check_text", text=text, exact=True)).status == "failed"
        await look.ok("check_text", text=text)
    for text in ("Feature (new)", "Plan (new)"):
        await look.ok("check_text", text=text, exact=True)


async def test_a_sign_that_a_style_adds_leaves_an_exact_text_as_it_is(look: User, site: Site) -> None:
    await look.open(site.page(WRITTEN.format(word="*")))
    for text in ("Feature", "Our Plan"):
        await look.ok("check_text", text=text, exact=True)


async def test_what_a_style_draws_apart_from_a_text_leaves_it_as_it_is(look: User, site: Site) -> None:
    for style in ("position:absolute;right:0", "background:gold;padding:4px", "display:inline-block"):
        await look.open(site.page(f"<style>h2::after{{content:'New';{style}}}</style><h2>Feature</h2>"))
        await look.ok("check_text", text="Feature", exact=True)


PICTURE = "<svg xmlns=%22http://www.w3.org/2000/svg%22><text y=%2220%22>Total due</text></svg>"


async def test_a_picture_that_is_a_document_of_its_own_is_read(look: User, site: Site) -> None:
    body = f"<iframe src='data:image/svg+xml,{PICTURE}'></iframe><object data='data:image/svg+xml,{PICTURE}'></object>"
    await look.open(site.page(f"{body}<p>Order <b>placed</b> now</p>"))
    await look.ok("check_text", text="Order placed")
    await look.ok("check_text", text="Total due")
    await look.ok("check_text", text="Order lost", absent=True)
    await look.ok("check_count", element="", role="row", count=0)
    await look.bad("check_text", text="Order lost")
