"""What a run has typed itself proves nothing of the product, once it was handed over: by Enter, a button, a link."""

import pytest
from driving import User
from served import Site

ADD = """<form onsubmit="{submit};return false"><input aria-label=Todo><button>Add</button></form><ul id=l></ul>"""
DEAD = ADD.format(submit="")
WORKS = ADD.format(
    submit="const t=document.querySelector('input');l.append(document.createElement('li'));l.lastChild.append(t.value)"
)
EDITOR = "<div contenteditable role=textbox aria-label=Todo style='min-height:20px'></div><button>Add</button>"


async def typed_and(look: User, site: Site, body: str, **hand: str) -> None:
    await look.open(site.page(body))
    await look.ok("type", element="Todo", text="Buy milk")
    if "key" in hand:
        await look.ok("press", key=hand["key"], element="Todo")
    else:
        await look.ok("click", element=hand["click"])


@pytest.mark.parametrize(
    ("body", "hand"), [(DEAD, {"key": "Enter"}), (DEAD, {"click": "Add"}), (EDITOR, {"click": "Add"})]
)
async def test_text_that_only_its_field_still_holds_is_not_shown(
    look: User, site: Site, body: str, hand: dict[str, str]
) -> None:
    await typed_and(look, site, body, **hand)
    assert (await look.bad("check_text", text="Buy milk")).status == "failed"
    assert (await look.bad("check_text", text="Buy milk", absent=True)).status == "failed"


@pytest.mark.parametrize("hand", [{"key": "Enter"}, {"click": "Add"}])
async def test_text_that_the_product_shows_is_shown_though_its_field_holds_it_too(
    look: User, site: Site, hand: dict[str, str]
) -> None:
    await typed_and(look, site, WORKS, **hand)
    await look.ok("check_text", text="Buy milk")
    await look.ok("check_text", text="Buy milk", exact=True)


async def test_text_in_a_field_is_shown_until_it_is_handed_over(look: User, site: Site) -> None:
    await look.open(site.page("<input aria-label=Todo><input aria-label=Notes>"))
    await look.ok("type", element="Todo", text="Buy milk")
    await look.ok("type", element="Notes", text="Soon")
    await look.ok("check_text", text="Buy milk")


async def test_enter_in_an_editor_is_typing(look: User, site: Site) -> None:
    await typed_and(look, site, EDITOR, key="Enter")
    await look.ok("check_text", text="Buy milk")


async def test_what_the_product_makes_of_a_text_is_its_own(look: User, site: Site) -> None:
    await look.open(
        site.page(
            "<input aria-label=Todo><button onclick=\"document.querySelector('input').value='Buy milk!'\">Add</button>"
        )
    )
    await look.ok("type", element="Todo", text="Buy milk")
    await look.ok("click", element="Add")
    await look.ok("check_text", text="Buy milk!")


async def test_a_field_that_the_server_fills_again_shows_what_the_product_has(look: User, site: Site) -> None:
    body = "<form><input name=q aria-label=Todo><button>Add</button></form>"
    filled = "<script>document.querySelector('input').value=new URLSearchParams(location.search).get('q')||''</script>"
    await typed_and(look, site, body + filled, click="Add")
    await look.ok("check_text", text="Buy milk")
