"""What a sub-agent worker reads from its environment."""

from typing import Annotated, Literal

from msgspec import Meta

from muster_model.settings import ModelSettings
from muster_protocol.requests import RecordMode


class SubAgentSettings(ModelSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of a worker; each is an environment variable of the same name in capitals."""

    pools: str = "think,act"
    """Queues that this worker serves, separated by commas."""
    think_slots: Annotated[int, Meta(ge=1)] = 32
    """Concurrent sub-tasks of the queue `think`, which need no session."""
    act_slots: Annotated[int, Meta(ge=1)] = 2
    """Concurrent sub-tasks of the queue `act`, which work in a session."""
    action_timeout_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """Seconds that an action waits for its target, and a check for its expectation."""
    transfer_max_mb: Annotated[float, Meta(gt=0)] = 50.0
    """Largest file that a step downloads, uploads or checks, in MB; the worker holds it in memory meanwhile."""
    secrets_file: str = ""
    """File of secrets as NAME=value lines; they override variables `SECRET_<NAME>`."""
    secrets_key_file: str = ""
    """File with the private key that opens the secrets of `muster secrets set`; mode 0600, only on workers."""
    secrets_allowed: str = ""
    """Names of secrets that cases may use, separated by commas, `*` for any text; empty: all that are set."""
    mcp_servers: str = ""
    """File with MCP servers whose tools agents may use, once `muster mcp-tools accept` has accepted them."""
    agents_dir: str = ""
    """Folder of agent files (`*.yaml`, `*.md`); one with the name of a built-in agent replaces it."""
    poison_takeovers: Annotated[int, Meta(ge=1)] = 5
    """Takeovers in a row without progress after which a sub-task is given up."""
    record_steps: RecordMode = "off"
    """Take pictures before and after each act, and note what changed; on-failure: keep only those of failed steps."""
    recordings: Literal["on", "off"] = "on"
    """Replay steps and plans that passed before without a model; off: always ask a model."""
    heal_turns: Annotated[int, Meta(ge=1)] = 8
    """Maximum number of turns of a model that takes over where a recording of a step misses."""
    heal_tokens: Annotated[int, Meta(ge=1)] = 60_000
    """Maximum number of tokens that this model may use."""
    heal_seconds: Annotated[float, Meta(gt=0)] = 90.0
    """Maximum seconds that this model may take."""
    search_url: str = ""
    """SearXNG-compatible service for web_search, such as http://searxng:8080, with the format json enabled."""
