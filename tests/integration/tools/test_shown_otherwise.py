"""What is written in a page is not what a person sees where styles turn it round, take its letters away or draw something else."""

from driving import User
from served import Site

BACK = "unicode-bidi:bidi-override;direction:rtl"
REVERSED = f"""<p style="{BACK}">Order 4711 is <b>paid</b></p><p>Code: <bdo dir=rtl>12345</bdo></p><p>Gate: <b>&#x202e;B17&#x202c;</b></p>
<p style="{BACK}">שלום לכם</p><p><bdo dir=ltr>+49 123</bdo></p><p dir=rtl>Paragraph 9</p><p style="{BACK}">X</p>"""
DARK = """<style>html { color-scheme: dark }</style><p style="color: #121212">Sold out</p><p>In stock</p>"""
LABELLED = "<label>Land <select><option label=France>Germany</select></label><label>Town <select><option label=Rome>Rome</select></label>"
FIELDS = """<input aria-label=A value=Alpha style="text-indent:-999px"><input aria-label=B value=Beta style="font-size:0;width:90px;height:20px">
<input aria-label=C value=Gamma style="text-indent:20px">"""
PICTURE = "background:url('data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>')"
BUTTONS = f"""<button style="color:#fff;background:#fff">Save</button><button style="{BACK}">Send</button><button style="font-size:0"><svg width=9 height=9></svg>Close</button>
<a href=# style="display:inline-block;width:20px;height:20px;text-indent:-999px;overflow:hidden;{PICTURE}">Delete</a>
<button style="font-size:0" aria-label=Print>Print</button><button>Copy</button>"""


async def _are_seen(user: User, *, seen: tuple[str, ...], unseen: tuple[str, ...]) -> None:
    for text in seen:
        await user.ok("check_text", text=text)
    for text in unseen:
        await user.bad("check_text", text=text)


async def test_letters_that_are_drawn_backwards_are_not_read(look: User, site: Site) -> None:
    await look.open(site.page(REVERSED))
    await _are_seen(
        look, seen=("שלום לכם", "+49 123", "Paragraph 9", "X"), unseen=("Order 4711 is paid", "paid", "12345", "B17")
    )
    await look.bad("check_value", element="Code", value="12345")


async def test_letters_in_the_colour_of_the_browsers_own_ground_are_not_seen(look: User, site: Site) -> None:
    await look.open(site.page(DARK))
    await _are_seen(look, seen=("In stock",), unseen=("Sold out",))


async def test_what_fields_hold_and_do_not_show_is_not_seen(look: User, site: Site) -> None:
    await look.open(site.page(LABELLED + FIELDS))
    await _are_seen(look, seen=("France", "Rome", "Gamma"), unseen=("Germany", "Alpha", "Beta"))


async def test_a_button_whose_letters_nobody_can_read_is_not_known_by_them(look: User, site: Site) -> None:
    await look.open(site.page(BUTTONS))
    for name in ("Close", "Delete", "Print", "Copy"):
        await look.ok("check_visible", element=name)
    for name in ("Save", "Send"):
        await look.bad("check_visible", element=name)
