"""The question to an agent that has to answer a message of a conversation. Pure."""

from muster_protocol.conversation_work import ConverseInput
from muster_protocol.tasks import SubTask

NEW_LINE, MORE = "\n", "\n    "
"""Further lines of what was said are indented, so that none passes for what somebody else has said."""


def describe_message(task: SubTask, given: ConverseInput) -> str:
    """Return the message to answer as the model is told of it, with what was said before."""
    said = "\n".join(f"{it.by}: {it.text.replace(NEW_LINE, MORE)}" for it in given.earlier)
    parts = (
        ("Said before", said),
        ("The person has this page of the console open", given.page),
        ("Mind this", task.notice),
        ("Message to answer", task.description),
    )
    return "\n\n".join(f"# {title}\n{text}" for title, text in parts if text)
