"""A value is set by the gesture that its control takes, and a moved caret or focus is an effect."""

import pytest
from driving import User
from served import Site

SWITCH = """<style>.box {{ position: relative; display: inline-flex; align-items: center }}
.box input {{ position: absolute; width: 0; height: 0; opacity: 0; margin: 0 }}
.core {{ width: 40px; height: 20px; background: #888 }} input:checked + .core {{ background: #080 }}</style>
<label for=s>Video</label><div class=box id=w><input type=checkbox role=switch id=s><span class=core></span></div><p id=said></p>
<script>let on = false; const draw = () => {{ s.checked = on; said.textContent = "video " + on }};
w.onclick = event => {{ event.preventDefault(); {change}; queueMicrotask(draw) }}</script>"""
LISTS = """<label>Size <select><option>Small<option>Large</select></label>
<fieldset><legend>Plan</legend><label><input type=radio name=p>Basic</label><label><input type=radio name=p>Pro</label></fieldset>
<div id=c role=combobox aria-label=Colour tabindex=0 onclick="l.hidden=false">Choose</div>
<div id=l role=listbox hidden><div role=option onclick="c.textContent='Red';l.hidden=true">Red</div></div>"""
EDITOR = """<div contenteditable aria-label=Body>Hello world</div><label>Name <input value=abc></label>
<button>Dead</button><p>Plain</p>"""


async def test_a_switch_whose_product_undoes_a_click_on_its_label_is_used_by_its_drawing(do: User, site: Site) -> None:
    await do.open(site.page(SWITCH.format(change="on = !on")))
    for tool, state in (("check", "checked"), ("check", "checked"), ("uncheck", "unchecked")):
        assert (await do.ok(tool, element="Video")).confirmed
        await do.ok("check_state", element="Video", state=state)
    await do.ok("check_text", text="video false")


async def test_a_switch_that_does_nothing_is_not_on(do: User, site: Site) -> None:
    await do.open(site.page(SWITCH.format(change="")))
    outcome = await do("check", element="Video")
    assert not (outcome.status == "ok" and outcome.confirmed)
    await do.bad("check_state", element="Video", state="checked")


@pytest.mark.parametrize(("name", "value"), [("Size", "Large"), ("Plan", "Pro"), ("Colour", "Red")])
async def test_what_takes_no_text_takes_a_value_as_a_choice(do: User, site: Site, name: str, value: str) -> None:
    await do.open(site.page(LISTS))
    assert (await do.ok("type", element=name, text=value)).confirmed
    await do.ok("check_value", element=name, value=value)


async def test_a_choice_that_a_list_does_not_have_is_an_error_that_tells_what_it_has(do: User, site: Site) -> None:
    await do.open(site.page(LISTS))
    assert '"Small"' in (await do.bad("type", element="Size", text="Huge")).text
    await do.ok("check_value", element="Size", value="Small")


ONLY_CHOSEN = """<style>label {{ display: block; position: relative; width: 200px }} input {{ position: absolute; inset: 0; opacity: 0 }}</style>
<table><tr><th>Size<tr><td>Medium<tr><td>Huge</table><label for=s onclick="l.hidden=false"><div>Size</div><div><span id=d>Small</span>
<input id=s readonly role=combobox aria-label=Size aria-expanded=false value=Small {more}></div></label>
<div id=l role=listbox hidden><div role=option onclick="s.value=d.textContent='Large';l.hidden=true">Large</div></div>"""


async def test_a_list_whose_field_only_takes_the_keys_is_known_by_its_drawing(do: User, site: Site) -> None:
    await do.open(site.page(ONLY_CHOSEN.format(more="")))
    await do.ok("check_value", element="Size", value="Small", drawn=True)
    assert (await do.ok("type", element="Size", text="Large")).confirmed
    await do.ok("check_value", element="Size", value="Large")
    await do.bad("check_value", element="Size", value="Small")


async def test_a_list_that_says_that_it_is_read_only_is_so(do: User, site: Site) -> None:
    await do.open(site.page(ONLY_CHOSEN.format(more="aria-readonly=true")))
    assert "read-only" in (await do.bad("type", element="Size", text="Large")).text


async def test_a_caret_or_focus_that_moved_is_an_effect(do: User, site: Site) -> None:
    await do.open(site.page(EDITOR))
    await do.ok("click", element="Body")
    for key in ("Control+Home", "Control+End", "Tab", "Home", "End", "Control+a", "Tab", "Shift+Tab"):
        assert (await do.ok("press", key=key)).confirmed, key


async def test_a_key_or_click_that_moves_nothing_has_no_effect(do: User, site: Site) -> None:
    await do.open(site.page(EDITOR))
    await do.ok("click", element="Name")
    await do.ok("press", key="End")
    assert not (await do.ok("press", key="End")).confirmed
    assert not (await do.ok("press", key="F9")).confirmed
    assert not (await do.ok("click", element="Plain")).confirmed


NATIVE_SLIDER = """<p id=said></p><label dir={way}>Volume <input type=range min=-10 max=90 step={step} value=30></label>
<script>const slider = document.querySelector("input");
slider.onkeyup = slider.onpointerup = () => {{ said.textContent = "volume " + slider.value }}</script>"""


@pytest.mark.parametrize("value", ["-10", "50", "90"])
@pytest.mark.parametrize("way", ["ltr", "rtl"])
async def test_a_native_slider_is_let_go(do: User, site: Site, value: str, way: str) -> None:
    """Some products take the value of a slider only when the key or the mouse that moved it is let go."""
    await do.open(site.page(NATIVE_SLIDER.format(step=5, way=way)))
    await do.ok("type", element="Volume", text=value)
    await do.ok("check_text", text=f"volume {value}")


async def test_a_slider_without_steps_keeps_the_value_to_the_last_place(do: User, site: Site) -> None:
    await do.open(site.page(NATIVE_SLIDER.format(step="any", way="ltr")))
    await do.ok("type", element="Volume", text="12.34")
    await do.ok("check_value", element="Volume", value="12.34")


SLIDER = """<div id=h role=slider tabindex=0 aria-label=Lowest aria-valuemin=0 aria-valuemax=100 aria-valuenow=20.0 aria-valuetext=20.00 style="width:20px;height:20px"></div>
<script>h.onkeydown = ({ key }) => { const now = Number(h.ariaValueNow) + (key === "ArrowRight" ? STEP : -STEP);
h.ariaValueNow = now.toFixed(1); h.ariaValueText = now.toFixed(2) }</script>"""


@pytest.mark.parametrize(
    ("step", "value", "set_"), [("5", "40", True), ("0.2", "20.4", True), ("30", "40", False), ("380", "400", True)]
)
async def test_a_slider_stands_at_a_number_however_that_is_written(
    do: User, site: Site, step: str, value: str, set_: bool
) -> None:
    await do.open(site.page(SLIDER.replace("STEP", step)))
    outcome = await do("type", element="Lowest", text=value)
    assert (outcome.status == "ok" and outcome.confirmed) is set_
