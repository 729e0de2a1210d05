"""A small site, what cases do on it, and what can become of it: changes that harm nobody, and faults beside decoys."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Call = tuple[str, dict[str, Any]]


class Task(NamedTuple):
    """A case on the site: its step, what is expected, and the calls of an able model."""

    name: str
    action: str
    expected: str
    calls: tuple[Call, ...]


class Change(NamedTuple):
    """What becomes of the page."""

    name: str
    kind: str
    """Ids, classes, wrappers, order, wording, moved, duplicated, removed or swapped."""
    to: Callable[[str], str]
    harmless: bool = True
    names: Mapping[str, str] = {}
    """New names of elements, which an able model finds; for a fault, the decoys that a careless one takes."""


TASKS = (
    Task(
        "sign-up",
        "Fill in the form as Ann and send it",
        'The text "Welcome, Ann" is visible',
        (
            ("type", {"element": "Name", "text": "Ann"}),
            ("type", {"element": "Mail", "text": "ann@example.com"}),
            ("click", {"element": "Send"}),
        ),
    ),
    Task(
        "cart",
        "Have the backpack come along",
        'The text "Backpack is in your cart" is visible',
        (("click", {"element": "Add to cart", "within": "Backpack"}),),
    ),
    Task(
        "letters",
        "Have the letters come every week",
        'The text "Letters: weekly" is visible',
        (
            ("check", {"element": "Letters"}),
            ("select", {"element": "How often", "options": ["weekly"]}),
            ("click", {"element": "Keep"}),
        ),
    ),
)
"""Each acts on a part of its own of the same page."""
SIGN_UP = """<section id="join" class="box join"><h2>Join</h2><form action="@/done">
<label class="field">Name <input id="f1" name="name" class="in"></label>
<label class="field">Mail <input id="f2" name="mail" class="in"></label>
<button id="b1" class="btn main">Send</button> <button id="b2" class="btn" formaction="@/draft">Save draft</button>
</form></section>"""
CARDS = """<section id="shop" class="box shop"><h2>Shop</h2><ul>
<li class="card"><h3>Backpack</h3><p>$29.99</p>
<button id="b3" class="btn" onclick="put('Backpack')">Add to cart</button>
<button id="b4" class="btn" onclick="later('Backpack')">Remember</button></li>
<li class="card"><h3>Bike light</h3><p>$9.99</p>
<button id="b5" class="btn" onclick="put('Bike light')">Add to cart</button>
<button id="b6" class="btn" onclick="later('Bike light')">Remember</button></li>
</ul><p id="cart" role="status"></p></section>"""
LETTERS = """<section id="letters" class="box letters"><h2>Letters of ours</h2>
<label class="field"><input id="f3" type="checkbox"> Letters</label>
<label class="field">How often <select id="f4"><option>daily</option><option>weekly</option></select></label>
<button id="b7" class="btn" onclick="keep()">Keep</button> <button id="b8" class="btn" onclick="drop()">Reset</button>
<p id="kept" role="status"></p></section>"""
SCRIPT = """<script>
function say(id, text) { document.querySelector(`[role=status]#${id}`).textContent = text }
function put(name) { say('cart', `${name} is in your cart`) }
function later(name) { say('cart', `${name} is remembered for later`) }
function keep() {
  const on = document.querySelector('input[type=checkbox]').checked
  say('kept', on ? `Letters: ${document.querySelector('select').value}` : 'Letters: none')
}
function drop() { say('kept', 'Letters: none') }
</script>"""
PAGE = f"<main><h1>Home</h1>{SIGN_UP}{CARDS}{LETTERS}</main>{SCRIPT}"
DONE = "<h1>Welcome, Ann</h1><p>We have written to you.</p>"
PAGES = {"": PAGE, "done": DONE, "draft": "<h1>Welcome, Ann</h1><p>Your draft is kept.</p>", "bin": DONE}
ACTS = ("Send", "Add to cart", "Keep")


def swap(one: str, other: str) -> Callable[[str], str]:
    """Return a change that puts each of two texts in the place of the other."""
    return lambda page: page.replace(one, "\0").replace(other, one).replace("\0", other)


def each(pattern: str, to: str) -> Callable[[str], str]:
    """Return a change by a regular expression that leaves the script alone."""
    return lambda page: re.sub(pattern, to, page.removesuffix(SCRIPT)) + SCRIPT


def renamed(names: Mapping[str, str]) -> Callable[[str], str]:
    """Return a change of words between tags."""

    def change(page: str) -> str:
        for old, new in names.items():
            page = each(rf"(?<=>)( ?){old}( ?)(?=<)", rf"\g<1>{new}\g<2>")(page)
        return page

    return change


def after(*changes: Callable[[str], str]) -> Callable[[str], str]:
    """Return all changes, one after the other."""

    def change(page: str) -> str:
        for one in changes:
            page = one(page)
        return page

    return change


_BUTTONS = {"Send": "Submit", "Add to cart": "Add to basket", "Keep": "Save"}
_LABELS = {
    "Name": "Full name",
    "Mail": "E-mail",
    "Letters": "Send me letters",
    "How often": "How often do you want them",
}
_DECOYS = {"Send": "Save draft", "Add to cart": "Remember", "Keep": "Reset"}
_OF_ACTS = "|".join(ACTS)
HARMLESS: Sequence[Change] = (
    Change("all ids are others", "ids", each(r' id="([fb]\d)"', r' id="x-\1-9f"')),
    Change("there are no ids", "ids", each(r' id="[fb]\d"', "")),
    Change("classes are hashes", "classes", each(r'class="(\w+)[^"]*"', r'class="css-1\1x9"')),
    Change("there are no classes", "classes", each(r' class="[^"]*"', "")),
    Change("each button is wrapped", "wrappers", each(r"(<button.*?</button>)", r"<div><span>\1</span></div>")),
    Change("each section is wrapped", "wrappers", each(r"(?s)(<section.*?</section>)", r"<div><div>\1</div></div>")),
    Change(
        "buttons hold elements", "wrappers", each(r"(<button[^>]*>)(.*?)(</button>)", r"\1<span><b>\2</b></span>\3")
    ),
    Change(
        "buttons have icons",
        "wrappers",
        each(r"(<button[^>]*>)", r'\1<svg aria-hidden="true" width="9" height="9"></svg> '),
    ),
    Change("sections in another order", "order", swap(SIGN_UP, LETTERS)),
    Change("cards in another order", "order", each(r"(?s)(<li.*?</li>)\s*(<li.*?</li>)", r"\2\1")),
    Change("fields in another order", "order", each(r"(<label[^\n]*)\n(<label[^\n]*)", r"\2\n\1")),
    Change(
        "a list of links comes first",
        "order",
        each("<main>", "<nav><a href='@/'>Home</a> <a href='@/x'>Help</a></nav><main>"),
    ),
    Change("advertisements come between", "order", each("(<section)", r"<aside><p>Buy 2, pay 1</p></aside>\1")),
    Change(
        "a section is at the side",
        "moved",
        each(r"(?s)<main>(.*?)(<section id=\"shop\".*?</section>)(.*)</main>", r"<main>\1\3</main><aside>\2</aside>"),
    ),
    Change(
        "buttons stand before their fields",
        "moved",
        each(r"(?s)(<form[^>]*>)(.*?)(<button id=\"b1\".*?Send</button>)", r"\1\3\2"),
    ),
    Change(
        "a banner lies at the foot",
        "moved",
        each(
            "</main>",
            "</main><div style='position:fixed;bottom:0' role='dialog' aria-label='Note'>We use cookies "
            "<button>Fine</button></div>",
        ),
    ),
    Change("capitals by style", "wording", each("<main>", "<style>button{text-transform:uppercase}</style><main>")),
    Change("spaces and line breaks", "wording", each(r"(<button[^>]*>)(.*?)(</button>)", "\\1\n   \\2\n  \\3")),
    Change("acting buttons are called otherwise", "wording", renamed(_BUTTONS), names=_BUTTONS),
    Change("fields are called otherwise", "wording", renamed(_LABELS), names=_LABELS),
    Change(
        "headings of sections are called otherwise",
        "wording",
        renamed({"Join": "Become a member", "Shop": "Our goods", "Letters of ours": "News"}),
    ),
    Change(
        "the other buttons are called otherwise",
        "wording",
        renamed({"Save draft": "Later", "Remember": "Wish", "Reset": "Undo"}),
    ),
    Change(
        "a second form below",
        "duplicated",
        each("</main>", "<form action='@/x'><label>Search <input></label><button>Search</button></form></main>"),
    ),
    Change("a price is another one", "wording", each(r"\$29\.99", "$31.50")),
)
FAULTS: Sequence[Change] = (
    Change(
        "labels are swapped with the decoy's",
        "swapped",
        after(swap(">Send<", ">Save draft<"), swap(">Add to cart<", ">Remember<"), swap(">Keep<", ">Reset<")),
        False,
    ),
    Change(
        "the button does what the decoy does",
        "swapped",
        after(
            each('class="btn main"', 'formaction="@/draft"'),
            each(r"put\('Backpack'\)", "later('Backpack')"),
            each(r'onclick="keep\(\)"', 'onclick="drop()"'),
        ),
        False,
    ),
    Change(
        "only the decoy is left, and taken", "removed", each(rf"<button[^>]*>({_OF_ACTS})</button>", ""), False, _DECOYS
    ),
    Change(
        "only the decoy is left, and nothing is done",
        "removed",
        each(rf"<button[^>]*>({_OF_ACTS})</button>", ""),
        False,
    ),
    Change(
        "a second one of that name does something else",
        "duplicated",
        after(
            each(r'(<button id="b1")', r'<button formaction="@/bin">Send</button> \1'),
            each(r'(<button id="b3")', r"""<button onclick="later('Backpack')">Add to cart</button> \1"""),
            each(r'(<button id="b7")', r'<button onclick="drop()">Keep</button> \1'),
        ),
        False,
    ),
    Change(
        "it is disabled, and the decoy is taken",
        "removed",
        each(rf"<button([^>]*>(?:{_OF_ACTS})<)", r"<button disabled\1"),
        False,
        _DECOYS,
    ),
)
CHANGES = (*HARMLESS, *FAULTS)
"""Thirty."""


def site(change: Change) -> dict[str, str]:
    """Return the pages after a change."""
    return {**PAGES, "": change.to(PAGE)}
