"""Where texts stand to each other is what a person sees, not the order of the source."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

LIST = "<ul style='display:flex;flex-direction:{way}'><li>Speed</li><li>Price</li></ul>"
COLUMNS = "<div style='display:flex;gap:40px'><div><h2>To do</h2><p>Dark mode</p></div><div><h2>Done</h2><p>Tour</p></div></div>"
CHART = "<svg width=200 height=120><text x=10 y=100>Apr</text><text x=10 y=30>$24k</text></svg>"
SHADOW = (
    "<x-tags>Cheap</x-tags><p>Fine</p><script>customElements.define('x-tags', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<b>Fast</b> <slot></slot>' } })</script>"
)


async def _is(look: User, way: str, *texts: str) -> None:
    """Check that texts stand so, and not the other way round."""
    await look.ok("check_order", texts=list(texts), way=way)
    wrong = await look.bad("check_order", texts=list(reversed(texts)), way=way)
    assert wrong.failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("way", "texts"), [("column", ("Speed", "Price")), ("column-reverse", ("Price", "Speed"))])
async def test_a_column_is_read_as_it_is_drawn(look: User, site: Site, way: str, texts: tuple[str, str]) -> None:
    await look.open(site.page(LIST.format(way=way)))
    await _is(look, "above", *texts)
    await _is(look, "before", *texts)


@pytest.mark.parametrize(("way", "texts"), [("row", ("Speed", "Price")), ("row-reverse", ("Price", "Speed"))])
async def test_a_line_is_read_as_it_is_drawn(look: User, site: Site, way: str, texts: tuple[str, str]) -> None:
    await look.open(site.page(LIST.format(way=way)))
    await _is(look, "left of", *texts)
    await _is(look, "before", *texts)
    for order in (texts, texts[::-1]):
        assert (await look.bad("check_order", texts=list(order), way="above")).failure == Failure.EXPECTATION_FALSE


async def test_the_source_of_a_chart_is_no_order(look: User, site: Site) -> None:
    await look.open(site.page(CHART))
    await _is(look, "above", "$24k", "Apr")
    await _is(look, "before", "$24k", "Apr")


async def test_a_text_in_another_column_is_not_below(look: User, site: Site) -> None:
    await look.open(site.page(COLUMNS))
    await _is(look, "above", "To do", "Dark mode")
    for order in (["Dark mode", "Tour"], ["Tour", "Dark mode"]):
        assert (await look.bad("check_order", texts=order, way="above")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_order", texts=["Dark mode", "Tour"])
    for order, failure in ((["To do", "Tour"], Failure.NO_EVIDENCE), (["Tour", "To do"], Failure.EXPECTATION_FALSE)):
        assert (await look.bad("check_order", texts=order, way="above")).failure == failure


async def test_cells_of_other_rows_and_what_is_set_to_another_side_are_below(look: User, site: Site) -> None:
    table = "<table style='width:400px'><tr><td>Ada<td>36<tr><td>Bob<td>21</table>"
    await look.open(site.page(f"{table}<div style='width:50px'>Total</div><div style='text-align:right'>Pay now</div>"))
    for texts in (("Ada", "21"), ("36", "Bob"), ("Bob", "Total"), ("Total", "Pay now")):
        await _is(look, "above", *texts)


async def test_words_of_one_line_have_an_order(look: User, site: Site) -> None:
    await look.open(site.page("<p>Bread and Milk</p><p style='width:60px'>Apples Pears</p>"))
    await _is(look, "left of", "Bread", "Milk")
    await _is(look, "above", "Apples", "Pears")


async def test_what_is_slotted_stands_where_it_is_drawn(look: User, site: Site) -> None:
    await look.open(site.page(SHADOW))
    await _is(look, "before", "Fast", "Cheap")
    await _is(look, "above", "Cheap", "Fine")


async def test_what_a_field_holds_has_a_place(look: User, site: Site) -> None:
    await look.open(site.page("<p>Below</p><input value=Above style='position:absolute;top:0;left:0'>"))
    await look.script("document.body.style.paddingTop = '60px'")
    await _is(look, "above", "Above", "Below")


async def test_a_text_that_stands_twice_stands_nowhere(look: User, site: Site) -> None:
    await look.open(site.page("<p>Bread</p><p>Milk</p><p>Bread</p>"))
    for way in ("before", "above"):
        assert (await look.bad("check_order", texts=["Bread", "Milk"], way=way)).failure == Failure.TARGET_UNCLEAR
