"""Which recognised words are a text."""

import pytest

from muster_protocol.session_responses import PictureWord
from muster_protocol.tool_calls import Box
from muster_subagent.tools.picture_checks import find_words

BOX = Box(x=0, y=0, width=1, height=1)
WORDS = tuple(
    PictureWord(text=text, line=line, box=BOX, confidence=sure)
    for text, line, sure in (("Total:", "1", 0.9), ("$42", "1", 0.9), ("due", "2", 0.9), ("now", "2", 0.3))
)


@pytest.mark.parametrize(
    ("text", "count"),
    [("Total: $42", 2), ("$42", 1), ("$4", 0), ("$42 due", 0), ("due now", 0), ("total", 0), ("", 0)],
)
def test_words_of_one_line_that_are_recognised_surely_are_found_whole(text: str, count: int):
    assert len(find_words(text, WORDS)) == count
