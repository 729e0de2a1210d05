"""The bench of sentences: its corpus is split and labelled, and its comparison tells a reading from a misreading."""

import hashlib
import importlib
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from muster_protocol.tool_calls import ToolCall

sys.path.append(str(Path(__file__).parents[3] / "bench"))
meanings: Any = importlib.import_module("meanings")
call_meanings: Any = importlib.import_module("call_meanings")
sentences: Any = importlib.import_module("sentences")
Clause = meanings.Clause

DEV, HELD_OUT = sentences.load("dev"), sentences.load("held_out")
UNSEEN, FRESH, LATER = (sentences.load(name) for name in ("unseen", "fresh", "later"))
ALL = (*DEV, *HELD_OUT)


def call(tool: str, **arguments: Any) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def test_the_corpus_has_enough_sentences_of_enough_sources_each_once():
    sources = Counter(sentence.source for sentence in ALL)
    assert len(ALL) >= 1500
    assert len({sentence.text.casefold() for sentence in ALL}) == len(ALL)
    assert len(sources) >= 50
    assert max(sources.values()) <= 60


def test_no_licence_forbids_quoting_and_a_third_at_most_has_none_known():
    licences = Counter(sentence.licence for sentence in (*ALL, *UNSEEN, *FRESH, *LATER))
    assert not [name for name in licences if "GPL" in name]
    assert licences["unknown"] <= licences.total() / 3


EVERY_DIGIT = "0123456789abcdef"


@pytest.mark.parametrize(
    ("name", "digits"),
    [
        ("dev", "56789abcdef"),
        ("held_out", "01234"),
        ("unseen", EVERY_DIGIT),
        ("fresh", EVERY_DIGIT),
        ("later", EVERY_DIGIT),
    ],
)
def test_the_split_follows_from_the_text_alone(name: str, digits: str):
    for sentence in sentences.load(name):
        assert sentence.id == hashlib.sha256(" ".join(sentence.text.casefold().split()).encode()).hexdigest()[:12]
        assert sentence.id[0] in digits


def test_every_held_out_sentence_has_a_label():
    assert all(sentence.labelled for sentence in (*HELD_OUT, *UNSEEN, *FRESH, *LATER))


@pytest.mark.parametrize(
    ("later", "earlier"),
    [(UNSEEN, ALL), (FRESH, (*ALL, *UNSEEN)), (LATER, (*ALL, *UNSEEN, *FRESH))],
    ids=["unseen", "fresh", "later"],
)
def test_later_sentences_are_of_other_projects(later: Sequence[Any], earlier: Sequence[Any]):
    assert len({sentence.id for sentence in later}) == len(later) >= 200
    assert {sentence.source for sentence in later}.isdisjoint(sentence.source for sentence in earlier)
    assert {sentence.id for sentence in later}.isdisjoint(sentence.id for sentence in earlier)


def test_the_later_sentences_are_of_many_projects_and_of_both_roles():
    sources = Counter(sentence.source for sentence in LATER)
    assert len(sources) >= 30
    assert max(sources.values()) <= 12
    actions = sum(sentence.role == "action" for sentence in LATER)
    assert 0.4 <= actions / len(LATER) <= 0.6


SAME = [
    (Clause("click", kind="button", name="Save"), call("click", element="Save", role="button")),
    (Clause("click", kind="link?", name="Save"), call("click", element="Save")),
    (Clause("click", kind="link?", name="Save"), call("click", element="Save", role="link")),
    (Clause("click", kind="tag", name="Save"), call("click", element="the save")),
    (Clause("choose", name="Express"), call("check", element="Express", role="")),
    (Clause("locate", kind="section", name="Tags"), call("scroll", element="Tags")),
    (Clause("type", kind="field", name="Name", value="Ada"), call("type", element="Name", text="Ada")),
    (Clause("select", kind="dropdown", name="Size", value="M"), call("select", element="Size", options=["M"])),
    (Clause("click", name="Edit", place="7", place_kind="row"), call("click", element="Edit", within="7 row")),
    (
        Clause("see element", kind="list", place_kind="dialog"),
        call("check_visible", element="", role="list", within="dialog"),
    ),
    (Clause("state", name="A", value="checked", denied=True), call("check_state", element="A", state="unchecked")),
    (Clause("state", name="A", value="empty"), call("check_value", element="A", value="")),
    (Clause("count", kind="row", value="0", match="is"), call("check_visible", element="", role="row", absent=True)),
    (Clause("page", name="Cart"), call("check_title", title="Cart", match="contains")),
    (Clause("page", name="Cart"), call("check_visible", element="Cart", role="heading")),
    (Clause("see text", name="Done", denied=True), call("wait_for", gone="Done")),
    (Clause("output", part="stderr", value="x", match="contains"), call("check_output", stream="stderr", text="x")),
    (Clause("file text", name="a.txt", value="x", match="contains"), call("check_file", path="a.txt", text="x")),
    (Clause("click", kind="selector", name=".a"), call("click", element="css=.a")),
    (Clause("drag", name="A", value="B"), call("drag", element="A", to="B")),
    (Clause("see text", name="A", column="Name"), call("check_text", text="A", within=['in column "Name"'])),
    (
        Clause("state", kind="checkbox", name="A", value="selected"),
        call("check_state", element="A", role="checkbox", state="checked"),
    ),
    (
        Clause("options", kind="select box", name="A", value="x", denied=True),
        call("check_options", element="A", role="combobox", options=["x"], negate=True),
    ),
]


@pytest.mark.parametrize(("label", "read"), SAME)
def test_a_reading_that_says_the_same_is_right(label: Any, read: ToolCall):
    assert call_meanings.is_meant([label], [read])


OTHER = [
    (Clause("click", kind="button", name="Save"), call("click", element="Save")),
    (Clause("click", name="Save"), call("click", element="Save", role="link")),
    (Clause("click", name="Save"), call("double_click", element="Save")),
    (Clause("click", name="Save"), call("click", element="Save now")),
    (Clause("click", name="Save"), call("click", element="Save", within="Cart")),
    (Clause("click", name="Edit", place="7", place_kind="row"), call("click", element="Edit")),
    (Clause("click", name="Edit", ordinal="2"), call("click", element="Edit")),
    (Clause("click", kind="selector", name=".a"), call("click", element=".a")),
    (Clause("type", name="Name", value="Ada"), call("type", element="Name", text="ada")),
    (Clause("see text", name="A"), call("check_text", text="A", absent=True)),
    (Clause("see text", name="A", place=".x", place_kind="selector"), call("check_text", text="A", within=".x")),
    (Clause("compare", name="A", value="1", match="is"), call("check_value", element="A", value="1", match="contains")),
    (
        Clause("count", kind="row", value="3", match="is"),
        call("check_count", element="", role="row", count=3, comparison="at_least"),
    ),
    (Clause("output", part="stderr", value="x", match="contains"), call("check_output", text="x")),
    (Clause("page", name="Cart"), call("check_url", url="Cart")),
    (Clause("drag", name="A", value="B"), call("drag", element="A", to="C")),
    (Clause("see text", name="A", column="Name"), call("check_text", text="A", within=['in column "Size"'])),
    (Clause("see text", name="A", column="Name"), call("check_text", text="A")),
    (
        Clause("state", kind="tab", name="A", value="selected"),
        call("check_state", element="A", role="tab", state="checked"),
    ),
]


@pytest.mark.parametrize(("label", "read"), OTHER)
def test_a_reading_that_says_less_or_more_or_something_else_is_wrong(label: Any, read: ToolCall):
    assert not call_meanings.is_meant([label], [read])


def test_every_clause_needs_its_call_and_every_call_its_clause():
    label, read = SAME[0]
    assert call_meanings.is_meant([label, label], [read, read])
    assert not call_meanings.is_meant([label], [read, read])
    assert not call_meanings.is_meant([label, label], [read])


def sentence(text: str, *meaning: Any, role: str = "action", named: bool | None = True) -> Any:
    return sentences.Sentence("0", text, role, "a/b", "MIT", named, meaning or None)


def test_a_sentence_is_read_misread_or_refused_by_its_label():
    click = Clause("click", name="Save")
    assert sentences.judge(sentence('Click "Save"', click)).outcome == "read"
    assert sentences.judge(sentence('Double-click "Save"', click)).outcome == "misread"
    assert sentences.judge(sentence("Make it so", click)).outcome == "refused"
    assert sentences.judge(sentence('Click "Save"', named=None)).outcome == "accepted"


def test_what_means_nothing_by_itself_is_misread_when_it_is_read():
    assert sentences.judge(sentence('Click "Save"', named=False)).outcome == "misread"


def test_figures_leave_out_what_cannot_be_said_and_misreadings_count_in_all():
    click = Clause("click", name="Save")
    some = [sentence('Click "Save"', click), sentence("Make it so", click), sentence("Do it", named=False)]
    tally = sentences.Tally("all", [sentences.judge(one) for one in (*some, sentence('Hover over "Save"', click))])
    assert round(tally.read("action")) == 33
    assert tally.misread == 25


def test_goals_decide_whether_all_is_well():
    well = [sentences.judge(sentence('Click "Save"', Clause("click", name="Save")))]
    assert "missed  expectations" in sentences.verdict(well)[0]
    assert not sentences.verdict(well)[1]
