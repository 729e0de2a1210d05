"""Page content cannot widen secrets: a value that looks like a secret's placeholder stays text."""

from types import SimpleNamespace
from typing import cast

import pytest

from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import TOOLS, ToolError
from muster_subagent.tools.invocation import filled
from muster_text.values import SECRET

CONTEXT = cast("ToolContext", SimpleNamespace(secrets=Secrets({"PIN": "hunter2"})))
FROM_A_PAGE = {"order": "${secret:PIN}", "plain": "A-17"}


def typed(text: str) -> object:
    arguments = {"element": "Name", "text": text}
    return filled(CONTEXT, TOOLS["type"], arguments, FROM_A_PAGE)["text"]


def test_a_remembered_text_never_becomes_a_secret() -> None:
    assert typed("${order}") == "${secret:PIN}"
    assert typed("${secret:PIN} ${plain} ${order}") == "hunter2 A-17 ${secret:PIN}"


def test_a_remembered_text_never_becomes_a_secret_in_a_list() -> None:
    arguments = {"element": "Size", "options": ["${order}", "${secret:PIN}"]}
    options = filled(CONTEXT, TOOLS["select"], arguments, FROM_A_PAGE)["options"]
    assert options == ["${secret:PIN}", "hunter2"]


@pytest.mark.parametrize("command", ["echo ${order}", "echo '${order}'", 'echo "${order}" ${secret:PIN}'])
def test_a_remembered_placeholder_is_not_put_into_a_command(command: str) -> None:
    with pytest.raises(ToolError, match="a secret's placeholder"):
        filled(CONTEXT, TOOLS["execute_command"], {"command": command}, FROM_A_PAGE)


def test_halves_of_a_placeholder_do_not_join_into_one() -> None:
    values = {"a": "${secret:", "b": "PIN}"}
    assert filled(CONTEXT, TOOLS["type"], {"element": "x", "text": "${a}${b}"}, values)["text"] == "${secret:PIN}"
    apart = filled(CONTEXT, TOOLS["execute_command"], {"command": "echo ${a}${b}"}, values)["command"]
    assert SECRET.findall(str(apart)) == []  # quoted one by one, they stay two texts
    with pytest.raises(ToolError, match="a secret's placeholder"):
        filled(CONTEXT, TOOLS["execute_command"], {"command": 'echo "${a}${b}"'}, values)
