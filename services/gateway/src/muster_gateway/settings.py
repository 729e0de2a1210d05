"""Settings of the gateway."""

from typing import Annotated

from msgspec import Meta

from muster_service.settings import BusSettings


class GatewaySettings(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of the gateway in addition to those of the bus."""

    http_host: str = "127.0.0.1"
    """Address to listen on. Other than on loopback, this needs keys (API_KEYS_FILE or API_KEY) or ALLOW_OPEN."""
    http_port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """Port to listen on; 0: any free port."""
    port_file: str = ""
    """File to write the port to when the gateway is ready; removed at the end; empty: none."""
    api_keys_file: str = ""
    """File of API keys, managed by `muster keys`, read when it changes. Without it or API_KEY, no key is needed."""
    api_key: str = ""
    """An additional key with the role admin: at least 22 random characters. Embedded mode creates one at each start."""
    allow_open: bool = False
    """Listen on any address without keys: anyone who can reach the gateway can run commands."""
    login_hours: Annotated[float, Meta(gt=0, le=8760)] = 168.0
    """Hours that a login to the console lasts."""
    login_failures: Annotated[int, Meta(ge=0)] = 10
    """Invalid keys per minute and address before further ones are refused; 0: no limit."""
    rate_limit: Annotated[float, Meta(ge=0)] = 100.0
    """Sustained requests per second of one key, or of one address without a key; 0: no limit."""
    rate_burst: Annotated[int, Meta(ge=1)] = 1000
    """Requests that the same key or address may send at once."""
    header_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """Seconds that the head of a request may take to arrive."""
    body_seconds: Annotated[float, Meta(gt=0)] = 30.0
    """Seconds that the body of a request may take to arrive."""
    answer_stall_seconds: Annotated[float, Meta(gt=0)] = 60.0
    """Seconds that a client may stop reading an answer before it is disconnected."""
    max_connections: Annotated[int, Meta(ge=1)] = 2000
    """Maximum number of connections at once, as far as the limit of open files leaves room; further ones get 503."""
    max_peer_connections: Annotated[int, Meta(ge=1)] = 1000
    """Maximum number of connections of one address at once, except for TRUSTED_PROXIES."""
    trusted_proxies: str = ""
    """Addresses and networks of proxies whose X-Forwarded-For and -Proto are trusted, separated by commas."""
    audit_file: str = ""
    """File for the audit log, as JSON lines, in addition to stdout; empty: none."""
    max_body_bytes: Annotated[int, Meta(ge=1024)] = 1024 * 1024
    """Largest request body, in bytes."""
    max_event_body_bytes: Annotated[int, Meta(ge=1024)] = 16 * 1024 * 1024
    """Largest body of events and webhooks from callers with a key of role runner, in bytes."""
    ws_buffer: Annotated[int, Meta(ge=1)] = 2000
    """Lines that a client of a log may lag behind before it is disconnected."""
    ws_stall_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """Seconds that a client of a log may take to accept a line before it is disconnected."""
    webhook_urls: str = ""
    """Addresses that get every verdict, separated by commas. Use the same WEBHOOK settings on all gateways."""
    webhook_hosts: str = ""
    """Hosts that a run request may name as its webhook, separated by commas, with `:port` unless it is the default."""
    webhook_chat_hosts: str = ""
    """Hosts whose webhooks take messages as Slack and Mattermost do (`{"text": …}`), separated by commas."""
    webhook_secret: str = ""
    """Secret that signs webhooks; several, separated by commas, during a change of secrets. Empty: unsigned."""
    webhook_attempts: Annotated[int, Meta(ge=1, le=50)] = 8
    """Attempts to deliver a webhook before it becomes a dead letter."""
    webhook_delay_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """Seconds before the second attempt; each further pause is three times as long, at most half an hour."""
    webhook_timeout_seconds: Annotated[float, Meta(gt=0, le=60)] = 10.0
    """Seconds that a receiver may take to answer."""
    event_secrets: str = ""
    """Senders whose webhooks start runs at `/events/<name>`, as `name=secret`, separated by commas."""
    allowed_hosts: str = ""
    """Host names of this gateway, separated by commas; empty: on loopback its usual names, otherwise any."""
    allowed_origins: str = ""
    """Other origins whose pages may use the API (`https://ci.example`), separated by commas."""
