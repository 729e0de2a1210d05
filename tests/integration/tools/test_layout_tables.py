"""Tables that only lay out a page are none; those that hold data have heads though they are only set in bold."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

HEAD = "<tr><td><b>Login</b><td><b>Quota</b><td><b>Value</b>"
ROWS = "<tr><td>jdoe<td>500<td>7<tr><td>asmith<td>200<td>9"
FORM = "<form><table><tr><td>Login:<td><input name=l><tr><td>Group:<td><select><option>Guests</select></table></form>"
PAGE = "<table><tr><td><h1>Admin</h1><td>User: root<tr><td><a href=#>Users</a><td>{form}<table border=1>{rows}</table></table>"


async def test_only_the_table_with_data_is_one(look: User, site: Site) -> None:
    await look.open(site.page(PAGE.format(form=FORM, rows=HEAD + ROWS)))
    await look.ok("check_count", element="", role="table", count=1)
    for where in ("", ["in table"]):
        await look.ok("check_count", element="", role="row", within=where, count=2)
        wrong = await look.bad("check_count", element="", role="row", within=where, count=3)
        assert wrong.failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="jdoe", within=["in first row".replace("first", "1st")])
    outside = await look.bad("check_text", text="root", within=["in table"])
    assert outside.failure == Failure.EXPECTATION_FALSE


async def test_a_head_in_bold_heads_its_column(look: User, site: Site) -> None:
    await look.open(site.page(PAGE.format(form=FORM, rows=HEAD + ROWS)))
    await look.ok("check_value", element="Quota", within="jdoe", value="500")
    assert (
        await look.bad("check_value", element="Quota", within="jdoe", value="200")
    ).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_sorted", element="Quota", descending=True)
    assert (await look.bad("check_sorted", element="Quota")).failure == Failure.EXPECTATION_FALSE


async def test_a_first_row_like_the_others_heads_nothing(look: User, site: Site) -> None:
    await look.open(site.page(f"<table>{ROWS}</table>"))
    await look.ok("check_count", element="", role="row", count=2)
    assert (await look.bad("check_count", element="", role="row", count=1)).failure == Failure.EXPECTATION_FALSE


async def test_the_name_of_a_field_is_not_the_head_of_a_column(look: User, site: Site) -> None:
    await look.open(site.page(PAGE.format(form=FORM, rows=HEAD + ROWS)))
    await look.ok("check_state", element="Login", state="empty")
    await look.script("document.querySelector('[name=l]').value = 'mm'")
    assert (await look.bad("check_state", element="Login", state="empty")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_value", element="Login", value="mm")


@pytest.mark.parametrize("mark", ["<th>Id<th>Login<th>Value", "<td><b>Id</b><td><b>Login</b><td><b>Value</b>"])
async def test_the_value_of_a_row_stands_in_the_column_of_values(look: User, site: Site, mark: str) -> None:
    rows = "<tr><td>1<td>jdoe<td>7.50<tr><td>2<td>asmith<td>9"
    await look.open(site.page(f"<table><tr>{mark}{rows}</table>"))
    await look.ok("check_value", element="jdoe", value="7.50")
    for wrong in ("9", "1"):
        assert (await look.bad("check_value", element="jdoe", value=wrong)).failure == Failure.EXPECTATION_FALSE


async def test_a_table_that_edits_data_is_one(look: User, site: Site) -> None:
    rows = "".join(f"<tr><td><input value={one}><td><input value=1><td><button>Go</button>" for one in "abc")
    await look.open(site.page(f"<table>{rows}</table>"))
    await look.ok("check_count", element="", role="row", within=["in table"], count=3)


CART = "<div class=line><span>Green tea</span><span><button>-</button> 2 <button>+</button></span><b>{price}</b></div>"


async def test_what_is_used_between_a_label_and_its_value_is_no_value(look: User, site: Site) -> None:
    await look.open(site.page(CART.format(price="$17.00")))
    await look.ok("check_value", element="Green tea", value="$17.00")
    for wrong in ("$8.50", "2"):
        assert (await look.bad("check_value", element="Green tea", value=wrong)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("shown", "said"), [("0.0", "0"), ("$5.00", "$5"), ("50.0 %", "50%"), ("72%", "72 %")])
async def test_a_whole_number_needs_no_zeros(look: User, site: Site, shown: str, said: str) -> None:
    await look.open(site.page(f"<dl><dt>Sum<dd>{shown}</dl>"))
    await look.ok("check_value", element="Sum", value=said)
    assert (await look.bad("check_value", element="Sum", value=said, negate=True)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    ("shown", "said"), [("5", "5.00"), ("5.000", "5"), ("1.1", "1.10"), ("0.01", "0"), ("10.0", "1")]
)
async def test_other_numbers_are_others(look: User, site: Site, shown: str, said: str) -> None:
    await look.open(site.page(f"<dl><dt>Sum<dd>{shown}</dl>"))
    assert (await look.bad("check_value", element="Sum", value=said)).failure == Failure.EXPECTATION_FALSE


BUTTONS = '<h1>Groups</h1><button>Help</button><button onclick="{act}">Join</button><button>{other}</button>'


async def test_one_of_several_says_it_since_it_was_clicked(do: User, site: Site) -> None:
    await do.open(site.page(BUTTONS.format(act="this.textContent='You joined'", other="Leave")))
    await do.ok("click", element="Join")
    await do.ok("check_value", element="", role="button", value="You joined")
    for text in ("Leave", "Join"):
        assert (await do.bad("check_value", element="", role="button", value=text)).failure == Failure.TARGET_UNCLEAR


async def test_what_another_one_said_before_proves_no_change(do: User, site: Site) -> None:
    await do.open(site.page(BUTTONS.format(act="document.title='x'", other="You joined")))
    await do.ok("click", element="Join")
    outcome = await do.bad("check_value", element="", role="button", value="You joined")
    assert outcome.failure == Failure.TARGET_UNCLEAR
