"""What a sub-agent worker reads from its environment."""

from typing import Annotated

from msgspec import Meta

from muster_model.settings import ModelSettings


class SubAgentSettings(ModelSettings, frozen=True, kw_only=True, rename=str.upper):
    """Settings of a worker; each is an environment variable of the same name in capitals."""

    pools: str = "think,act"
    """Comma-separated: the queues this worker serves."""
    think_slots: Annotated[int, Meta(ge=1)] = 32
    """Sub-tasks without hands at once."""
    act_slots: Annotated[int, Meta(ge=1)] = 2
    """Sub-tasks in a session at once."""
    action_timeout_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """How long an action waits for its target, and a check for its expectation."""
    secrets_file: str = ""
    """A file of NAME=value lines; they win over the environment."""
    agents_dir: str = ""
    """A folder of agent files (`*.yaml`); one with the id of a built-in agent replaces it."""
    poison_takeovers: Annotated[int, Meta(ge=1)] = 5
    """Takeovers without any progress after which a sub-task is given up."""
    search_url: str = ""
    """SearXNG-compatible service for web_search, such as http://searxng:8080; it must allow the format json."""
