"""Stands in for the session of a sub-task without one: it refuses every request."""

from typing import Any, NoReturn

from muster_subagent.session_client import SessionRefused


class NoSession:
    """Stands in for a session; implements `muster_subagent.tool_context.Session`."""

    device_used = has_workspace = False
    kind = "none"
    surroundings = ""

    async def device(self) -> NoReturn:
        """Refuse: there is none."""
        raise SessionRefused("no_device", "this sub-task works without a session: it has no browser, shell or folder")

    async def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:  # noqa: ANN401 - whatever is asked is refused
        await self.device()

    execute = read_file = write_file = list_files = keep = recall = read_picture = use_workspace = _refuse
