"""A text that can hardly be told from what is behind it neither proves nor denies anything."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PALE = {
    "black on almost black": "<div style='background:#222'><p style='color:black'>Order placed</p></div>",
    "almost white on white": "<p style='color:#ddd'>Order placed</p>",
    "faded": "<div style='opacity:0.1'><p>Order placed</p></div>",
    "in letters that are too small": "<p style='font-size:5px'>Order placed</p>",
    "in a column of small letters": "<p style='font-size:5px;writing-mode:vertical-rl'>Order placed</p>",
    "faded in a picture": "<svg width=200 height=50><text y=20 fill-opacity=0.1>Order placed</text></svg>",
    "half seen through": "<p style='color:rgb(0 0 0 / 0.1)'>Order placed</p>",
}
LEGIBLE = {
    "grey on white": "<p style='color:#d0d0d0'>Order placed</p>",
    "red on blue": "<div style='background:#00f'><p style='color:#f00'>Order placed</p></div>",
    "almost white with a shadow": "<p style='color:#eee;text-shadow:0 0 2px black'>Order placed</p>",
    "pale and again in black": "<p style='color:#ddd'>Order placed</p><p>Order placed</p>",
    "grey by its opacity": "<p style='opacity:0.3'>Order placed</p>",
    "white on a bar of a picture": "<svg width=200 height=50><rect width=200 height=30 /><text y=20 fill=white>Order placed</text></svg>",
    "white in a picture on black": "<div style='background:#000'><svg width=200 height=50><text y=20 fill=white>Order placed</text></svg></div>",
    "in pieces of which some are narrow": "<p>Order<!-- --> <!-- -->p<!-- -->l<!-- -->aced</p>",
    "in a picture with a stroke": "<svg width=200 height=50><text y=20 fill=none stroke=black>Order placed</text></svg>",
}


@pytest.mark.parametrize("body", PALE.values(), ids=PALE)
async def test_a_pale_text_is_neither_visible_nor_gone(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    told = await look.bad("check_text", text="Order placed")
    assert told.seen is not None
    assert "hardly told from what is behind it" in told.seen
    await look.bad("check_text", text="Order placed", absent=True)


@pytest.mark.parametrize("body", LEGIBLE.values(), ids=LEGIBLE)
async def test_a_text_that_stands_out_is_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    await look.ok("check_text", text="Order placed")


@pytest.mark.parametrize("paint", ["fill=none", "fill=white", "fill-opacity=0"])
async def test_a_text_of_a_picture_without_any_colour_cannot_be_seen(look: User, site: Site, paint: str) -> None:
    await look.open(site.page(f"<svg width=200 height=50><text y=20 {paint}>Order placed</text></svg>"))
    await look.bad("check_text", text="Order placed")


async def test_what_a_field_shows_in_the_colour_behind_it_is_neither_shown_nor_not(look: User, site: Site) -> None:
    fields = "<label>Name <input value=Ada style='color:#f4f4f4'></label><label>Town <input value=Oslo></label>"
    await look.open(site.page(fields))
    for value in ("Ada", "Oslo"):
        outcome = await look.bad("check_value", element="Name", value=value, match="contains", drawn=True)
        assert outcome.failure == Failure.NO_EVIDENCE
    for absent in (False, True):
        await look.bad("check_text", text="Ada", absent=absent)
    await look.ok("check_value", element="Name", value="Ada")
    await look.ok("check_value", element="Town", value="Oslo", drawn=True)
    await look.ok("check_text", text="Oslo")
