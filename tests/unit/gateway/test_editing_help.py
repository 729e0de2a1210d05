"""Help for writing a case in the console's editor."""

import pytest

from muster_gateway.editing_help import EditingHelp, help_at
from muster_gateway.problem_details import Refusal

CASE = """name: A visitor pays
steps:
  - action: Open "http://shop/"
    expected: One can find "Thanks" somewhere
  - action: clic
"""


def helped(line: int, column: int, text: str = CASE) -> EditingHelp:
    return help_at("application/yaml; charset=utf-8", text.encode(), line, column)


def test_what_can_be_written_at_a_place_begins_with_what_was_typed():
    found = helped(4, len("  - action: clic")).proposals
    assert found
    assert all("clic" in one.label.lower() for one in found)
    assert {one.begin for one in found} == {len("  - action: ")}


def test_a_sentence_that_is_read_is_told_in_calls():
    assert "**browser navigate**: url `http://shop/`" in helped(2, 20).meaning
    assert helped(0, 2).meaning == ""


def test_a_sentence_that_is_not_read_comes_with_one_that_is():
    (repair,) = [one for one in helped(0, 0).repairs if one.line == 4]
    line = CASE.splitlines()[3]
    assert line[repair.column - 1 : repair.end_column - 1] == 'One can find "Thanks" somewhere'
    assert repair.text == 'The text "Thanks" is visible'


@pytest.mark.parametrize(("line", "column"), [(99, 0), (4, 999), (2, 10_000)])
def test_a_place_beyond_the_text_is_no_error(line: int, column: int):
    assert helped(line, column).repairs == helped(0, 0).repairs != ()


def test_broken_text_is_helped_as_far_as_it_can_be():
    assert helped(2, len("  - action: cl"), "steps:\n  - {\n  - action: cl").proposals != ()


def test_a_run_request_is_no_case_text():
    with pytest.raises(Refusal, match="send test cases"):
        help_at("application/json", b"{}", 0, 0)
