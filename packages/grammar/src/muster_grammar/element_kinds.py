"""What testers call the elements of a page, and what holds them. Data."""

from muster_grammar.vocabulary import split

ROLES = {
    "button": "button",
    "link": "link",
    "hyperlink": "link",
    "checkbox": "checkbox",
    "radio": "radio",
    "switch": "switch",
    "toggle": "switch",
    "slider": "slider",
    "tab": "tab",
    "heading": "heading",
    "headline": "heading",
    "image": "image",
    "picture": "image",
    "photo": "image",
    "row": "row",
    "cell": "cell",
    "item": "listitem",
    "listitem": "listitem",
    "menuitem": "menuitem",
    "option": "option",
    "dialog": "dialog",
    "table": "table",
    "list": "list",
    "textbox": "textbox",
    "dropdown": "combobox",
    "select": "combobox",
    # What testers call by these names has many roles, or none: the name alone finds it.
    **dict.fromkeys(("field", "input", "box", "control", "element", "icon", "menu"), ""),
    **dict.fromkeys(("section", "form", "card", "panel", "area", "group", "block", "tile", "banner"), ""),
}
"""Kinds of elements by the noun a tester uses, and their ARIA role; empty where the noun tells no role."""

FIELD_ROLES = frozenset({"textbox", "combobox", "list"})
"""Roles that only repeat what a verb for fields says already."""

CONTAINERS = split(
    "row item listitem section form dialog card list table menu panel region area group fieldset sidebar header footer "
    "navigation toolbar block tile article"
)
"""Nouns of what holds other elements."""

UNNAMED = {
    "dialog": "dialog",
    "form": "form",
    "navigation": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "sidebar": "complementary",
    "toolbar": "toolbar",
}
"""Containers of which a page mostly has one, so that they need no name, and the role they are found by."""

PLACES = split("in inside within of on from for")
"""Words that lead from an element to what it is in."""


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith(("x", "s", "ch")) else "s")


PLURALS = {_plural(noun): noun for noun in ROLES}
