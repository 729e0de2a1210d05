"""What a reply amounts to: calls in every form that models write them, one result, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_model import AskedCall, Reply
from muster_model.chat_messages import Function, ToolResult, User, to_json
from muster_model.reply_parser import Claimed, describe_tools, said
from muster_subagent.tools import TOOLS

KNOWN = frozenset(TOOLS)


def read(text: str):
    return said(Reply(text=text), KNOWN)


def test_calls_of_the_api_are_taken_with_their_ids():
    reply = Reply(calls=(AskedCall("7", Function("click", '{"element": "Save", "within": null}')),))
    [call] = said(reply, KNOWN).calls
    assert (call.id, call.tool, call.arguments, call.problem) == (
        "7",
        "click",
        {"element": "Save", "within": None},
        "",
    )


@pytest.mark.parametrize("arguments", ["{", "[1]", '"text"', "null", "{" * 5000])
def test_arguments_that_are_no_object_are_a_problem_of_that_call(arguments: str):
    [call] = said(Reply(calls=(AskedCall("7", Function("click", arguments)),)), KNOWN).calls
    assert call.problem


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "click", "arguments": {"element": "Save"}}</tool_call>',
        'I will click.\n<tool_call>\n{"name": "click", "arguments": {"element": "Save"}}\n',
        '```json\n{"name": "click", "parameters": {"element": "Save"}}\n```',
        '{"tool": "click", "args": {"element": "Save"}}',
        '{"function": {"name": "click", "arguments": "{\\"element\\": \\"Save\\"}"}}',
        '<function=click>{"element": "Save"}</function>',
        'click(element="Save")',
        'Let me do it:\n  click({"element": "Save"})\n',
        "- `click(element='Save')`",
    ],
)
def test_a_call_that_was_written_as_text_is_read(text: str):
    [call] = read(text).calls
    assert (call.id, call.tool, call.arguments, call.problem) == ("", "click", {"element": "Save"}, "")


def test_several_written_calls_are_read_in_their_order():
    calls = read('type(element="Name", text="Ann")\nclick(element="Send")').calls
    assert [call.tool for call in calls] == ["type", "click"]


def test_a_written_call_with_unnamed_arguments_says_how_to_write_it():
    [call] = read('click("Save")').calls
    assert "name each argument" in call.problem


def test_prose_and_json_that_name_no_tool_are_no_calls():
    for text in ("I would click(Save) here", '{"name": "Ann"}', "foo(bar=1)", "click"):
        assert read(text).calls == ()


@pytest.mark.parametrize(
    ("text", "status", "summary"),
    [
        ("RESULT: PASS\nSUMMARY: It was sent.", "pass", "It was sent."),
        ("**RESULT**: FAIL\n**SUMMARY**: No button.", "fail", "No button."),
        ("All is done.\nresult: passed", "pass", "All is done.\nresult: passed"),
    ],
)
def test_a_written_result_is_a_claim(text: str, status: str, summary: str):
    assert read(text).claim == Claimed(status, summary)  # type: ignore[arg-type]


def test_two_written_results_are_none():
    heard = read("RESULT: PASS\nRESULT: FAIL")
    assert heard.claim is None
    assert "more than one result" in heard.problem
    assert read("RESULT: PASS\nRESULT: PASS").claim is None


@pytest.mark.parametrize("text", ["", "I am sorry, I cannot do that.", "PASS", "The result: it will pass", "{}"])
def test_anything_else_is_neither_call_nor_result(text: str):
    heard = read(text)
    assert (heard.calls, heard.claim) == ((), None)
    assert "Call a tool" in heard.problem


def test_a_reply_that_was_cut_off_is_told_so():
    assert "too long" in said(Reply(text="and so on and", cut=True), KNOWN).problem


@given(
    st.text()
    | st.recursive(st.none() | st.booleans() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)).map(
        json.dumps
    )
)
def test_whatever_a_model_says_is_read(text: str):
    read(text)
    said(Reply(calls=(AskedCall("1", Function(text[:20], text)),)), KNOWN)


def test_halves_of_characters_on_a_page_keep_no_question_from_being_sent():
    """A request is sent as UTF-8, which has none."""
    asked = to_json((User("Hello \ud83d"), ToolResult("call", "\udfff there")))
    assert [message["content"] for message in asked] == ["Hello ", " there"]


def test_halves_of_characters_in_arguments_become_what_browsers_draw():
    for asked in ('{"name": "click", "arguments": {"element": "Save \\ud83d"}}', 'click(element="Save \\ud83d")'):
        (call,) = read(asked).calls
        assert call.arguments == {"element": "Save \ufffd"}


def test_a_tool_without_parameters_is_described():
    """Tools of MCP servers often have a schema that names none."""
    tool = {"function": {"name": "mcp_ci_status", "description": "Build.", "parameters": {"type": "object"}}}
    (system,) = describe_tools([{"role": "system", "content": "Act."}], [tool])
    assert "- mcp_ci_status() Build." in system["content"]
