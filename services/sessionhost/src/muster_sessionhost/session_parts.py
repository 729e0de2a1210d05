"""The parts that a session is made of."""

from collections.abc import Callable
from typing import NamedTuple

from muster_protocol.session_requests import Exec
from muster_protocol.session_responses import SessionError
from muster_sessionhost.checkpoint import Reopened
from muster_sessionhost.host_devices import SessionDevice
from muster_sessionhost.sandbox import Folders
from muster_sessionhost.screenshots import LastPicture
from muster_sessionhost.session_workspace import SessionWorkspace
from muster_sessionhost.shell_process import Shell


class Parts(NamedTuple):
    """The parts of a session."""

    folders: Folders
    shell: Shell
    refusal: Callable[[Exec], SessionError | None]
    """Returns why a command must not run, or None."""
    device: SessionDevice
    picture: LastPicture
    generation: int = 0
    """How often the session was reopened from a checkpoint."""
    reopened: Reopened = Reopened()
    """How much of the lost session was restored."""
    chosen: str = ""
    """The chosen window, from the checkpoint."""
    workspace: SessionWorkspace | None = None
