"""What is told of a screen before and after an act."""

from muster_protocol.tool_calls import Shown
from muster_subagent.act_recorder import LINE, MOST_LINES, View, changed_lines, compare


def test_lines_that_came_and_went_are_told_without_their_indents():
    before = ("Shop /cart", '- button "Buy"', "  - text: Empty")
    after = ("Shop /cart", '- button "Buy"', '  - link "Backpack"', "  - text: 1 piece")
    assert changed_lines(before, after) == (("- text: Empty",), ('- link "Backpack"', "- text: 1 piece"))


def test_lines_that_name_nothing_are_left_out():
    after = ("- generic:", "- list:", "  - /url: /cart", "  - link 'Salt: pepper'", "- text: A")
    assert changed_lines((), after)[1] == ("- link 'Salt: pepper'", "- text: A")


def test_many_and_long_lines_are_cut_and_counted():
    gone, new = changed_lines((), tuple(f"- text: {number} {'x' * 500}" for number in range(100)))
    assert gone == ()
    assert len(new) == MOST_LINES + 1
    assert new[-1] == f"… and {100 - MOST_LINES} more lines"
    assert max(map(len, new)) == LINE


def test_without_a_view_before_all_is_new_and_no_parts_are_told():
    assert compare(None, View(("- text: A",), b"")) == Shown(new=("- text: A",))
    assert compare(View(("- text: A",), b""), None) == Shown(gone=("- text: A",))
