"""Checkpoints: what it takes to open a lost session anew, and how to tell whether that worked. Pure."""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from muster_bus.artifact_store import PRIVATE_PART
from muster_protocol.sessions import Restored
from muster_text.redaction import Redactor

UNSAVED = "no checkpoint could be made when it was last left: a dialog was open, or a page was busy"
"""What is missing of a session whose newest checkpoint could not be made."""
ACTED = "its page was, or may have been, the answer to an action, which is not done again"
MARKS = re.compile(r" \[(?:ref=[^\]]*|active|cursor=[^\]]*)\]")
"""What a snapshot says of elements beside what they are: references, focus, pointer."""


class PageState(Struct, frozen=True, kw_only=True):
    """One open page: where it was, its session storage, and a digest of what it read."""

    url: str
    storage: dict[str, str] = {}
    reads: str = ""
    """Empty where it read a secret: a digest of that could be guessed."""
    acted: bool = False
    """Whether it was, or may have been, the answer to an action; then its address is not asked for again."""


class Saved(Struct, frozen=True, kw_only=True):
    """A session's checkpoint, as stored."""

    state: dict[str, Any] = {}
    """Playwright's storage state: cookies, and local storage by origin."""
    pages: tuple[PageState, ...] = ()
    generation: int = 0
    """How often the session had been opened anew."""
    after: int = 0
    """Dispatch number of the sub-task that had left the session just before."""
    chosen: str = ""
    """Which of the pages was the chosen one, as `PAGE_KEY` has it."""
    missing: str = ""
    """What the session held that is not in here, or why; empty: nothing."""


class Reopened(NamedTuple):
    """What became of a session's checkpoint; the default is for a session that was opened for the first time."""

    restored: Restored = "no"
    after: int = 0
    missing: str = ""
    """Where it is `different`: why."""


def reopened(saved: Saved | None, *, same: bool) -> Reopened:
    """Return what to say of a session that was opened for a lost one; `same`: its pages read as they did."""
    if saved is None:
        return Reopened("different", missing="there is no checkpoint of it")
    if saved.missing:
        return Reopened("different", saved.after, saved.missing)
    if not same:
        return Reopened("different", saved.after, "its pages, opened anew, do not read as they did")
    return Reopened("same", saved.after)


def reading(url: str, title: str, files: str, snapshot: str) -> str:
    """Return all that a page reads as one text; `files` says how many files its fields hold."""
    lines = (" ".join(MARKS.sub("", line).split()) for line in snapshot.splitlines())
    return "\n".join((url, title, files, *filter(None, lines)))


def digest(text: str) -> str:
    """Return what is stored of what a page reads."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def artifact_name(run: str, name: str) -> str:
    """Return where a session's checkpoint is stored."""
    return f"{run}/{PRIVATE_PART}/{name}.json"


def without_secrets(saved: Saved, redactor: Redactor) -> Saved:
    """Return the checkpoint without every cookie, stored item and page address that holds a secret, saying so."""

    def clean(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [item for item in items if not redactor.holds(json.dumps(item, ensure_ascii=False))]

    origins = [
        origin | {"localStorage": clean(origin.get("localStorage", ()))} for origin in saved.state.get("origins", ())
    ]
    pages = tuple(
        replace(
            page,
            url=_clean_url(page.url, redactor),
            storage={
                key: value
                for key, value in page.storage.items()
                if not redactor.holds(key) and not redactor.holds(value)
            },
        )
        for page in saved.pages
    )
    state = {"cookies": clean(saved.state.get("cookies", ())), "origins": origins}
    kept = state == {"cookies": [], "origins": [], **saved.state} and pages == saved.pages
    return Saved(
        state=state,
        pages=pages,
        generation=saved.generation,
        after=saved.after,
        chosen=saved.chosen,
        missing=saved.missing or ("" if kept else "it held a secret, which no checkpoint has"),
    )


def _clean_url(url: str, redactor: Redactor) -> str:
    """Return an address without the parts that hold a secret, from the end."""
    for part in (url, url.partition("#")[0], url.partition("?")[0]):
        if not redactor.holds(part):
            return part
    return "about:blank"


def restoring_script(page: PageState) -> str:
    """Return a script that fills the session storage of a page of the same origin, before its own scripts run."""
    parts = urlsplit(page.url)
    origin, stored = json.dumps(f"{parts.scheme}://{parts.netloc}"), json.dumps(dict(page.storage))
    return f"""((origin, stored) => {{
      if (location.origin === origin)
        for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
    }})({origin}, {stored})"""
