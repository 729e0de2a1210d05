"""Controls as component libraries draw them: what a person clicks is not the control itself."""

import pytest
from driving import User
from served import Site

COVERED = """<div style="position:relative;width:160px;height:30px">
  <input role=combobox aria-haspopup=listbox aria-label=Role readonly style="position:absolute;inset:0;width:100%;opacity:0">
  <span id=face style="position:absolute;inset:0;background:#eee">Developer</span></div>
<p>Designer</p><div id=popup hidden><div class=choice title=Designer>Designer</div></div>
<script>
  document.querySelector("div").onclick = () => { popup.hidden = false };
  popup.onclick = () => { face.textContent = "Designer"; popup.hidden = true };
</script>"""

CLIPPED = """<label for=a>Active</label>
<input type=checkbox id=a style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden">"""

IN_SHADOW = """<label><x-box></x-box> Active</label><script>
  customElements.define("x-box", class extends HTMLElement {
    static formAssociated = true;
    constructor() {
      super();
      this.attachInternals();
      this.attachShadow({ mode: "open" }).innerHTML = "<input type=checkbox>";
    }
  });
</script>"""

ROLE_OF_ITS_OWN = """<x-tab>Settings</x-tab><p id=said></p><script>
  customElements.define("x-tab", class extends HTMLElement {
    constructor() { super(); this.attachInternals().role = "tab"; this.onclick = () => { said.textContent = "opened" } }
  });
</script>"""

NO_POINTER = """<x-button></x-button><p id=said></p><script>
  const host = document.querySelector("x-button");
  host.attachShadow({ mode: "open" }).innerHTML = "<button style='pointer-events:none'>Save</button>";
  host.onclick = () => { said.textContent = "saved" };
</script>"""


async def test_a_list_is_used_by_what_is_drawn_over_it_and_takes_the_choice_that_appears(do: User, site: Site) -> None:
    await do.open(site.page(COVERED))
    assert (await do.ok("select", element="Role", options=["Designer"])).confirmed
    await do.ok("check_value", element="Role", value="Designer")


@pytest.mark.parametrize("page", [CLIPPED, IN_SHADOW])
async def test_a_checkbox_is_used_by_its_label(do: User, site: Site, page: str) -> None:
    await do.open(site.page(page))
    await do.ok("check", element="Active")
    await do.ok("check_state", element="Active", state="checked")


async def test_a_custom_element_has_the_role_that_the_browser_knows(do: User, site: Site) -> None:
    await do.open(site.page(ROLE_OF_ITS_OWN))
    await do.ok("click", element="Settings", role="tab")
    await do.ok("check_text", text="opened")


async def test_a_button_that_takes_no_pointer_is_clicked_through_its_host(do: User, site: Site) -> None:
    await do.open(site.page(NO_POINTER))
    await do.ok("click", element="Save", role="button")
    await do.ok("check_text", text="saved")


async def test_an_overlay_is_no_face(do: User, site: Site) -> None:
    overlay = "<div style='position:fixed;inset:0;background:#fff' onclick=\"document.title = 'clicked'\">Wait</div>"
    do.ctx.action_timeout = 1.0
    await do.open(site.page(f"<select aria-label=Role><option>A<option>B</select><button>Save</button>{overlay}"))
    assert (await do("click", element="Save")).status == "error"
    assert await do.script("document.title") != "clicked"


async def test_an_overlay_that_nobody_sees_does_not_show_a_text_in_the_colour_of_its_background(
    do: User, site: Site
) -> None:
    hidden = "<div style='position:fixed;inset:0;background:#000;opacity:0'></div>"
    await do.open(site.page(f"<p style='color:#fff;background:#fff'>3 members</p>{hidden}"))
    await do.bad("check_text", text="3 members")
