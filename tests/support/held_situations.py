"""Situations about the states of controls and what tables hold."""

from situations import Situation, shadow

INTERNALS = """<x-a>Dark mode</x-a><script>customElements.define('x-a', class extends HTMLElement {{
  static formAssociated = true;
  constructor() {{ super(); this.i = this.attachInternals(); this.i.role = 'switch'; this.i.ariaChecked = '{state}'; this.tabIndex = 0;
    {more} }} }})</script>"""
ON, OFF = '"Dark mode" is checked', '"Dark mode" is not checked'


def either(name: str, body: str, *sentences: str) -> Situation:
    """Return a page that decides none of some sentences."""
    return Situation(name, body, (), sentences)


def on(name: str, body: str, first: str = "") -> Situation:
    """Return a page on which the switch is on."""
    return Situation(name, body, (ON,), (OFF,), first)


def off(name: str, body: str, first: str = "") -> Situation:
    """Return a page on which the switch is off."""
    return Situation(name, body, (OFF,), (ON,), first)


TOGGLES = [
    on("a switch by its role", "<div role=switch aria-checked=true tabindex=0>Dark mode</div>"),
    off("a switch by its role that is off", "<div role=switch aria-checked=false tabindex=0>Dark mode</div>"),
    on("a button that stays pressed", "<button aria-pressed=true>Dark mode</button>"),
    off("a button that is not pressed", "<button aria-pressed=false>Dark mode</button>"),
    either("a switch without a state", "<div role=switch tabindex=0>Dark mode</div>", ON, OFF),
    either("a toggle by its class alone", "<div class='toggle on' onclick='1'><i></i>Dark mode</div>", ON, OFF),
    either("a button without a state", "<button class=active>Dark mode</button>", ON, OFF),
    either(
        "a checkbox that is neither",
        "<label><input type=checkbox id=c>Dark mode</label><script>c.indeterminate=true</script>",
        ON,
        OFF,
    ),
    either(
        "a checkbox by its role that is neither",
        "<div role=checkbox aria-checked=mixed tabindex=0>Dark mode</div>",
        ON,
        OFF,
    ),
    either("a switch whose state the browser alone knows: on", INTERNALS.format(state="true", more=""), OFF),
    either("a switch whose state the browser alone knows: off", INTERNALS.format(state="false", more=""), ON),
    on("a switch that tells its state as a property", INTERNALS.format(state="true", more="this.checked = true;")),
    off(
        "a switch that tells as a property that it is off",
        INTERNALS.format(state="false", more="this.checked = false;"),
    ),
    on("a switch in a shadow tree", shadow("<label><input type=checkbox checked>Dark mode</label>")),
    on(
        "a switch in a shadow tree named outside",
        shadow("<input type=checkbox role=switch checked><slot></slot>", "<x-a>Dark mode</x-a>"),
    ),
    on(
        "a switch drawn beside its checkbox",
        "<style>.v{position:absolute;opacity:0} span{display:inline-block;width:40px;height:20px;background:gray} "
        ":checked+span{background:green}</style><label><input class=v type=checkbox onchange='1'><span></span> Dark mode</label>",
        'Check "Dark mode"',
    ),
    off(
        "a switch of divs that says its state",
        "<style>div{width:40px;height:20px;background:gray} [aria-checked=true]{background:green}</style>"
        "<div role=switch aria-checked=true aria-labelledby=l tabindex=0 onclick=\"this.setAttribute('aria-checked',"
        "this.getAttribute('aria-checked')!=='true')\"></div><span id=l>Dark mode</span>",
        'Uncheck "Dark mode"',
    ),
    on(
        "a switch of a shadow host that takes the click itself",
        "<x-a role=switch aria-checked=false tabindex=0 onclick=\"this.setAttribute('aria-checked','true')\">Dark mode</x-a><script>"
        "document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<label><slot></slot><input type=checkbox tabindex=-1 "
        "style=display:none></label>'</script>",
        'Check "Dark mode"',
    ),
    on(
        "a switch that is drawn anew in the next frame",
        '<div role=switch aria-checked=false tabindex=0 onclick="requestAnimationFrame(()=>requestAnimationFrame('
        "()=>this.setAttribute('aria-checked','true')))\">Dark mode</div>",
        'Check "Dark mode"',
    ),
    off(
        "one of two of a name",
        "<label><input type=checkbox>Dark mode</label><label hidden><input type=checkbox checked>Dark mode</label>",
    ),
    either(
        "two of a name that differ",
        "<label><input type=checkbox>Dark mode</label><label><input type=checkbox checked>Dark mode</label>",
        ON,
        OFF,
    ),
]

ENABLED, DISABLED = 'The "Save" button is enabled', 'The "Save" button is disabled'
STATES = [
    Situation(
        "in a fieldset that is disabled", "<fieldset disabled><button>Save</button></fieldset>", (DISABLED,), (ENABLED,)
    ),
    Situation(
        "in its legend", "<fieldset disabled><legend><button>Save</button></legend></fieldset>", (ENABLED,), (DISABLED,)
    ),
    Situation(
        "in a group that is disabled",
        "<div role=group aria-disabled=true><button>Save</button></div>",
        (DISABLED,),
        (ENABLED,),
    ),
    either("two buttons that differ", "<button>Save</button><button disabled>Save</button>", ENABLED, DISABLED),
    Situation("in an inert part", "<div inert><button>Save</button></div>", (), (ENABLED,)),
    Situation(
        "behind a dialog",
        "<button>Save</button><dialog id=d>Sure?</dialog><script>d.showModal()</script>",
        (),
        (ENABLED,),
    ),
    either(
        "a paragraph",
        "<p>Save</p><p>More</p>",
        '"Save" is checked',
        '"Save" is not checked',
        '"Save" is disabled',
        '"Save" is expanded',
        '"Save" is selected',
        '"Save" is collapsed',
    ),
    Situation(
        "what folds up",
        "<details open><summary>Save</summary>More</details>",
        ('"Save" is expanded',),
        ('"Save" is collapsed',),
    ),
    Situation(
        "tabs",
        "<div role=tablist><button role=tab aria-selected=true>One</button><button role=tab aria-selected=false>Two</button></div>",
        ('The "One" tab is selected', 'The "One" tab is active'),
        ('The "Two" tab is selected', 'The "Two" tab is active'),
    ),
    either(
        "tabs without a state",
        "<div role=tablist><button role=tab class=active>One</button><button role=tab>Two</button></div>",
        'The "One" tab is selected',
        'The "Two" tab is selected',
    ),
    Situation(
        "the focus in a shadow tree",
        shadow("<label>Name<input autofocus id=i></label>") + "<button>Save</button><script>"
        "document.querySelector('x-a').shadowRoot.querySelector('input').focus()</script>",
        ('The "Name" field has the focus',),
        ('The "Save" button has the focus',),
    ),
    Situation(
        "a field that is not valid",
        "<label>Mail <input type=email required></label>",
        (),
        ('The "Mail" field is empty and invalid',),
    ),
]

PRICES = """<table><tr><th>Name<th>Price<th>Stock<tr><td rowspan=2>Lamp<td>5<td>7<tr><td>6<td>8</table>"""
TABLES = [
    Situation(
        "cells that span rows",
        PRICES,
        ('"6" is shown in the "Price" column', '"8" is shown in the "Stock" column'),
        ('"6" is shown in the "Name" column', '"8" is shown in the "Price" column'),
    ),
    Situation(
        "heads that sort",
        "<table><tr><th aria-sort=ascending><button>Price ▲</button><th><a href=#>Name</a><tr><td>5<td>Lamp<tr><td>6<td>Mug</table>",
        ('"6" is shown in the "Price" column', 'The "Price" column is sorted ascending'),
        (
            '"Mug" is shown in the "Price" column',
            'The "Price" column is sorted descending',
            'The "Name" column is sorted descending',
        ),
    ),
    Situation(
        "heads of two levels",
        "<table><thead><tr><th colspan=2>Sales<th rowspan=2>Year<tr><th>Net<th>Gross</thead><tr><td>1<td>2<td>2026</table>",
        ('"2" is shown in the "Gross" column', '"2026" is shown in the "Year" column'),
        ('"2026" is shown in the "Gross" column', '"1" is shown in the "Gross" column'),
    ),
    Situation(
        "a column that is not drawn",
        "<table><tr><th style=display:none>Id<th>Name<tr><td style=display:none>9<td>Lamp</table>",
        ('"Lamp" is shown in the "Name" column',),
        ('"9" is shown in the "Name" column', '"9" is visible'),
    ),
    Situation(
        "rows of which some are drawn",
        "<div role=grid aria-rowcount=1000 style='height:90px;overflow:auto'><div role=row><div role=gridcell>Row 1"
        "</div></div><div role=row><div role=gridcell>Row 2</div></div></div>",
        ('"Row 2" is visible',),
        ('"Row 500" is visible', "The table has 2 rows"),
    ),
    Situation(
        "a table in a table",
        "<table><tr><th>Name<th>More<tr><td>Lamp<td><table><tr><th>Size<tr><td>XL</table></table>",
        ('"XL" is shown in the "Size" column',),
        ('"Lamp" is shown in the "Size" column',),
    ),
    Situation(
        "a value in a row",
        "<table><tr><th>Name<th>Price<tr><td>Lamp<td>5<tr><td>Lamp XL<td>6</table>",
        (),
        ('The "Price" in the row with "Lamp XL" is "5"',),
    ),
    Situation(
        "in a shadow tree",
        shadow(
            "<nav><a href=#>Home</a></nav><dialog open><p>Really?</p></dialog><section aria-label=Cart><p>Lamp</p></section>"
        ),
        ('The navigation contains "Home"', 'A dialog says "Really?"', 'The "Cart" section contains "Lamp"'),
        ('The navigation contains "Lamp"', 'The "Cart" section contains "Home"'),
    ),
    Situation(
        "a part of a name",
        "<h1>todos</h1><ul aria-label='Todo items'><li>Milk</ul><p>Bread</p>",
        ('The "Todo items" list contains "Milk"',),
        ('The "Todo items" list contains "Bread"', 'The "todo" list contains "Bread"'),
    ),
]
