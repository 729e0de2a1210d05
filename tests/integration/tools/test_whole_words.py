"""A text is looked for as words: as they are drawn, across the edges of elements, and as a person would deny them."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PAGE = """<title>Workshop Errors</title><button>Save card</button>Saved<p><mark>Ada</mark>m</p><p>Total: <b>29</b>.99</p>
<p>$<i>39</i><sup>99</sup></p><p style="display:flex;gap:9px"><b>Grace</b><i>Hopper</i></p>
<div style="display:grid;grid-template-columns:1fr 1fr"><b>Alan</b><b>Turing</b></div><p>商品を購入する</p>
<p><s>Err</s>or: bad</p><input aria-label=Note value="Error 7">"""


@pytest.mark.parametrize(
    "text", ["Saved", "Save", "card", "Adam", "29.99", "39", "Grace", "Hopper", "Alan", "Turing", "購入", "Error"]
)
async def test_words_that_are_drawn_by_themselves_are_there(look: User, site: Site, text: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_text", text=text)
    assert (await look.bad("check_text", text=text, absent=True)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize("text", ["Ada", "29", "Err", "Hop", "aved"])
async def test_a_part_of_a_word_or_number_is_not_there(look: User, site: Site, text: str) -> None:
    await look.open(site.page(PAGE))
    assert (await look.bad("check_text", text=text)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text=text, absent=True)


@pytest.mark.parametrize("absent", [False, True])
async def test_another_form_of_a_word_neither_proves_nor_denies_it(look: User, site: Site, absent: bool) -> None:
    await look.open(site.page("<p>Messages: 3</p>"))
    outcome = await look.bad("check_text", text="Message", absent=absent)
    assert outcome.failure == Failure.NO_EVIDENCE
    assert '"Messages" is visible' in outcome.text


@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("text", ["5 °C", "25 %", "$9"])
async def test_a_number_with_a_sign_neither_proves_nor_denies_the_one_without(
    look: User, site: Site, text: str, absent: bool
) -> None:
    await look.open(site.page("<p>Now \u22125 °C</p><b>-25 %</b><p>Refund: -$9</p>"))
    outcome = await look.bad("check_text", text=text, absent=absent)
    assert outcome.failure == Failure.NO_EVIDENCE
    assert f'"-{text}" is visible' in outcome.text


@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize(
    "page",
    [
        "<p>Balance: <b>($40.00)</b></p>",
        "<table><tr><th>Item<th>Amount<tr><td>Refund<td>($40.00)<tr><td>Fee<td>($40.00)</table>",
        "<h1>Balance</h1><div>($40.00)</div>",
    ],
)
async def test_an_amount_in_brackets_neither_proves_nor_denies_the_positive_one(
    look: User, site: Site, page: str, absent: bool
) -> None:
    await look.open(site.page(page))
    outcome = await look.bad("check_text", text="$40.00", absent=absent)
    assert outcome.failure == Failure.NO_EVIDENCE
    assert '"($40.00)" is visible' in outcome.text


async def test_an_amount_in_brackets_beside_the_positive_one_denies_nothing_of_it(look: User, site: Site) -> None:
    await look.open(site.page("<p>($40.00)</p><p>$40.00</p><p>Pro plan ($15.00)</p>"))
    await look.ok("check_text", text="$40.00")
    await look.ok("check_text", text="$15.00")


async def test_what_is_denied_in_small_letters_is_denied_in_capitals(look: User, site: Site) -> None:
    await look.open(site.page(PAGE, title="Workshop Errors"))
    for tool, arguments in (
        ("check_text", {"text": "error", "absent": True}),
        ("check_value", {"element": "Note", "value": "error", "match": "contains", "negate": True}),
        ("check_title", {"title": "error", "match": "contains", "negate": True}),
    ):
        assert (await look.bad(tool, **arguments)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="GRACE", absent=True)


async def test_each_of_several_has_the_words(look: User, site: Site) -> None:
    await look.open(site.page("<ul><li>Adam Smith<li>Adam Jones</ul>"))
    await look.ok("check_each", role="listitem", text="Adam")
    assert (await look.bad("check_each", role="listitem", text="Ada")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_each", role="listitem", text="Ada", absent=True)


async def test_the_name_of_an_icon_in_other_letters_neither_proves_nor_denies_it(look: User, site: Site) -> None:
    await look.open(
        site.page("<button aria-label=delete><svg width=9 height=9><rect width=9 height=9 /></svg></button>")
    )
    outcome = await look.bad("check_text", text="Delete", absent=True)
    assert (outcome.failure, 'button "delete"' in outcome.text) == (Failure.NO_EVIDENCE, True)
    assert (await look.bad("check_text", text="delete", absent=True)).failure == Failure.EXPECTATION_FALSE


NAME = "<div style='display:flex'><span>{stem}</span> <span style='{style}'>{rest}</span></div>"


async def test_pieces_that_stand_flush_are_read_as_one(look: User, site: Site) -> None:
    await look.open(site.page(NAME.format(stem="members", rest=".csv", style="")))
    await look.ok("check_text", text="members.csv")
    assert (await look.bad("check_text", text="members.csv", absent=True)).failure == Failure.EXPECTATION_FALSE
    for stem, rest, style in (
        ("Total 20", "5", ""),
        ("members", ".csv", "margin-left:20px"),
        ("notes", ".txt", "color:#fff"),
    ):
        await look.open(site.page(NAME.format(stem=stem, rest=rest, style=style)))
        await look.bad("check_text", text=f"{stem}{rest}")


ASKED = """for (const name of ["elementFromPoint", "elementsFromPoint"]) {
const own = Document.prototype[name]; Document.prototype[name] = function (...at) { asked += 1; return own.apply(this, at) } }"""
MANY = "".join(f"<p>Line {number} of the order</p>" for number in range(200))


@pytest.mark.parametrize("text", ["Order 17 is paid", "Line order paid"])
async def test_words_that_only_a_script_has_or_that_stand_far_apart_are_looked_for_in_few_places(
    look: User, site: Site, text: str
) -> None:
    """Whether a piece of text can be seen takes long to find out: on a busy machine, the page would not answer in time."""
    data = '<script type="application/json">{"told": "Order 17 is paid"}</script>'
    await look.open(site.page(f"<script>var asked = 0; {ASKED}</script>{MANY}<p>paid</p>{data}"))
    await look.script("asked = 0")
    await look.ok("check_text", text=text, absent=True)
    asked = await look.script("asked")
    assert isinstance(asked, int)
    assert asked < 100


FLUSH = "<div><b>Apple</b><b>Pear</b></div><div>Total <b>$1</b><b>9</b></div><p><span>O</span>nce upon</p><p><mark>Ada</mark>m</p><p>请<b>登录</b></p>"


@pytest.mark.parametrize("text", ["Pear", "Apple"])
@pytest.mark.parametrize("absent", [True, False])
async def test_a_word_that_stands_flush_with_another_is_neither_there_nor_missing(
    look: User, site: Site, text: str, *, absent: bool
) -> None:
    await look.open(site.page(FLUSH))
    outcome = await look.bad("check_text", text=text, absent=absent)
    assert (outcome.failure, "runs into other letters" in outcome.text) == (Failure.NO_EVIDENCE, True)


@pytest.mark.parametrize("text", ["ApplePear", "$19", "Once upon", "登录"])
async def test_what_is_whole_is_there(look: User, site: Site, text: str) -> None:
    await look.open(site.page(FLUSH))
    await look.ok("check_text", text=text)


async def test_a_word_that_stands_by_itself_as_well_is_there(look: User, site: Site) -> None:
    await look.open(site.page(f"{FLUSH}<p>Pear</p>"))
    await look.ok("check_text", text="Pear")
    assert (await look.bad("check_text", text="Pear", absent=True)).failure == Failure.EXPECTATION_FALSE


async def test_part_of_a_number_is_missing(look: User, site: Site) -> None:
    await look.open(site.page(FLUSH))
    await look.ok("check_text", text="9", absent=True)
