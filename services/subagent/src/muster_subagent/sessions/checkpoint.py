"""Checkpoints: what it takes to open a lost session anew. Pure."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from muster_subagent.sessions.redact import Redactor


class PageState(Struct, frozen=True, kw_only=True):
    """One open page: where it was, and its session storage."""

    url: str
    storage: dict[str, str] = {}


class Saved(Struct, frozen=True, kw_only=True):
    """A session's checkpoint, as stored."""

    state: dict[str, Any] = {}
    """Playwright's storage state: cookies, and local storage by origin."""
    pages: tuple[PageState, ...] = ()
    generation: int = 0
    """How often the session had been opened anew."""


def artifact_name(run: str, name: str) -> str:
    """Return where a session's checkpoint is stored."""
    return f"{run}/checkpoint/{name}.json"


def without_secrets(saved: Saved, redactor: Redactor) -> Saved:
    """Return the checkpoint without every cookie, stored item and page address that holds a secret."""

    def clean(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [item for item in items if not redactor.holds(json.dumps(item, ensure_ascii=False))]

    origins = [
        origin | {"localStorage": clean(origin.get("localStorage", ()))} for origin in saved.state.get("origins", ())
    ]
    pages = (
        PageState(
            url=_clean_url(page.url, redactor),
            storage={
                key: value
                for key, value in page.storage.items()
                if not redactor.holds(key) and not redactor.holds(value)
            },
        )
        for page in saved.pages
    )
    return Saved(
        state={"cookies": clean(saved.state.get("cookies", ())), "origins": origins},
        pages=tuple(pages),
        generation=saved.generation,
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
