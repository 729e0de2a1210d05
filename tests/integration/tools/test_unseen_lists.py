"""Lists that component libraries draw anew: the native control is unseen, and a person reads and clicks its drawing."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

CLIPPED = "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden"
LISTS = f"""<p><label for=country>Country</label> <select id=country tabindex=-1 style="{CLIPPED}"><option>Norway<option
 selected>France</select><span style="border:1px solid">France</span></p>
<div><label for=many>Fruits</label><div><select id=many multiple hidden><option selected>Apple<option>Pear<option>Plum</select>
<b id=chips><i>Apple</i></b><input aria-label=Fruits style="border:0"></div></div>
<p><label for=plain>Town</label> <select id=plain><option>Oslo<option>Rome</select> Choose one</p>"""


async def test_an_unseen_list_has_chosen_what_is_drawn_for_it(look: User, site: Site) -> None:
    await look.open(site.page(LISTS))
    await look.ok("check_value", element="Country", value="France")
    await look.ok("check_value", element="Fruits", value="Apple", match="includes")
    assert (await look.bad("check_value", element="Country", value="Norway")).failure == Failure.EXPECTATION_FALSE
    await look.script("country.value = 'Norway'; many.options[1].selected = true; plain.value = 'Rome'")
    for value in ("Norway", "France"):
        for negate in (False, True):
            outcome = await look.bad("check_value", element="Country", value=value, negate=negate)
            assert outcome.failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_state", element="Country", state="empty")).failure == Failure.NO_EVIDENCE
    assert (
        await look.bad("check_value", element="Fruits", value="Pear", match="includes")
    ).failure == Failure.NO_EVIDENCE
    await look.ok("check_value", element="Town", value="Rome")
    await look.script("chips.textContent = '2 selected'")
    await look.bad("check_value", element="Fruits", value="Plum", match="includes")


SEVERAL = f"""<label for=k>Kinds</label><div style="{CLIPPED}"><select id=k multiple onchange="show()"><option selected>Red<option>Blue
</select></div><input readonly id=shown value=Red><script>
function show() {{ shown.value = [...k.selectedOptions].map((one) => one.label).join(", ") }}</script>"""


async def test_a_choice_is_added_to_those_of_an_unseen_list_of_several(look: User, site: Site) -> None:
    await look.open(site.page(SEVERAL))
    await look.ok("select", element="Kinds", options=["Blue"])
    for value in ("Red", "Blue"):
        await look.ok("check_value", element="Kinds", value=value, match="includes")
    await look.script("shown.value = 'Red'")
    assert (
        await look.bad("check_value", element="Kinds", value="Blue", match="includes")
    ).failure == Failure.NO_EVIDENCE


DRAWN = f"""<style>.l{{display:inline-block;border:1px solid}}.l span{{display:inline-flex;margin:2px}}</style>
<label for=a>Country</label> <div class=l id=box><div style="{CLIPPED}"><input id=a readonly aria-haspopup=listbox value=France></div>
<div style="{CLIPPED}"><select tabindex=-1><option>France</select></div><span id=shown>France</span>
<div role=button tabindex=0 onclick="menu.hidden = false" style="display:inline">▾</div></div>
<label for=b>Skills</label> <div class=l><div style="{CLIPPED}"><input id=b role=combobox readonly value="CSS, HTML"></div><div id=tokens
 ><span>CSS</span><span>HTML</span></div></div>
<label for=c>Owner</label> <div class=l style="width:120px" id=holder><span id=owner>Bob</span><input id=c role=combobox aria-expanded=false
 aria-haspopup=listbox style="position:absolute;left:-10000px"></div>
<div role=listbox id=menu hidden><div role=option>Ada</div></div><script>
holder.onclick = () => {{ menu.hidden = false }}
menu.onclick = () => {{ owner.textContent = 'Ada'; menu.hidden = true }}</script>"""


async def test_a_list_is_read_and_opened_by_what_is_drawn_for_it(look: User, site: Site) -> None:
    await look.open(site.page(DRAWN))
    await look.ok("check_value", element="Country", value="France")
    for value in ("CSS", "HTML"):
        await look.ok("check_value", element="Skills", value=value, match="includes")
    await look.ok("select", element="Owner", options=["Ada"])
    await look.ok("check_value", element="Owner", value="Ada", match="contains")
    await look.script("shown.textContent = 'Norway'")
    await look.bad("check_value", element="Country", value="France")


STARS = """<div><span>Stars</span> <div><svg width=14 height=14><rect width=14 height=14 /></svg><svg width=60 height=14><rect width=60
 height=14 /></svg></div></div>"""
VOLUME = "<div><label>Volume</label><span role=slider aria-valuenow=20 tabindex=0 style='display:block;height:9px'></span></div>"
OTHER = "<p><label>Other <input></label></p>"


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [
        (STARS + VOLUME, "Stars", "20"),
        (f"<p>Rating <b></b></p>{OTHER}", "Rating", "Other"),
        (f"<div>Rating</div>{OTHER}", "Rating", "Other"),
        ("<span>Country</span> <button>▾</button><label for=s>Skills</label> <input id=s>", "Country", "Skills"),
    ],
)
async def test_what_another_field_is_called_or_holds_is_no_value(
    look: User, site: Site, page: str, name: str, value: str
) -> None:
    await look.open(site.page(page))
    await look.bad("check_value", element=name, value=value)
    await look.bad("click", element=name, role="slider")
