"""Identifiers: subject tokens, random ids and derived ids."""

import hashlib
import re
import secrets

TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of run, node, host and worker ids: one NATS subject token."""


def is_token(text: str) -> bool:
    """Return whether a text can be one token of a subject."""
    return TOKEN.fullmatch(text) is not None


def new_id(kind: str) -> str:
    """Return a fresh random id such as `run-3f9c…` (16 hex digits after the kind)."""
    return f"{kind}-{secrets.token_hex(8)}"


def run_id_for(origin: str) -> str:
    """Return the run id derived from a text, which must hold an unguessable id: the text gives the run id away."""
    return f"run-{hashlib.sha256(origin.encode()).hexdigest()[:16]}"


def task_id(run: str, node: str, attempt: int) -> str:
    """Return the deterministic id of one attempt of one node of a run's plan."""
    return f"{run}.{node}.{attempt}"
