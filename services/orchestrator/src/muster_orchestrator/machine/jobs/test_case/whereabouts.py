"""The state of a session as passed steps show it: its page, who signed in, what was installed. Pure."""

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.values import SECRET

MOST_INSTALLED = 5
"""Recoveries that are named: the newest."""
LONGEST = 120
"""Characters of one of them, and of the others."""


class Whereabouts(Struct, frozen=True):
    """What is known of a session; an empty text: nothing."""

    place: str = ""
    """Address of its device."""
    signed_in: str = ""
    """The action that entered a secret last, as it is written."""
    installed: tuple[str, ...] = ()
    """Recoveries that ran commands, oldest first."""


def after(known: Whereabouts, node: PlanNode, result: SubTaskResult, *, recovery: bool) -> Whereabouts:
    """Return what is known after a step that has passed."""
    ran = recovery and any(act.does in ("run", "write", "unknown") and act.status == "ok" for act in result.step.acts)
    installed = (*known.installed, node.description[:LONGEST]) if ran else known.installed
    return replace(
        known,
        place=known.place if result.step.place is None else result.step.place[:LONGEST],
        signed_in=node.description[:LONGEST] if SECRET.search(node.description) else known.signed_in,
        installed=installed[-MOST_INSTALLED:],
    )


def describe(known: Whereabouts) -> str:
    """Return what is known, a line each; empty if nothing is."""
    lines = (
        ("Now at", known.place),
        ("Secrets were entered by", known.signed_in),
        ("Recoveries have changed the machine", "; ".join(known.installed)),
    )
    return "\n".join(f"{title}: {text}" for title, text in lines if text)


def shown_by(result: SubTaskResult, length: int) -> str:
    """Return what the first proof of a step showed, in at most so many characters; empty if it has none.

    A check that saw just what it looked for keeps no text of its own: its clause says what that was.
    """
    proofs = (it.seen.strip() or it.clause for it in result.step.evidence if it.passed)
    text = " ".join(next(proofs, "").split())
    return text if len(text) <= length else text[: length - 1] + "…"
