"""Identifiers: what may stand in a subject, and ids that are the same each time they are derived."""

import hashlib
import re
import secrets

TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a run, node, host or worker id may be: one NATS subject token."""


def is_token(text: str) -> bool:
    """Return whether the text can be one token of a subject."""
    return TOKEN.fullmatch(text) is not None


def new_id(kind: str) -> str:
    """Return a fresh random id such as `run-3f9c…` (16 hex digits after the kind)."""
    return f"{kind}-{secrets.token_hex(8)}"


def run_id_for(origin: str) -> str:
    """Return the run id that follows from a text, which therefore has to hold an id that is not guessed: a rerun's."""
    return f"run-{hashlib.sha256(origin.encode()).hexdigest()[:16]}"


def task_id(run: str, node: str, attempt: int) -> str:
    """Return the deterministic id of one attempt of one node of a run's plan."""
    return f"{run}.{node}.{attempt}"
