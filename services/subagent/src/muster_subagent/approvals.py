"""Questions whether a call may be made: how they are worded, and which answers allow it. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from muster_protocol.conversation_work import ConverseInput
from muster_protocol.tasks import SubTask
from muster_text.hidden_text import show_hidden
from muster_text.named_hosts import hosts_in

LONGEST = 20_000
"""Characters of a call in a question. A longer one cannot be allowed: nobody would have seen all of it."""
_ALLOWED = frozenset({"yes", "y", "ok", "allow", "approve"})


def allows(answer: str) -> bool:
    """Return whether an answer allows what was asked; all that is not clearly a yes does not."""
    return answer.strip().casefold() in _ALLOWED


def leads_elsewhere(task: SubTask, arguments: Mapping[str, Any]) -> bool:
    """Return whether a call of an agent in a conversation has an address of a host that no person has named there.

    What a page or an alert has talked the agent into may not carry away, in an address, what it knows.
    """
    if not isinstance(task.input, ConverseInput):
        return False
    said = (task.description, *(it.text for it in task.input.earlier if it.by == "person"))
    return not set(hosts_in((json.dumps(arguments, ensure_ascii=False),))) <= set(hosts_in(said))


def approval_id(call: str) -> str:
    """Return the id of the question whether a call may be made, which may itself ask something under its own id."""
    return f"{call}:approval"


def approval_question(agent: str, call: str) -> str:
    """Return the question whether an agent may make a call, as a log shows it: whole, in one line, with nothing hidden.

    Raises:
        ValueError: the call is too long to be looked at.
    """
    shown = show_hidden(" ".join(call.splitlines()))
    if len(shown) > LONGEST:
        raise ValueError(f"it has {len(shown):,} characters; a person can be shown at most {LONGEST:,}")
    return f"May {agent or 'the agent'} make this call? Answer yes or no.\n{shown}"
