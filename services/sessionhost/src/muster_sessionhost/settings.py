"""Settings of the session host, read from the environment."""

from typing import Annotated, Literal

from msgspec import Meta

from muster_protocol.requests import RecordMode
from muster_service.settings import BusSettings


class SessionHostSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of one session host."""

    host_id: str = ""
    """Unique name of this host on NATS; empty: a new one at each start."""
    max_sessions: Annotated[int, Meta(ge=1)] = 8
    """Maximum number of sessions that this host keeps at once."""
    session_idle_seconds: Annotated[float, Meta(gt=0)] = 900.0
    """Seconds without a request after which a session is closed."""
    session_drain_seconds: Annotated[float, Meta(ge=0)] = 60.0
    """Seconds that a stopping host waits for runs to close their sessions before it releases them to other hosts."""
    session_heartbeat_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """Seconds between heartbeats of the host's sessions; after three missed ones they may be reopened elsewhere."""
    sessions_dir: str = ""
    """Folder of the sessions' directories; empty: a private temporary folder."""
    keep_sessions: bool = False
    """Keep the directory of a closed session, for debugging."""
    browser_executable: str = ""
    """Path of Chromium; empty: Playwright's own, otherwise the one on the PATH."""
    headless: bool = True
    """Run browsers without windows."""
    browser_no_sandbox: bool = False
    """Start Chromium without its own sandbox, as some containers require; always so for root."""
    phones: str = ""
    """File of the phones for `device: appium`: their names, Appium servers and capabilities."""
    appium_executable: str = ""
    """Path of the Appium server that is started for phones without one; empty: `appium` on the PATH."""
    record_trace: RecordMode = "on-failure"
    """Keep Playwright traces; on-failure: unless the run passed."""
    record_har: RecordMode = "on-failure"
    """Keep HAR files of the network traffic."""
    record_console: RecordMode = "on-failure"
    """Keep console logs of the pages."""
    record_downloads: RecordMode = "on"
    """Keep files that pages download."""
    record_picture: RecordMode = "on"
    """Keep the last picture of the page, shown during the run; on-failure: removed after a pass."""
    bind_host: str = "127.0.0.1"
    """Address on which browsers listen for workers; use loopback or a private network only."""
    advertise_host: str = "127.0.0.1"
    """Name or address under which workers reach this host."""
    sandbox: Literal["auto", "bwrap", "container", "none"] = "auto"
    """What confines commands; auto: bubblewrap if it works, otherwise nothing; container: the container of this
    host."""
    unsandboxed_model_commands: Literal["refuse", "ask", "allow"] = "refuse"
    """What to do with commands that a model chose if there is no sandbox; ask: a person decides each time."""
    system_changes: Literal["refuse", "throwaway"] = "refuse"
    """Whether sandboxed commands may change the system; throwaway: in a copy that is removed with the session."""
    system_copy_max_mb: Annotated[int, Meta(ge=1)] = 3000
    """Largest system that is copied for a session if overlay mounts do not work, in MB."""
    exec_visible: str = ""
    """Folders, separated by colons, that sandboxed commands may read in addition to the system's programs."""
    workspaces: str = ""
    """Folders and git revisions that sessions may get a copy of, by name: `shop=/srv/shop,shop-main=/srv/shop@main`."""
    workspace_max_mb: Annotated[int, Meta(ge=1)] = 1000
    """Largest folder without git that is copied for a session, in MB."""
    exec_domains: bool = True
    """Let sandboxed commands reach only their case's `domains`, by HTTP through a proxy; 0: they reach any host."""
    exec_output_limit: Annotated[int, Meta(ge=1000, le=300_000)] = 200_000
    """Characters kept of each output stream of a command, half from its beginning and half from its end."""
    exec_memory_mb: Annotated[int, Meta(ge=0)] = 2048
    """Memory limit of each process of a command, in MiB; 0: no limit."""
    exec_file_mb: Annotated[int, Meta(ge=0)] = 2048
    """Size limit of each file that a command writes, in MiB; 0: no limit."""
    exec_processes: Annotated[int, Meta(ge=0)] = 4096
    """Limit of the processes and threads of the host's user while commands run; 0: no limit. No effect for root."""
