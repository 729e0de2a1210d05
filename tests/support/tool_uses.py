"""How each tool is used on the page of the bench, to see what it changes and what its checks are about."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple

from recorded_tools import Bench

from muster_protocol.facts import Does
from muster_subagent.tools import TOOLS

Part = Literal["place", "view", "content", "files", "commands", "requests"]
Prepare = Callable[[Bench], Awaitable[object]]

CHANGED_BY: dict[Does, Part] = {
    "go": "place",
    "scroll": "view",
    "hover": "view",
    "point": "content",
    "double": "content",
    "secondary": "content",
    "hold": "content",
    "drag": "content",
    "enter": "content",
    "key": "content",
    "choose": "content",
    "upload": "content",
    "answer": "content",
    "run": "commands",
    "write": "files",
    "request": "requests",
}
"""Where it shows that an act did what it says."""


async def nothing(_bench: Bench) -> None:
    pass


async def spoken(bench: Bench) -> None:
    await bench.do.script("console.log('Saved a draft')")


async def elsewhere(bench: Bench) -> None:
    await bench.do.open(f"{bench.site.url}/other")


async def back(bench: Bench) -> None:
    await elsewhere(bench)
    await bench.do.ok("back")


async def two_tabs(bench: Bench) -> None:
    await bench.do.ok("browser_tab_new", url=f"{bench.site.url}/other")


async def answered(bench: Bench) -> None:
    bench.site.say("/json", '{"a": 1}', headers={"X-A": "b"})
    await bench.do.ok("http_request", method="GET", url=f"{bench.site.url}/json")


async def dialog(bench: Bench) -> None:
    await bench.do.ok("click", element="Ask")


async def focused(bench: Bench) -> None:
    await bench.do.ok("click", element="Name")


class Use(NamedTuple):
    """How a tool is called, and the facts that it is to state."""

    given: dict[str, Any]
    facts: dict[str, Any]
    prepare: Prepare = nothing


URL = "@/other"
"""`@` stands for the site."""


ACTS: dict[str, Use] = {
    "browser_navigate": Use({"url": URL}, {"does": "go", "address": URL}),
    "back": Use({}, {"does": "go"}, elsewhere),
    "browser_forward": Use({}, {"does": "go"}, back),
    "browser_reload": Use({}, {"does": "go"}),
    "browser_tab_new": Use({}, {"does": "go", "address": "about:blank"}),
    "browser_tab_switch": Use({"tab": "1"}, {"does": "go", "target": ("1",)}, two_tabs),
    "browser_tab_close": Use({"tab": "Other"}, {"does": "go", "target": ("Other",)}, two_tabs),
    "click": Use({"element": "Save", "role": "button"}, {"does": "point", "target": ("Save",), "role": "button"}),
    "double_click": Use({"element": "Save"}, {"does": "double", "target": ("Save",)}),
    "browser_right_click": Use({"element": "Save"}, {"does": "secondary", "target": ("Save",)}),
    "long_press": Use({"element": "Save"}, {"does": "hold", "target": ("Save",)}),
    "hover": Use({"element": "Save"}, {"does": "hover", "target": ("Save",)}),
    "scroll": Use({"direction": "bottom"}, {"does": "scroll"}),
    "click_outside": Use({"element": "Name"}, {"does": "point", "place": ("Name",)}, focused),
    "drag": Use({"element": "Mug", "to": "Bin"}, {"does": "drag", "target": ("Mug", "Bin")}),
    "press": Use({"key": "Enter", "element": "Name"}, {"does": "key", "target": ("Name",), "entered": ("Enter",)}),
    "type": Use({"element": "Name", "text": "Ann"}, {"does": "enter", "target": ("Name",), "entered": ("Ann",)}),
    "clear": Use({"element": "Name"}, {"does": "enter", "target": ("Name",)}),
    "check": Use({"element": "News"}, {"does": "choose", "target": ("News",)}),
    "uncheck": Use({"element": "Gift"}, {"does": "choose", "target": ("Gift",)}),
    "select": Use({"element": "Size", "options": ["M"]}, {"does": "choose", "target": ("Size",), "entered": ("M",)}),
    "browser_upload": Use({"element": "Note", "files": ["a.txt"]}, {"does": "upload", "target": ("Note", "a.txt")}),
    "browser_download": Use({"element": "Bill", "save_as": "b.csv"}, {"does": "write", "target": ("Bill", "b.csv")}),
    "dialog": Use({"accept": True, "text": "Ann"}, {"does": "answer", "entered": ("Ann",)}, dialog),
    "execute_command": Use(
        {"command": "true; echo hi"}, {"does": "run", "program": "true; echo hi", "on_device": False}
    ),
    "write_file": Use(
        {"path": "b.txt", "content": "hello"},
        {"does": "write", "target": ("b.txt",), "entered": ("hello",), "on_device": False},
    ),
    "http_request": Use(
        {"method": "POST", "url": "@/api", "body": "hello", "headers": ["X-A: b"]},
        {"does": "request", "address": "@/api", "entered": ("POST", "hello", "X-A: b"), "on_device": False},
    ),
}


CHECKS: dict[str, Use] = {
    "check_visible": Use(
        {"element": "Save", "role": "button", "absent": False},
        {"about": "element", "target": ("Save", "button"), "relation": "is"},
    ),
    "check_value": Use(
        {"element": "Name", "value": "nobody"},
        {"about": "element", "target": ("Name",), "wanted": ("nobody",), "relation": "is"},
    ),
    "check_state": Use(
        {"element": "News", "state": "unchecked"},
        {
            "about": "element",
            "target": ("News",),
            "wanted": ("unchecked",),
            "relation": "state",
            "denied": True,
            "partial": True,
        },
    ),
    "check_count": Use(
        {"element": "", "role": "listitem", "count": 2},
        {"about": "count", "target": ("item",), "wanted": (2,), "relation": "is", "partial": True},
    ),
    "check_options": Use(
        {"element": "Size", "options": ["S", "M"]},
        {"about": "element", "target": ("Size",), "wanted": ("S", "M"), "relation": "includes", "partial": True},
    ),
    "check_text": Use({"text": "Total: $8"}, {"about": "page", "wanted": ("Total: $8",), "relation": "contains"}),
    "check_page": Use({"name": "Test"}, {"about": "title", "wanted": ("Test",), "relation": "contains"}),
    "check_each": Use(
        {"role": "row", "text": "a"},
        {"about": "element", "target": ("row",), "wanted": ("a",), "relation": "every", "partial": True},
    ),
    "check_sorted": Use({"element": "Cost"}, {"about": "element", "target": ("Cost",), "relation": "ordered"}),
    "check_order": Use({"texts": ["Mug", "Cup"]}, {"about": "page", "wanted": ("Mug", "Cup"), "relation": "ordered"}),
    "check_amount": Use(
        {"value": "3", "than": "2", "match": "above"},
        {"about": "value", "target": ("3",), "wanted": ("2",), "relation": "above", "partial": True},
    ),
    "check_attribute": Use(
        {"element": "Bill", "attribute": "href", "value": "/bill", "match": "ends"},
        {"about": "element", "target": ("Bill", "href"), "wanted": ("/bill",), "relation": "ends", "partial": True},
    ),
    "check_response_header": Use(
        {"header": "X-A", "value": "b"},
        {"about": "response", "target": ("X-A",), "wanted": ("b",), "relation": "is", "partial": True},
        answered,
    ),
    "check_json": Use(
        {"path": "a", "value": "1"},
        {"about": "response", "target": ("a",), "wanted": ("1",), "relation": "is", "partial": True},
        answered,
    ),
    "check_shown": Use({}, {"about": "page", "relation": "at_least"}),
    "check_pace": Use({"seconds": 60}, {"about": "page", "wanted": (60,), "relation": "at_most"}, back),
    "check_accessibility": Use(
        {"rule": "button-name"}, {"about": "page", "target": ("button-name",), "relation": "at_most"}
    ),
    "check_title": Use({"title": "Test"}, {"about": "title", "wanted": ("Test",), "relation": "is", "partial": True}),
    "check_url": Use(
        {"url": "/", "match": "ends"}, {"about": "address", "wanted": ("/",), "relation": "ends", "partial": True}
    ),
    "check_dialog": Use(
        {"text": "Who?"}, {"about": "dialog", "wanted": ("Who?",), "relation": "is", "partial": True}, dialog
    ),
    "check_response": Use(
        {"status": 2, "match": "class"}, {"about": "status", "wanted": (2,), "relation": "class", "partial": True}
    ),
    "check_response_text": Use(
        {"text": "Total"}, {"about": "response", "wanted": ("Total",), "relation": "contains", "partial": True}
    ),
    "check_output": Use(
        {"text": "ready"}, {"about": "output", "wanted": ("ready",), "relation": "contains", "partial": True}
    ),
    "check_console": Use(
        {"text": "Saved a draft"},
        {"about": "console", "wanted": ("Saved a draft",), "relation": "contains", "partial": True},
        spoken,
    ),
    "check_exit_code": Use({"code": 0}, {"about": "exit", "wanted": (0,), "relation": "is", "partial": True}),
    "check_file": Use(
        {"path": "a.txt", "text": "ready"},
        {"about": "file", "target": ("a.txt",), "wanted": ("ready",), "relation": "contains", "partial": True},
    ),
    "look": Use(
        {"statement": "The total is $8"}, {"about": "page", "wanted": ("The total is $8",), "relation": "judged"}
    ),
}


READS: dict[str, dict[str, Any]] = {
    "browser_tabs": {},
    "wait_for": {"text": "Total"},
    "snapshot": {},
    "find": {"text": "Total"},
    "take_screenshot": {},
    "browser_console": {},
    "browser_network": {},
    "read_file": {"path": "a.txt"},
    "list_files": {},
    "web_search": {"query": "mugs"},
    "web_fetch": {"url": URL},
    "remember": {"name": "total", "element": "Total"},
    "make_value": {"name": "mail", "kind": "email"},
    "ask_person": {"question": "How many?", "name": "count"},
    "finish": {"status": "pass"},
}


ELSEWHERE = {
    *(name for name, tool in TOOLS.items() if tool.needs & {"touch", "apps", "rotation"}),
    "check_picture_text",
    *(name for name, tool in TOOLS.items() if "checkout" in tool.needs or tool.delegates or tool.skill),
    *(name for name, tool in TOOLS.items() if tool.group == "fleet"),
}
"""What no browser can do is driven on another device, where there is a reader of pictures, in a session with a workspace,
by an agent with a goal, or in a conversation (`tests/system/test_conversation_rights.py`)."""


NEGATED = {"absent", "negate"}


async def gone(bench: Bench) -> None:
    await bench.do.script("document.body.textContent = ''")


SPOILED: dict[str, Prepare] = {
    "element": gone,
    "count": gone,
    "page": gone,
    "title": lambda bench: bench.do.script("document.title = 'Sorry'"),
    "address": elsewhere,
    "dialog": lambda bench: bench.do.ok("dialog", accept=False),
    "response": elsewhere,
    "status": lambda bench: bench.do("browser_navigate", url=f"{bench.site.url}/not-there"),
    "output": lambda bench: bench.do.ok("execute_command", command="true"),
    "exit": lambda bench: bench.do.ok("execute_command", command="false"),
    "file": lambda bench: bench.do.ok("write_file", path="a.txt", content="late"),
}
"""What makes another of what a check is about, and of nothing else that it might be about instead."""
