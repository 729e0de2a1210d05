"""The tree of a page as lines."""

from muster_devices.outline import without_icons


def test_letters_that_only_an_icon_font_draws_are_left_out() -> None:
    lines = ['- link "\uf055 Add" [ref=e1]:', '- button "\uf014" [ref=e2]', "  - text: \uf013 \uf014", "- text: done"]
    assert without_icons(lines) == ['- link "Add" [ref=e1]:', '- button "" [ref=e2]', "- text: done"]
