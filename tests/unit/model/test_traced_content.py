"""What of a question and its answer stands in traces."""

import json
from typing import Any

from muster_model.chat_messages import (
    AskedCall,
    Assistant,
    Function,
    Image,
    ImageUrl,
    Reply,
    System,
    Text,
    ToolResult,
    User,
)
from muster_model.traced_content import answer_attributes, question_attributes

CALL = AskedCall("call_1", Function("click", '{"ref": "e1"}'))
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "click", "description": "Click.", "parameters": {}}}


def test_a_question_is_told_with_its_instructions_turns_and_tools_but_no_picture():
    seen = User((Text("What is this?"), Image(ImageUrl("data:image/png;base64,AAAA"))))
    messages = (
        System("You test."),
        User("Click Säve."),
        Assistant(tool_calls=(CALL,)),
        ToolResult("call_1", "Done."),
        seen,
    )
    told = question_attributes(messages, [TOOL])
    assert json.loads(told["gen_ai.system_instructions"]) == [{"type": "text", "content": "You test."}]
    turns = json.loads(told["gen_ai.input.messages"])
    assert [(turn["role"], [part["type"] for part in turn["parts"]]) for turn in turns] == [
        ("user", ["text"]),
        ("assistant", ["tool_call"]),
        ("tool", ["tool_call_response"]),
        ("user", ["text", "blob"]),
    ]
    assert "Säve" in told["gen_ai.input.messages"]
    assert "AAAA" not in told["gen_ai.input.messages"]
    assert json.loads(told["gen_ai.tool.definitions"])[0]["name"] == "click"


def test_an_answer_is_told_with_its_calls_and_why_it_ended():
    def told(reply: Reply) -> dict[str, object]:
        return json.loads(answer_attributes(reply)["gen_ai.output.messages"])[0]

    assert told(Reply(text="Done."))["finish_reason"] == "stop"
    assert told(Reply(text="Do", cut=True))["finish_reason"] == "length"
    assert told(Reply(calls=(CALL,))) == {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "call_1", "name": "click", "arguments": '{"ref": "e1"}'}],
        "finish_reason": "tool_call",
    }
