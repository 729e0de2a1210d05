"""A toggle that something else than the browser draws is in no state that its drawing does not follow."""

from driving import User
from served import Site

from muster_protocol.causes import Failure

STYLE = """<style>
label { display: block; height: 60px } input { position: absolute; opacity: 0 } i, button { display: inline-block; width: 40px; height: 20px; background: #ccc }
label:hover i, input:focus ~ i, .is-focused i, button:hover, button:focus { background: #999; box-shadow: 0 0 4px #00f }
.moves i::before { content: ""; display: block; width: 20px; height: 20px; background: #fff } .moves input:checked ~ i::before { transform: translateX(20px) }
.fills input:checked ~ i, .on i, .toned[aria-checked=true], .toned[aria-pressed=true] { background: #06c }
.late input:checked ~ i { border: 3px solid; transition: border 50ms 300ms }
.slides i { display: inline-flex } .slides i b { width: 20px; background: #fff } .slides input:checked ~ i { justify-content: flex-end }
.kept { display: inline-block; width: 40px; height: 20px; background: #ccc } .kept.on { color: #06c; transform: translateX(0) } .kept.on::after { content: ""; opacity: 0 }
.nested { & i { color: #000; &:hover { color: #333 } } &:has(:checked) i { color: #060 } }
</style>"""
RIPPLE = "<span class=x-ripple-layer style='position:absolute;width:9px;height:9px;background:#00f'></span>"
SWITCH = "role=switch aria-checked=false onclick=\"this.ariaChecked = this.ariaChecked !== 'true'\""
SOUND = {
    "moves": "<label class=moves>{} <input type=checkbox role=switch><i></i></label>",
    "has the colours of a pointer": "<label class=fills>{} <input type=checkbox><i></i></label>",
    "is coloured by a script": (
        "<label>{} <input type=checkbox onchange=\"this.parentElement.classList.toggle('on')\"><i></i></label>"
    ),
    "changes late": "<label class=late>{} <input type=checkbox><i></i></label>",
    "moves by its layout": "<label class=slides>{} <input type=checkbox><i><b></b></i></label>",
    "has nested rules": "<label class=nested>{} <input type=checkbox><i>o</i></label>",
    "is coloured by its markup": f"<button class=toned {SWITCH}>{{}}</button>",
    "says it": f"<button {SWITCH[:-1]}; this.lastChild.data = this.ariaChecked === 'true' ? '✓' : '✗'\"><b>{{}}</b>✗</button>",
    "has another picture": (
        "<label>{} <input type=checkbox onchange=\"this.nextSibling.firstChild.setAttribute('d', this.checked ? 'M0 0h9v9z' : 'M0 0h9')\">"
        "<svg width=20 height=20><path d='M0 0h9'></path></svg></label>"
    ),
}
DEAD = {
    "is coloured by nothing": "<label>{} <input type=checkbox><i></i></label>",
    "shows the focus by a class, and a ripple": (
        "<label>{} <input type=checkbox onchange=\"this.parentElement.classList.add('is-focused');"
        f"this.parentElement.insertAdjacentHTML('beforeend', &quot;{RIPPLE}&quot;)\"><i></i></label>"
    ),
    "is made of elements": f"<button {SWITCH}>{{}}</button>",
    "gets a class that draws nothing": (
        f"<span>{{}} <span class=kept aria-label='gets a class that draws nothing' tabindex=0 {SWITCH[:-1]}; this.classList.toggle('on');"
        "this.insertAdjacentHTML('beforeend', '<s hidden>✓</s>')\"></span></span>"
    ),
}


def _page(kinds: dict[str, str]) -> str:
    return STYLE + "".join(f"<p>{html.format(kind)}</p>" for kind, html in kinds.items()) + "<button>Save</button>"


async def test_a_toggle_whose_drawing_follows_has_its_state(look: User, site: Site) -> None:
    await look.open(site.page(_page(SOUND)))
    for kind in SOUND:
        for action, state in (("check", "checked"), ("uncheck", "unchecked")):
            await look.ok(action, element=kind)
            await look.ok("check_state", element=kind, state=state)


async def test_a_toggle_whose_drawing_stays_is_in_no_known_state(look: User, site: Site) -> None:
    await look.open(site.page(_page(DEAD)))
    for kind in DEAD:
        await look.ok("check_state", element=kind, state="unchecked")
        await look("check", element=kind)
        assert (await look.bad("check_state", element=kind, state="checked")).failure == Failure.TARGET_UNCLEAR
    await look.ok("click", element="Save")
    for kind in DEAD:
        assert (await look.bad("check_state", element=kind, state="checked")).failure == Failure.TARGET_UNCLEAR
