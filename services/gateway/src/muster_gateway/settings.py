"""Settings of the gateway."""

from typing import Annotated

from msgspec import Meta

from muster_service.settings import BusSettings


class GatewaySettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """What the gateway reads beside the bus's settings."""

    http_host: str = "127.0.0.1"
    """Address to listen on. One that is not of loopback needs keys (API_KEYS_FILE or API_KEY), or ALLOW_OPEN."""
    http_port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """0: any free one."""
    port_file: str = ""
    """Path of a file that gets the port once requests are answered, and is removed at the end; empty: none."""
    api_keys_file: str = ""
    """File of API keys, made by `muster keys`, read again when it changes. Empty, and no API_KEY: no key is needed."""
    api_key: str = ""
    """One more key, of role admin: at least 22 random characters. Embedded mode makes one at each start."""
    allow_open: bool = False
    """Listen on any address although there are no keys: whoever reaches it may run commands."""
    login_hours: Annotated[float, Meta(gt=0, le=8760)] = 168.0
    """How long a login in the console lasts."""
    login_failures: Annotated[int, Meta(ge=0)] = 10
    """Keys that are none which one address may try a minute; 0: any number."""
    rate_limit: Annotated[float, Meta(ge=0)] = 100.0
    """Requests a second that one key, or one address without a key, may send for long; 0: any number."""
    rate_burst: Annotated[int, Meta(ge=1)] = 1000
    """Requests it may send at once."""
    header_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """How long the head of a request may take to arrive."""
    body_seconds: Annotated[float, Meta(gt=0)] = 30.0
    """How long the body of a request may take to arrive."""
    answer_stall_seconds: Annotated[float, Meta(gt=0)] = 60.0
    """How long a client may take nothing of an answer before it is cut off."""
    max_connections: Annotated[int, Meta(ge=1)] = 2000
    """Connections at once; who comes next is turned away with 503."""
    max_peer_connections: Annotated[int, Meta(ge=1)] = 1000
    """Connections of one address at once, proxies of TRUSTED_PROXIES excepted."""
    trusted_proxies: str = ""
    """Comma-separated addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    audit_file: str = ""
    """File that gets the audit log beside stdout, as JSON lines; empty: none."""
    max_body_bytes: Annotated[int, Meta(ge=1024)] = 1024 * 1024
    """Largest request body."""
    ws_buffer: Annotated[int, Meta(ge=1)] = 2000
    """Lines a client that follows a log may lag behind before it is cut off."""
    ws_stall_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """How long one line may take to reach such a client's socket before it is cut off."""
    webhook_urls: str = ""
    """Comma-separated addresses that are told of every verdict. The same in all gateways of a fleet, as all below."""
    webhook_hosts: str = ""
    """Comma-separated hosts (with `:port` unless it is the usual one) that a run request may name as its webhook."""
    webhook_secret: str = ""
    """What webhooks are signed with; several with commas while receivers change over. Empty: they are not signed."""
    webhook_attempts: Annotated[int, Meta(ge=1, le=50)] = 8
    """How often a receiver is tried before its webhook becomes a dead letter."""
    webhook_delay_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """Until the second attempt; each further one is three times later, half an hour at most."""
    webhook_timeout_seconds: Annotated[float, Meta(gt=0, le=60)] = 10.0
    """How long a receiver may take to answer."""
    allowed_hosts: str = ""
    """Comma-separated names this gateway is called by; empty: on loopback the names of loopback, else any."""
    allowed_origins: str = ""
    """Comma-separated origins (`https://ci.example`) whose pages may use the API, beside its own."""
