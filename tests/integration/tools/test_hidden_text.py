"""What nobody can see proves nothing: scripts, hidden elements and parts of them are no text of the page."""

import pytest
from driving import User
from served import Site

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
}


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
async def test_text_that_nobody_can_see_is_not_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))

    assert (await look.bad("check_text", text="Order placed")).status == "failed"
    assert (await look("check_text", text="Order placed", absent=True)).status == "ok"


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
    ],
)
async def test_an_element_that_nobody_can_see_is_not_visible(look: User, site: Site, body: str) -> None:
    await look.open(site.page(body))
    assert (await look.bad("check_visible", element="Save")).status == "failed"
    assert (await look("check_visible", element="Save", absent=True)).status == "ok"
    assert (await look("check_count", element="Save", count=0)).status == "ok"
