"""Long texts: shown shortened, and stored whole as an artifact, with every secret masked."""

import re

from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.tool_context import ToolContext
from muster_text.text_match import shorten


def call_stem(ctx: ToolContext) -> str:
    """Return a file name's stem that is the call's own."""
    return re.sub(r"[^\w.-]+", "-", ctx.call).strip("-") or "call"


def kept(ctx: ToolContext, what: str, text: str, only: str = "") -> tuple[str, tuple[ArtifactRef, ...]]:
    """Return a text as it is shown, and the artifact with all of it if it had to be shortened.

    `only` says which part of a longer one the text is; empty: it is whole.
    """
    whole = ctx.secrets.mask(text)
    short = shorten(whole)
    if short == whole:
        return whole, ()
    stored = ctx.store(f"{what}-{call_stem(ctx)}.txt", whole.encode(errors="replace"), "text/plain; charset=utf-8")
    said = f"only {only} was kept, and is in" if only else "all of it is in"
    return f"{short}\n({said} {stored.name})", (stored,)
