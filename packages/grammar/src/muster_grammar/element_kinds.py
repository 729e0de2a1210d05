"""Testers' words for the elements of a page and their containers. Data."""

from muster_grammar.vocabulary import split
from muster_protocol.narrowing import How

ROLES = {
    "button": "button",
    "link": "link",
    "hyperlink": "link",
    "checkbox": "checkbox",
    "radio": "radio",
    "switch": "switch",
    "toggle": "switch",
    "slider": "slider",
    "progressbar": "progressbar",
    "tab": "tab",
    "heading": "heading",
    "headline": "heading",
    "image": "image",
    "picture": "image",
    "photo": "image",
    "icon": "icon",
    "row": "row",
    "cell": "cell",
    "columnheader": "columnheader",
    "item": "listitem",
    "listitem": "listitem",
    "menuitem": "menuitem",
    "treeitem": "treeitem",
    "option": "option",
    "dialog": "dialog",
    "table": "table",
    "list": "list",
    "textbox": "textbox",
    "searchbox": "textbox",
    "dropdown": "combobox",
    "select": "combobox",
    # What testers call by these names has many roles, or none: the name alone finds it.
    **dict.fromkeys(("field", "input", "box", "control", "cta", "element", "logo", "menu"), ""),
    **dict.fromkeys(("section", "form", "card", "panel", "area", "group", "block", "tile", "metric", "banner"), ""),
}
"""Kinds of elements by the noun a tester uses, and their ARIA role; empty where the noun tells no role."""
ENDING_NAMES = split("card tile banner metric")
"""Nouns for elements that are often the last word of a name: "Credit Card"."""

FIELD_ROLES = frozenset({"textbox", "combobox", "list"})
"""Roles that only repeat what a verb for fields says already."""

FIELD_NOUNS = frozenset({"field", "input"})
"""What a field of any kind is called."""

FIELD_LABELS = split(
    "name username login email e-mail mail password pin code phone telephone mobile number address street city town "
    "state province zip zipcode postcode country title subject comment description message note amount quantity price "
    "date birthday age company search keyword query url website body recipient summary nickname reference iban "
    "expiry cvv cvc"
)
"""How the labels of fields end."""
PROPERTIES = FIELD_LABELS | split(
    "status total subtotal state type category level result role group owner version size currency priority balance "
    "fee weight duration score rating stock discount deadline department gender language plan tax"
)
"""How the labels of values end."""
SECTIONS = split("section form panel area group block")
"""Containers without a role of their own; what bears their name must be a part of the page, or its heading."""
OPTION_LABELS = FIELD_LABELS | split(
    "type category size color colour language currency gender role status level priority format theme timezone region "
    "unit method duration period interval range limit tier plan"
)
"""How the labels of lists of options end."""
CHOICES = split(
    "bank event room doctor department product item service branch account user employee customer patient course "
    "student teacher seat flight hotel slot file reason source destination member project team task brand model job "
    "position location template report invoice vehicle option value category"
)
"""What one of many is chosen of: by such a noun alone nobody tells which."""
ENTRIES = split("record records result results entry entries article articles")
"""What the rows of a table and the items of a list are called, whatever they are about."""
LABEL_ADJECTIVES = split(
    "first last full given family middle user postal zip phone mobile company street card security"
)
"""Words that such labels begin with."""

CONTAINERS = split(
    "row item listitem section form dialog card list table menu panel region area group fieldset sidebar header footer "
    "navigation toolbar block tile metric article tree grid view pane window wizard popover accordion drawer widget "
    "container"
)
"""Nouns of what holds other elements."""

KINDS = CONTAINERS | ROLES.keys()
"""Nouns of elements."""

DEEDS = split(
    "edit delete view remove open show copy clone duplicate update change cancel approve reject assign archive restore "
    "download preview rename move enable disable activate deactivate"
)
"""What is done to the rows of a table and the items of a list."""

OFFERED = DEEDS | split("add buy book reserve reply like share order choose select apply join follow read play")
"""What lists of things offer for each of them."""

UNNAMED = {
    "dialog": "dialog",
    "form": "form",
    "navigation": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "sidebar": "complementary",
    "toolbar": "toolbar",
    "row": "row",
    "item": "listitem",
    "listitem": "listitem",
    "table": "table",
    "list": "list",
    "menu": "menu",
    "tree": "tree",
    "grid": "table",
    **dict.fromkeys(("drawer", "popover"), "dialog"),
}
"""Containers that need no name where a page has one of them, and the role they are found by."""

PARTS = {noun: role for noun, role in UNNAMED.items() if role == "dialog"} | dict.fromkeys(
    SECTIONS | split("sidebar pane region view wizard fieldset"), "section"
)
"""Parts of a page that are seen only as such: a button that opens one has the same name."""

FOLDED_BY_PART = frozenset(("row", "treeitem"))
"""Roles of what is expanded and collapsed by a part of it."""

HELD = {"table": "row", "list": "listitem"}
"""What a table and a list hold, by role."""

DRAWN = split("chart graph diagram plot map video player animation canvas thumbnail illustration barcode captcha")
"""Nouns of what is drawn: that its name stands somewhere does not show that it is."""

POSITIONS = split("left right left-hand right-hand top bottom upper lower main side context overflow page")
"""Words that say where on the page something is; in small letters they are no name of it."""

PLACES = split("in inside within of on from for")
"""Words that lead from an element to what it is in."""

BESIDE: dict[str, How] = {
    "beside": "next_to",
    "below": "below",
    "under": "below",
    "above": "above",
    "after": "after",
    "before": "before",
}
"""Words that lead from an element to another one beside it."""

_TYPED = ("field", "input", "box", "textbox")
ADJECTIVES = {
    **dict.fromkeys(split("email password phone telephone number date time url color"), _TYPED),
    "search": (*_TYPED, "button"),
    "submit": ("button",),
    "reset": ("button",),
}
"""Types of fields and buttons that tell one without a name, and the nouns that they go with."""


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith(("x", "s", "ch")) else "s")


PLURALS = {_plural(noun): noun for noun in ROLES}


def is_typable(role: str, noun: str) -> bool:
    """Return whether a thing of this role or noun takes typed text, and so can have the focus of a field."""
    return role in {"textbox", "combobox"} or noun in {*FIELD_NOUNS, "box"}
