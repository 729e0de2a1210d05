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
.listed { & :is(input:checked, .a:not(.b, .c)) ~ i { background: #06c } } .various { --on: 0px; --shade: #ccc } .various:has(:checked) { --on: 30px }
.various:is(:hover, .a:not(.b, .c)) { --shade: #aaa } .various i { margin-left: var(--on); background: var(--shade) } .own[state=on], .many[aria-checked=true] i { background: #06c }
.floats b { display: block; width: 9px; height: 9px; background: #000; float: left } .floats[aria-checked=true] b { float: right }
.slides { display: flex } .slides::after { content: ""; width: 9px; background: #000 } .slides[aria-checked=true] { justify-content: end }
.pointed:is(:hover, .a:not(.b, .c)) i { color: #333; border: 1px solid } .wide:hover { padding: 0 9px }
@media print { .printed input:checked ~ i { background: #06c } } .unseen input:checked { background: #06c; border: 9px solid }
.only-read { position: absolute; clip-path: inset(50%) } x-switch::part(track):hover { background: #999 }
</style><style>@import url("data:text/css,.brought input:checked ~ i { background: rgb(0, 96, 192) }");</style>
<script>customElements.define("x-switch", class extends HTMLElement {
  connectedCallback() {
    const css = ":host(:hover) button { background: #999 } :host([checked].follows) button { background: #06c } button { width: 99px; background: #ccc; border: 0 }";
    this.attachShadow({ mode: "open" }).innerHTML = `<style>${css}</style><button part=track role=switch aria-checked=false aria-label="${this.title}"></button>`;
    this.shadowRoot.lastChild.onclick = ({ target }) => { target.ariaChecked = this.toggleAttribute("checked"); };
  }
});</script>"""
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
    "holds its ripples": "<label style='background:#eee;padding:9px'>{} <s style='display:inline-block;width:9px;height:9px;background:#999'></s> <span class='fills wave-target'><input type=checkbox><i></i></span></label>",
    "has nested rules": "<label class=nested>{} <input type=checkbox><i>o</i></label>",
    "is coloured by its markup": f"<button class=toned {SWITCH}>{{}}</button>",
    "says it": f"<button {SWITCH[:-1]}; this.lastChild.data = this.ariaChecked === 'true' ? '✓' : '✗'\"><b>{{}}</b>✗</button>",
    "has another picture": (
        "<label>{} <input type=checkbox onchange=\"this.nextSibling.firstChild.setAttribute('d', this.checked ? 'M0 0h9v9z' : 'M0 0h9')\">"
        "<svg width=20 height=20><path d='M0 0h9'></path></svg></label>"
    ),
    "has a list of selectors": "<label class=listed>{} <input type=checkbox><i></i></label>",
    "draws by a variable": "<label class=various>{} <input type=checkbox><i></i></label>",
    "has an attribute of its own": f"<button class=own {SWITCH[:-1]}; this.setAttribute('state', this.ariaChecked === 'true' ? 'on' : 'off')\">{{}}</button>",
    "moves its knob": f"<button class=floats {SWITCH}><b></b>{{}}</button>",
    "moves a generated knob": f"<button class=slides {SWITCH}>{{}}</button>",
    "is drawn by an imported sheet": "<label class=brought>{} <input type=checkbox><i></i></label>",
    "is an element in a shadow tree": "<x-switch class=follows title='{}'></x-switch>",
    "has many parts": f"<button class=many {SWITCH}>{'<s></s>' * 80}{{}}<i></i></button>",
}
DEAD = {
    "is coloured by nothing": "<label>{} <input type=checkbox><i></i></label>",
    "shows the focus by a class, and a ripple": (
        "<label>{} <input type=checkbox onchange=\"this.parentElement.classList.add('is-focused');"
        f"this.parentElement.insertAdjacentHTML('beforeend', &quot;{RIPPLE}&quot;)\"><i></i></label>"
    ),
    "is made of elements": f"<button {SWITCH}>{{}}</button>",
    "holds ripples alone": "<label>{} <span class='pointed wave-target'><input type=checkbox><i></i></span></label>",
    "has pointers in a list": "<label class=pointed>{} <input type=checkbox><i></i></label>",
    "has a class that no rule knows": "<label>{} <input type=checkbox onchange=\"this.parentElement.classList.toggle('active')\"><i></i></label>",
    "is drawn when printed": "<label class=printed>{} <input type=checkbox><i></i></label>",
    "draws what nobody sees": "<label class=unseen>{} <input type=checkbox><i></i></label>",
    "says it to screen readers": (
        f'<button class=wide {SWITCH[:-1]}; this.lastChild.textContent = this.ariaChecked"><b>{{}}</b><span class=only-read>false</span></button>'
    ),
    "is in a shadow tree": "<x-switch title='{}'></x-switch>",
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
