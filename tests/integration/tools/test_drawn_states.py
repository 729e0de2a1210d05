"""States that a page tells by its drawing and its class names alone."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = "<style>.active,.nav--selected{color:#fff;background:#036}.off{color:#036}</style>"
TABS = f"""{STYLE}<ul><li><a href=#a class="tab">Structure</a><li><a href=#b class="tab active">Content</a>
<li><a href=#c class="tab">Query <span>3</span></a></ul>"""
CHIPS = f"{STYLE}<div><div class=nav--selected><span>30 days</span></div><div><span>7 days</span></div></div>"
UNSEEN = "<ul><li><a href=#a>One</a><li><a href=#b class=active>Two</a></ul>"
PANES = f"{STYLE}<div class=active><button>Save</button></div><div hidden><button>Send</button></div>"
FOLDED = """<h3><button aria-expanded=false onclick="this.ariaExpanded='true'"><span><p>Advanced options</p></span></button></h3>"""


@pytest.mark.parametrize(("page", "chosen", "other"), [(TABS, "Content", "Query"), (CHIPS, "30 days", "7 days")])
async def test_the_chosen_one_is_called_and_drawn_so(
    look: User, site: Site, page: str, chosen: str, other: str
) -> None:
    await look.open(site.page(page))
    await look.ok("check_state", element=chosen, state="selected")
    await look.ok("check_state", element=other, state="unselected")
    for element, state in ((chosen, "unselected"), (other, "selected")):
        assert (await look.bad("check_state", element=element, state=state)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("page", "element"), [(UNSEEN, "Two"), (UNSEEN, "One"), (PANES, "Save")])
async def test_a_class_that_nobody_sees_chooses_nothing(look: User, site: Site, page: str, element: str) -> None:
    await look.open(site.page(page))
    for state in ("selected", "unselected"):
        assert (await look.bad("check_state", element=element, state=state)).failure == Failure.TARGET_UNCLEAR


async def test_the_state_of_a_text_is_that_of_the_control_whose_only_text_it_is(look: User, site: Site) -> None:
    await look.open(site.page(FOLDED))
    await look.ok("check_state", element="Advanced options", state="collapsed")
    await look.ok("click", element="Advanced options")
    await look.ok("check_state", element="Advanced options", state="expanded")
    assert (
        await look.bad("check_state", element="Advanced options", state="collapsed")
    ).failure == Failure.EXPECTATION_FALSE


async def test_a_slider_that_is_drawn_over_its_field_is_known_by_the_text_before_it(look: User, site: Site) -> None:
    unseen = "position:absolute;width:100%;height:100%;margin:-1px;clip:rect(0 0 0 0);overflow:hidden"
    field = f"<input type=range max=10 value=5 style='{unseen}'>"
    slider = f"<span style='position:relative;display:block;width:200px;height:20px'><i>·</i>{field}</span>"
    await look.open(site.page(f"<div><p>Marker size:</p>{slider}</div>"))
    await look.ok("check_value", element="Marker size", role="slider", value="5")
    await look.ok("type", element="Marker size", text="8", role="slider")
    assert (
        await look.bad("check_value", element="Marker size", role="slider", value="5")
    ).failure == Failure.EXPECTATION_FALSE


EMPHASIS = "<style>.tab{padding:8px;cursor:pointer}.now{border-bottom:2px solid;color:#06c}.was{color:green}.offer{padding:9px;background:#06c}</style>"
DRAWN = (
    f"{EMPHASIS}<div class=tabs><a class='tab now'>Details</a> <a class=tab>Reviews</a> <a class=tab>Shipping</a></div>"
)
STEPS = f"{EMPHASIS}<ol><li class=tab>Cart<li class='tab now'>Address<li class=tab>Payment</ol>"
LINKED = "<nav><a href=#1 aria-current=page>1</a> <a href=#2>2</a> <a href=#3>3</a></nav><p>Items: 1</p>"


@pytest.mark.parametrize(
    ("page", "role", "chosen", "other"),
    [(DRAWN, "tab", "Details", "Reviews"), (STEPS, "", "Address", "Cart"), (LINKED, "page", "1", "2")],
)
async def test_the_only_one_that_is_drawn_otherwise_is_the_chosen_one(
    look: User, site: Site, page: str, role: str, chosen: str, other: str
) -> None:
    await look.open(site.page(page))
    await look.ok("check_state", element=chosen, role=role, state="selected")
    await look.ok("check_state", element=other, role=role, state="unselected")
    for element, state in ((chosen, "unselected"), (other, "selected")):
        wrong = await look.bad("check_state", element=element, role=role, state=state)
        assert wrong.failure == Failure.EXPECTATION_FALSE


async def test_a_rule_for_the_pointer_elsewhere_leaves_the_chosen_one_known(look: User, site: Site) -> None:
    elsewhere = "<style>.menu { &:hover { color: red } } @media print { .tab:hover { color: red } }</style>"
    await look.open(site.page(elsewhere + DRAWN))
    await look.ok("click", element="Details")
    await look.ok("check_state", element="Details", role="tab", state="selected")


NAV = "<nav class=md-tabs><ul><li class='item item--active'><a href=#a>Home</a><li class=item><a href=#b>Guide</a></ul></nav>"
MIXED = f"<div class=tabs>{NAV.replace(' class=md-tabs', '')}<p><button>Save</button></p></div>"


async def test_tabs_that_nothing_but_a_class_calls_so_are_counted_if_they_are_made_alike(
    look: User, site: Site
) -> None:
    await look.open(site.page(f"{NAV}<a href=#c>Elsewhere</a>"))
    await look.ok("check_count", element="", role="tab", count=2)
    assert (await look.bad("check_count", element="", role="tab", count=3)).failure == Failure.NO_EVIDENCE
    await look.open(site.page(MIXED))
    for count in (2, 3):
        assert (await look.bad("check_count", element="", role="tab", count=count)).failure == Failure.NO_EVIDENCE
    await look.open(site.page(f"{NAV}<div role=tablist><button role=tab>One</button></div>"))
    assert (await look.bad("check_count", element="", role="tab", count=2)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    "page",
    [
        DRAWN.replace(" now", ""),
        DRAWN.replace("class=tab>Reviews", "class='tab was'>Reviews"),
        DRAWN.replace("<a class=tab>Shipping</a>", ""),
        DRAWN.replace("tab now", "tab offer"),
        DRAWN.replace("tab now'", "tab now' aria-disabled=true"),
        DRAWN.replace("class=tabs", ""),
        DRAWN.replace(".now", ".tab:hover").replace("<a class='tab now'", "<a tabindex=0 class=tab"),
        DRAWN.replace(".now", ".tab:is(:hover, :focus:not(.x, .y))").replace("tab now", "tab"),
    ],
)
async def test_nobody_can_tell_which_of_them_is_chosen(look: User, site: Site, page: str) -> None:
    """None is, two are, each may be, an offer, what cannot be used, no tabs, and what the pointer alone colours."""
    if "class=tabs" not in page:
        page = page.replace("tab", "box")
    await look.open(site.page(page))
    await look.ok("click", element="Details")
    for state in ("selected", "unselected"):
        assert (await look.bad("check_state", element="Details", state=state)).failure == Failure.TARGET_UNCLEAR
