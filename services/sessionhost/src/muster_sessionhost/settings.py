"""What the session host reads from its environment."""

from typing import Annotated, Literal

from msgspec import Meta

from muster_protocol.requests import RecordMode
from muster_service.settings import BusSettings


class SessionHostSettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of one session host."""

    host_id: str = ""
    """Names this host on the bus; made anew at each start when empty. No two live hosts may share one."""
    max_sessions: Annotated[int, Meta(ge=1)] = 8
    """Sessions this host keeps at once."""
    session_idle_seconds: Annotated[float, Meta(gt=0)] = 900.0
    """A session nobody asked anything of for so long is closed."""
    session_heartbeat_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """How often the host says that its sessions live; after three times that they may be opened elsewhere."""
    sessions_dir: str = ""
    """Folder of the sessions' directories; empty: a private one among the temporary files."""
    keep_sessions: bool = False
    """Leave a closed session's directory where it is, to look into it."""
    browser_executable: str = ""
    """Path of a Chromium; empty: Playwright's own, else one on the PATH."""
    headless: bool = True
    """Show no browser windows."""
    browser_no_sandbox: bool = False
    """Start Chromium without its own sandbox, as some containers need; for root it always is."""
    record_trace: RecordMode = "on-failure"
    """Of which sessions a Playwright trace is kept; on-failure: of those whose run did not pass."""
    record_har: RecordMode = "on-failure"
    """Of which sessions a HAR is kept."""
    record_console: RecordMode = "on-failure"
    """Of which sessions the console of the pages is kept."""
    record_downloads: RecordMode = "on"
    """Of which sessions the files that pages gave to be downloaded are kept."""
    record_picture: RecordMode = "on"
    """Of which sessions the last picture of the page is kept, shown while the run goes on; on-failure: then removed."""
    bind_host: str = "127.0.0.1"
    """Address on which browsers are offered to workers; loopback or a private network only."""
    advertise_host: str = "127.0.0.1"
    """Name or address under which workers reach this host."""
    sandbox: Literal["auto", "bwrap", "container", "none"] = "auto"
    """What confines commands; auto: bubblewrap where it works, else nothing; container: the container of this host."""
    unsandboxed_model_commands: Literal["refuse", "ask", "allow"] = "refuse"
    """What happens to a command that a model made up where nothing confines it; ask: a person decides each time."""
    exec_visible: str = ""
    """Colon-separated folders that sandboxed commands may read although they lie in a home or in this project."""
    exec_output_limit: Annotated[int, Meta(ge=1000, le=300_000)] = 200_000
    """Characters kept of each output stream of a command: its beginning and its end."""
    exec_memory_mb: Annotated[int, Meta(ge=0)] = 2048
    """Memory each process of a command may take, in MiB; 0: no limit."""
