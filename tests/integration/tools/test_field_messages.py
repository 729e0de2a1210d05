"""What is written about a field is not what is written about its neighbour, whatever the markup."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

GROUPS = (
    "<form><div><label for=a>E-mail</label><input id=a><div>{one}</div></div>"
    "<div><label for=b>Country</label><select id=b><option>Chile</select><div>{other}</div></div></form>"
)
FLAT = (
    "<form><label for=a>E-mail</label><br><input id=a><br><span>{one}</span><br><br>"
    "<label for=b>Country</label><br><select id=b><option>Chile</select><br><span>{other}</span></form>"
)
TABLE = (
    "<form><table><tr><td>E-mail<td><input><td>{one}<tr><td>Country<td><select><option>Chile</select><td>{other}"
    "</table></form>"
)
SIDE_BY_SIDE = (
    "<form style='display:grid;grid-template-columns:200px 200px;gap:4px'><label>E-mail <input size=10></label>"
    "<label>Country <select><option>Chile</select></label><i>{one}</i><i>{other}</i></form>"
)
IN_LABEL = (
    "<form><label>E-mail <input><em>{one}</em></label><br><label>Country <select><option>Chile</select><em>{other}</em>"
    "</label></form>"
)
TOLD = (
    "<form><p>{one}</p><p id=x>{other}</p><div style='height:200px'></div><label>E-mail <input></label><br>"
    "<label>Country <select aria-describedby=x><option>Chile</select></label></form>"
)
LAYOUTS = {"groups": GROUPS, "flat": FLAT, "table": TABLE, "side by side": SIDE_BY_SIDE, "in labels": IN_LABEL}


def about(field: str) -> list[str]:
    return [f'of field "{field}"']


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
async def test_an_error_is_that_of_its_field_alone(look: User, site: Site, layout: str) -> None:
    await look.open(site.page(layout.format(one="", other="Please select")))
    await look.ok("check_text", text="Please select", within=about("Country"))
    await look.ok("check_text", text="Please select", within=about("E-mail"), absent=True)
    wrong = await look.bad("check_text", text="Please select", within=about("E-mail"))
    assert wrong.failure == Failure.EXPECTATION_FALSE
    await look.open(site.page(layout.format(one="Not valid", other="")))
    await look.ok("check_text", text="Not valid", within=about("E-mail"))
    assert (
        await look.bad("check_text", text="Not valid", within=about("Country"))
    ).failure == Failure.EXPECTATION_FALSE
    assert (
        await look.bad("check_text", text="Not valid", within=about("E-mail"), absent=True)
    ).failure == Failure.EXPECTATION_FALSE


async def test_markup_says_whose_a_text_is(look: User, site: Site) -> None:
    await look.open(site.page(TOLD.format(one="Loose", other="Told")))
    await look.ok("check_text", text="Told", within=about("Country"))
    assert (await look.bad("check_text", text="Told", within=about("E-mail"))).failure == Failure.EXPECTATION_FALSE
    for field in ("E-mail", "Country"):
        assert (await look.bad("check_text", text="Loose", within=about(field))).failure == Failure.NO_EVIDENCE


async def test_a_hint_a_value_and_a_name_are_no_error(look: User, site: Site) -> None:
    await look.open(
        site.page(
            "<form><label>Name <input placeholder=Required></label><p><label>Zip <input value=Bad></label></form>"
        )
    )
    for field, text in (("Zip", "Bad"), ("Name", "Zip")):
        assert (await look.bad("check_text", text=text, within=about(field))).failure == Failure.EXPECTATION_FALSE
    assert (await look.bad("check_text", text="Required", within=about("Name"))).failure == Failure.NO_EVIDENCE


async def test_what_follows_a_field_is_its_own_however_near_the_next_one_is(look: User, site: Site) -> None:
    close = "<p style='margin:8px 0 0'>Taken</p><label style=display:block>{next}</label>"
    forms = [close.format(next="<input type=checkbox> Weekly"), close.format(next="Country <input>")]
    await look.open(
        site.page(
            "<hr style='margin:99px'>".join(
                f"<form><input aria-label=E-mail{at}>{form}</form>" for at, form in enumerate(forms)
            )
        )
    )
    for at in range(len(forms)):
        await look.ok("check_text", text="Taken", within=about(f"E-mail{at}"))
    for other in ("Weekly", "Country"):
        await look.bad("check_text", text="Taken", within=about(other))


async def test_what_stands_below_a_field_is_not_the_next_ones(look: User, site: Site) -> None:
    await look.open(site.page(GROUPS.format(one="", other="Please select") + "<p>Forgot it?</p>"))
    await look.ok("check_text", text="Please select", within=['below field "Country"'])
    await look.ok("check_text", text="Forgot it?", within=['below field "E-mail"'])
    await look.ok("check_text", text="Country", within=['below field "E-mail"'])
    wrong = await look.bad("check_text", text="Please select", within=['below field "E-mail"'])
    assert wrong.failure == Failure.EXPECTATION_FALSE


MASKED = "<label>Pin <input value=4711 {how}></label>"


@pytest.mark.parametrize("how", ["type=password", "style='-webkit-text-security:disc'"])
async def test_a_masked_field_shows_nothing_of_what_it_holds(look: User, site: Site, how: str) -> None:
    await look.open(site.page(MASKED.format(how=how)))
    await look.ok("check_value", element="Pin", value="4711")
    await look.ok("check_value", element="Pin", value="4711", match="contains", negate=True, drawn=True)
    shown = await look.bad("check_value", element="Pin", value="4711", match="contains", drawn=True)
    assert (shown.failure, shown.seen) == (Failure.EXPECTATION_FALSE, "a password")
    assert (await look.bad("check_text", text="4711")).failure == Failure.EXPECTATION_FALSE
    await look.open(site.page(MASKED.format(how="")))
    await look.ok("check_value", element="Pin", value="4711", match="contains", drawn=True)


@pytest.mark.parametrize("label", ["Name *", "Name*:", "* Name", "Name (required)", "Name<span class=s></span>"])
async def test_an_asterisk_says_that_a_field_is_required(look: User, site: Site, label: str) -> None:
    style = "<style>.s::after{content:' *'} .no{display:none}</style>"
    await look.open(site.page(f"{style}<label for=a>{label}</label><input id=a><label>Town <input></label>"))
    await look.ok("check_state", element="Name", state="required")
    assert (await look.bad("check_state", element="Town", state="required")).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize("label", ["Name<span class=no> *</span>", "Name", "5 * 3 =", "Name (optional)"])
async def test_no_asterisk_to_be_seen_is_none(look: User, site: Site, label: str) -> None:
    await look.open(site.page(f"<style>.no{{display:none}}</style><label for=a>{label}</label><input id=a>"))
    name = label.partition("<")[0]
    assert (await look.bad("check_state", element=name, state="required")).failure == Failure.EXPECTATION_FALSE


PARTS = "<fieldset><legend>{name}</legend>{error}<label>Day <input size=2></label><label>Year <input size=4></label></fieldset>"


@pytest.mark.parametrize(
    "error", ["<p>Give a year</p>", "<p><span style='position:absolute;opacity:0'>Error:</span> Give a year</p>"]
)
async def test_a_date_of_several_parts_is_one_field_of_its_name(look: User, site: Site, error: str) -> None:
    await look.open(
        site.page(PARTS.format(name="Born", error=error) + PARTS.format(name="Issued", error="<p>As printed</p>"))
    )
    await look.ok("check_text", text="Give a year", within=about("Born"))
    wrong = await look.bad("check_text", text="Give a year", within=about("Issued"))
    assert wrong.failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="Give a year", within=about("Issued"), absent=True)
    assert (await look.bad("check_text", text="Born", within=about("Born"))).failure == Failure.EXPECTATION_FALSE
