"""Settings of the gateway."""

from typing import Annotated

from msgspec import Meta

from muster_protocol.settings import BusSettings


class GatewaySettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """What the gateway reads beside the bus's settings."""

    http_host: str = "127.0.0.1"
    """Address to listen on. There is no login yet: open it to a network only behind something that has one."""
    http_port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """0: any free one."""
    port_file: str = ""
    """Path of a file that gets the port once requests are answered, and is removed at the end; empty: none."""
    max_body_bytes: Annotated[int, Meta(ge=1024)] = 1024 * 1024
    """Largest request body."""
    ws_buffer: Annotated[int, Meta(ge=1)] = 2000
    """Lines a client that follows a log may lag behind before it is cut off."""
    ws_stall_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """How long one line may take to reach such a client's socket before it is cut off."""
    allowed_hosts: str = ""
    """Comma-separated names this gateway is called by; empty: on loopback the names of loopback, else any."""
    allowed_origins: str = ""
    """Comma-separated origins (`https://ci.example`) whose pages may post and follow logs, beside its own."""
