"""Refuses commands that could reach beyond the test that runs them, wherever no sandbox confines them."""

import re
from collections.abc import Coroutine
from typing import Any

from muster_sessionhost.sandbox import Sandbox
from muster_sessionhost.shell_process import Ended, OnOutput, Order, Shell

_DESTRUCTIVE = re.compile(
    r"\bkill\b[^;&|\n]*\s-(?:1|-)(?=\s|$)"  # every process, or a group
    r"|\b(?:pkill|killall|shutdown|reboot|halt|poweroff|mkfs\S*|wipefs)\b"
    r"|\brm\s+-\w*[rRf]\w*\s+(?:-\S+\s+)*[\"']?(?:/|~|\$HOME|\$\{HOME|\.\.|\*)"
    r"|\bdd\b[^;&|\n]*\bof=/dev/|>\s*/dev/[sv]d|:\(\)\s*\{",
)


def destructive(command: str) -> bool:
    """Return whether a command may reach what the session it runs in has not made. Pure."""
    return _DESTRUCTIVE.search(command) is not None


def guard_shells() -> None:
    """Have every session host of this process refuse such commands where nothing confines them."""
    start = Shell.start
    if start.__name__ == "guarded":
        return

    async def guarded(self: Shell, order: Order, on_output: OnOutput) -> Coroutine[Any, Any, Ended]:
        sandbox: Sandbox = vars(self)["_sandbox"]
        if not sandbox.program and destructive(order.command):
            raise ValueError(f"a test may run {order.command!r} in a sandbox only: give its host sandbox='bwrap'")
        return await start(self, order, on_output)

    Shell.start = guarded
