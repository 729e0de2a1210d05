"""Who chose a command: the case, or a model. Pure."""

from muster_protocol.sessions import Author
from muster_protocol.tasks import SubTask
from muster_text.clauses import literals


def author_of(task: SubTask, command: str, *, by_model: bool) -> Author:
    """Return who chose a command; `by_model`: a model asked for the call.

    A command is the case's own if a written step quotes it, whoever makes the call, or if a written sentence was read
    as the call. A planner's wording of a step and a recovery are a model's words.
    """
    as_written = bool(task.step.covers or task.step.precondition) and not task.step.written
    texts = (task.description,) if as_written else task.step.written
    if command and any(command in literals(text) for text in texts):
        return "case"
    return "case" if as_written and not by_model else "model"
