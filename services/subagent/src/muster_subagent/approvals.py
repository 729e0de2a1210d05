"""Questions whether a call may be made: how they are worded, and which answers allow it. Pure."""

LONGEST = 1_500
"""Characters of a call in a question."""
_ALLOWED = frozenset({"yes", "y", "ok", "allow", "approve"})


def allows(answer: str) -> bool:
    """Return whether an answer allows what was asked; all that is not clearly a yes does not."""
    return answer.strip().casefold() in _ALLOWED


def approval_id(call: str) -> str:
    """Return the id of the question whether a call may be made, which may itself ask something under its own id."""
    return f"{call}:approval"


def approval_question(agent: str, call: str) -> str:
    """Return the question whether an agent may make a call, as a log shows it."""
    shown = call if len(call) <= LONGEST else f"{call[:LONGEST]} …"
    return f"May {agent or 'the agent'} make this call? Answer yes or no.\n{shown}"
