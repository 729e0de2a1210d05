"""Roles of elements, grouped by how a person uses them, whichever device shows them."""

TYPED = frozenset({"textbox", "searchbox", "spinbutton"})
LISTS = frozenset({"combobox", "listbox"})
"""Roles of elements in which one option is chosen."""
TOGGLES = frozenset({"checkbox", "radio", "switch"})
FIELDS = TYPED | LISTS | {"slider"}
"""Roles of elements that hold a value given by a person."""
