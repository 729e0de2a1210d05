"""What an agent may not do is refused at the tool boundary, with the reason, whatever the words of its job are."""

import pytest
from msgspec.structs import replace

from muster_agents.agent_folder import built_in
from muster_agents.permissions import Devices, Paths, Permissions
from muster_protocol.causes import Failure
from muster_protocol.kinds import AssignInput
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall, ToolOutcome
from muster_subagent.agent_catalogue import NAMES
from muster_subagent.agent_rights import permissions_of
from muster_subagent.results import REFUSALS, Made, refusals_of
from muster_subagent.tools import TOOLS
from muster_subagent.tools.agent_permission import NOWHERE, domains_within, find_excess


def excess(may: Permissions, tool: str, **arguments: ArgumentValue) -> tuple[str, str] | None:
    return find_excess(may, TOOLS[tool], ToolCall(tool=tool, arguments=arguments), "web", ("PIN",))


@pytest.mark.parametrize(
    ("may", "tool", "given", "reason", "said"),
    [
        (Permissions(tools=("read", "ls")), "write", {"path": "a", "content": ""}, "tool", "may not use write; it may: ls, read"),
        (Permissions(tools=()), "click", {"element": "Save"}, "tool", "it may use none"),
        (Permissions(effects=("read",)), "edit", {"path": "a", "old": "a", "new": "b"}, "effect", "has the effect 'act'"),
        (Permissions(devices=Devices(control=())), "click", {"element": "Save"}, "device", "may not act on a device of kind web"),
        (Permissions(devices=Devices(read=("screens",))), "snapshot", {}, "device", "may not look at a device of kind web"),
        (Permissions(paths=Paths(write=("tests",))), "write", {"path": "src/a", "content": ""}, "path", "'src/a' may not be written by this agent; what may be: tests"),
        (Permissions(paths=Paths(write=("tests",))), "write", {"path": "tests/../src/a", "content": ""}, "path", "may not be written"),
        (Permissions(paths=Paths(write=("test",))), "write", {"path": "tests/a", "content": ""}, "path", "may not be written"),
        (Permissions(paths=Paths(read=("src",))), "read", {"path": "docs/a"}, "path", "'docs/a' may not be read"),
        (Permissions(paths=Paths(read=("src",))), "grep", {"pattern": "x", "path": "."}, "path", "may not be read"),
        (Permissions(paths=Paths(read=("src",))), "run_tests", {"target": "tests/a.py::b"}, "path", "may not be read"),
        (Permissions(domains=("shop.test",)), "web_fetch", {"url": "http://evil.test/"}, "domain", "'http://evil.test/' is not a host"),
        (Permissions(domains=()), "browser_navigate", {"url": "https://shop.test"}, "domain", "it may reach: none"),
        (Permissions(domains=("shop.test",)), "execute_command", {"command": "true"}, "domain", "is not kept to the hosts"),
        (Permissions(secrets=("TOKEN",)), "click", {"element": "Save"}, "secret", "may not use ${secret:PIN}"),
    ],
)  # fmt: skip
def test_more_than_an_agent_may_is_refused(
    may: Permissions, tool: str, given: dict[str, ArgumentValue], reason: str, said: str
):
    found = excess(may, tool, **given)

    assert found is not None
    assert (found[0], said in found[1]) == (reason, True), found


def test_the_agent_of_a_trigger_asks_a_person_before_every_act_but_starting_prepared_cases_repeating_and_pausing():
    agent = built_in(NAMES).by_id["monitor"]
    given = AssignInput(may_start=())
    task = SubTask(id="r.n.1", run="r", node="n", attempt=1, dispatch=1, input=given, agent=agent.id)
    free = replace(agent, tools=("fleet", "web", "shell", "workspace"), approval_required_for=())
    asked = set(permissions_of(task, free, TOOLS).approvals)

    assert {"start_case", "control_run", "http_request", "execute_command", "write"} <= asked
    assert not asked & {"start_stored_case", "repeat_run", "pause_run", "show_run", "load_skill"}
    assert {name for name, tool in TOOLS.items() if tool.effect in CHANGING and not tool.skill} - asked == {
        "start_stored_case",
        "repeat_run",
        "pause_run",
    }
    assert not permissions_of(replace(task, input=AssignInput()), free, TOOLS).approvals


@pytest.mark.parametrize(
    ("may", "tool", "given"),
    [
        (Permissions(), "write", {"path": "src/a", "content": ""}),
        (Permissions(tools=("write",), effects=("idempotent",)), "write", {"path": "a", "content": ""}),
        (Permissions(paths=Paths(write=("tests",))), "write", {"path": "tests/deep/a", "content": ""}),
        (Permissions(paths=Paths(write=("tests",))), "read", {"path": "src/a"}),
        (Permissions(paths=Paths(write=("tests",))), "write_file", {"path": "src/a", "content": ""}),
        (Permissions(domains=("shop.test",)), "web_fetch", {"url": "http://api.shop.test:8080/a"}),
        (Permissions(devices=Devices(control=())), "snapshot", {}),
        (Permissions(devices=Devices(read=())), "read", {"path": "a"}),
        (Permissions(secrets=("PIN",)), "click", {"element": "Save"}),
    ],
)
def test_what_an_agent_may_is_not(may: Permissions, tool: str, given: dict[str, ArgumentValue]):
    assert excess(may, tool, **given) is None


@pytest.mark.parametrize(
    ("case", "agent", "left"),
    [
        ((), None, ()),
        (("shop.test",), None, ("shop.test",)),
        ((), ("shop.test",), ("shop.test",)),
        (("shop.test",), ("api.shop.test", "other.test"), ("api.shop.test",)),
        (("shop.test",), ("other.test",), (NOWHERE,)),
        ((), (), (NOWHERE,)),
    ],
)
def test_what_is_left_of_hosts_never_means_any(
    case: tuple[str, ...], agent: tuple[str, ...] | None, left: tuple[str, ...]
):
    assert domains_within(case, agent) == left


def test_a_result_lists_the_calls_that_were_refused():
    refused = ToolOutcome(status="error", text="'a' may not be written\nmore", failure=Failure.NOT_PERMITTED)
    done = ToolOutcome(status="ok", text="Wrote.")
    made = [
        Made(index, ToolCall(tool="write"), TOOLS["write"], outcome, by_model=True)
        for index, outcome in enumerate([done, *[refused] * (REFUSALS + 1)])
    ]

    assert refusals_of(made) == ("write: 'a' may not be written",) * REFUSALS
