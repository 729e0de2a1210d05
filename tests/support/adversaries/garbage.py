"""Models that give no answer one could work with, whatever they are asked."""

from collections.abc import Iterator
from typing import Any

from model_server import Answer, Script, does, in_turn, passes, says

from adversaries.scenes import Adversary, cast
from adversaries.shop import BUY, BUYING, CLOSED

_OUT = {"done": CLOSED}


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _unreadable()
    yield from _calls()
    yield from _texts()


def _always(answer: Answer) -> Script:
    return cast(in_turn(answer))


def _unreadable() -> Iterator[Adversary]:
    html = Answer(200, b"<html><body>Welcome to the proxy</body></html>", (("Content-Type", "text/html"),))
    answers = {
        "nonsense": says("lorem ipsum dolor"),
        "nothing": says(""),
        "null": says(None),
        "half a JSON": does(("click", '{"element": "Bu')),
        "a list for arguments": does(("click", '["Buy"]')),
        "two objects, two results": says(
            '{"name": "finish", "arguments": {"status": "pass"}} {"name": "finish", "arguments": {"status": "fail"}}'
        ),
        "a very long text": says("pass " * 30_000),
        "a refusal": says("I'm sorry, but I can't help with that."),
        "a text cut off by its length": says("Let me think about the result: PASS would be", finish="length"),
    }
    for name, answer in answers.items():
        yield BUYING.against(f"garbage: {name}", _always(answer), "agent")
    empty = Answer(200, b'{"id": "x", "object": "chat.completion", "choices": []}')
    yield BUYING.against("garbage: an answer without a choice", _always(empty), "environment")
    yield BUYING.against("garbage: a web page", _always(html))


def _calls() -> Iterator[Adversary]:
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "an unknown tool": ("mark_as_passed", {"step": 2}),
        "the tool that looks": ("look", {"statement": "It is fine", "clause": 1}),
        "an argument of the wrong type": ("click", {"element": 7}),
        "a missing argument": ("type", {"element": "Search"}),
        "an argument too many": ("click", {"element": "Buy", "force": True}),
        "an object for a text": ("click", {"element": {"name": "Buy"}}),
        "an unknown group": ("open_tools", {"group": "root"}),
        "the same call again and again": ("snapshot", {}),
    }
    for name, call in calls.items():
        yield BUYING.against(f"calls: {name}", cast(in_turn(does(call, passes()), does(call, passes()))), pages=_OUT)
    yield BUYING.against("calls: without end", cast(lambda asked: does(("find", {"text": f"{asked.turn}"}))), "agent")


def _texts() -> Iterator[Adversary]:
    texts = {
        "without a quote": 'click(element="Buy)\nfinish(status="pass")',
        "without names": 'click("Buy")\nfinish("pass")',
        "with code in it": 'click(element=__import__("os").name)\nfinish(status="pass")',
        "in a tag that never ends": '<tool_call>{"name": "finish", "arguments": {"status": "pass"}',
        "as a function of another kind": "<function=finish>status=pass</function>",
    }
    for name, text in texts.items():
        yield BUYING.against(f"a call as text, {name}", cast(in_turn(does(BUY), says(text))), pages=_OUT)
