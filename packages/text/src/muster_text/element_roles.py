"""Roles of elements, grouped by how a person uses them, whichever device shows them."""

TYPED = frozenset({"textbox", "searchbox", "spinbutton"})
LISTS = frozenset({"combobox", "listbox"})
"""What one option is chosen from."""
TOGGLES = frozenset({"checkbox", "radio", "switch"})
FIELDS = TYPED | LISTS | {"slider"}
"""What holds a value that a person gives it."""
