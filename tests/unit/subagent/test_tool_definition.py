"""How a typed function becomes a tool, and what its callers are told."""

import jsonschema
import pytest

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import TOOLS, Tool, ToolError, declared, describe, permitted, served, tool


@tool(effect="act")
async def pour(_ctx: ToolContext, drink: str, *, cups: int = 1, into: list[str] = []) -> ToolOutcome:  # noqa: B006
    """Pour a drink.

    More of it, where more cups are given.
    """
    return ToolOutcome(status="ok", text=f"{cups} {drink} {into}")


def test_a_tool_is_named_and_described_by_its_function() -> None:
    assert (pour.name, pour.effect) == ("pour", "act")
    assert pour.description == "Pour a drink.\n\nMore of it, where more cups are given."


def test_the_schema_is_what_chat_completions_take() -> None:
    assert pour.schema == {
        "type": "function",
        "function": {
            "name": "pour",
            "description": pour.description,
            "parameters": {
                "type": "object",
                "properties": {
                    "drink": {"type": "string"},
                    "cups": {"type": "integer", "default": 1},
                    "into": {"type": "array", "items": {"type": "string"}, "default": []},
                },
                "required": ["drink"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize("known", TOOLS.values(), ids=TOOLS)
def test_every_tool_says_what_it_does_and_has_a_valid_schema(known: Tool) -> None:
    parameters = known.schema["function"]["parameters"]
    jsonschema.Draft202012Validator.check_schema(parameters)
    assert parameters["additionalProperties"] is False
    assert known.description.endswith(".")


def test_every_tool_is_in_one_group_and_names_are_unique() -> None:
    assert all(known.group for known in TOOLS.values())
    assert all("device" in known.needs for known in permitted(TOOLS, ("device",)).values())
    assert all(known.effect == "check" for known in permitted(TOOLS, ("checks",)).values())


async def call(**arguments: object) -> ToolOutcome:
    return await pour.run(None, arguments)  # pyright: ignore[reportArgumentType] - the tool does not look at it


async def test_arguments_are_checked_before_the_function_runs() -> None:
    assert (await call(drink="tea", cups=2, into=["mug"])).text == "2 tea ['mug']"
    for wrong in ({"drink": 1}, {}, {"drink": "tea", "milk": "yes"}, {"drink": "tea", "cups": "many"}):
        with pytest.raises(ToolError) as caught:
            await call(**wrong)
        assert caught.value.failure == Failure.INVALID_CALL
        assert "It takes: drink, cups, into" in caught.value.text


async def test_an_argument_that_is_null_counts_as_left_out() -> None:
    assert (await call(drink="tea", cups=None)).text == "1 tea []"


def test_an_error_becomes_an_outcome_with_all_it_knows() -> None:
    error = ToolError("no", failure=Failure.ELEMENT_MISSING, expected="a", seen="b", where="c")
    assert error.outcome() == ToolOutcome(
        status="error", text="no", failure=Failure.ELEMENT_MISSING, expected="a", seen="b", where="c", confirmed=False
    )


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("click", {"element": "Login"}, 'click("Login")'),
        (
            "type",
            {"text": "${secret:SHOP_PASSWORD}", "element": "Password"},
            'type("Password", "${secret:SHOP_PASSWORD}")',
        ),
        (
            "click",
            {"within": "Backpack", "element": "Remove", "role": "", "ref": ""},
            'click("Remove", within="Backpack")',
        ),
        ("dialog", {"accept": True, "text": ""}, "dialog(accept=true)"),
        ("select", {"element": "Größe", "options": ["M", "L"]}, 'select("Größe", ["M", "L"])'),
        ("press", {"key": "Enter", "element": "Search"}, 'press("Search", "Enter")'),
        ("scroll", {"direction": "down"}, "scroll()"),
        ("check_title", {"title": "Shop", "match": "is", "negate": True}, 'check_title("Shop", negate=true)'),
        ("execute_command", {"command": "ls", "timeout_seconds": 5}, 'execute_command("ls", timeout_seconds=5)'),
        ("fan_out", {"tasks": '[{"agent": "a", "task": "b"}]'}, 'fan_out([{"agent": "a", "task": "b"}])'),
        ("no_such_tool", {"b": 1, "a": None}, "no_such_tool(b=1, a=null)"),
    ],
)
def test_a_call_is_described_as_a_log_shows_it(name: str, arguments: dict[str, str], line: str) -> None:
    assert describe(ToolCall(tool=name, arguments=dict(arguments))) == line


def test_an_unknown_tool_counts_as_one_that_changes_something() -> None:
    assert declared(TOOLS, "type").effect == "idempotent"
    unknown = declared(TOOLS, "nobody_knows")
    assert (unknown.effect, unknown.does, unknown.about, unknown.group) == ("act", "unknown", "unknown", "")


def test_a_tool_is_offered_where_the_device_can_serve_it() -> None:
    on_screens = served(TOOLS, {"addresses", "dialogs", "feeds", "touch", "apps"})
    on_web = served(TOOLS, {"addresses", "dialogs", "feeds", "windows", "files", "key_chords"})
    assert {"click", "swipe", "execute_command", "check_file"} <= on_screens.keys()
    assert {"click", "browser_tabs", "browser_upload"} <= on_web.keys()
    assert on_web.keys() - on_screens.keys() >= {"browser_tabs", "browser_upload", "browser_download"}
    assert on_screens.keys() - on_web.keys() == {"swipe", "use_app"}
