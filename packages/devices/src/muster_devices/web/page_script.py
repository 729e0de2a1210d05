"""Decides when a page is settled: a script counts the pending work of each document.

`prepare` makes a browser context ready for the tools; whoever opens the context calls it once, before any page is.
"""

import hashlib
from contextlib import suppress
from importlib.resources import files

from playwright.async_api import BrowserContext, Error, Playwright, Request

ENGINE = "muster"
"""Name of the selector engine that finds targets, as in `page.locator('muster={"element":"Login"}')`."""


def _source(*names: str) -> str:
    folder = files("muster_devices.web") / "js"
    return "\n".join((folder / f"{name}.js").read_text("utf-8") for name in names)


_LOCATING = (
    "whole",
    "flat",
    "words",
    "ink",
    "cover",
    "under",
    "seen",
    "roles",
    "locate",
    "nearby",
    "hints",
    "accname",
    "face",
    "icons",
    "parts",
    "scope",
    "complaints",
    "drawn",
    "tables",
    "choose",
)
_BODY = _source(
    "settle",
    "connections",
    *_LOCATING,
    "marking",
    "facts",
    "sheets",
    "follow",
    "partial",
    "doubts",
    "letters",
    "read",
    "changes",
    "messages",
    "values",
    "point",
)
_VERSION = hashlib.sha256(_BODY.encode()).hexdigest()[:12]
_ENTRIES = (
    "waitingFor, begin, dropped, after, glance, survey, read, valuesOf, facts, described, seen, covered, point, "
    "isUsedAt, aimAt, freePoint, veil, codeBoxesAround"
)

SETTLE_SCRIPT = f"""(() => {{
if (window.__muster?.id === "{_VERSION}") return;
{_BODY}
const entries = {{ id: "{_VERSION}", {_ENTRIES} }};
Object.defineProperty(window, "__muster", {{ configurable: true, value: entries }});
}})()"""
"""Runs before a document's own scripts (`context.add_init_script`); counts what is pending and reads the page."""

ABSENT = "muster:absent"
CALL = f"""([name, argument]) =>
  window.__muster?.id === "{_VERSION}" ? window.__muster[name](argument) : "{ABSENT}\""""
"""Calls a function of the script by name; answers `ABSENT` where the document has no script of this version."""

_DROPPED = "address => window.__muster?.dropped?.(address)"

DESCRIBE = "element => window.__muster ? window.__muster.described(element) : null"
"""Returns an element as people would describe it."""

AIM = f"""spot => window.__muster?.id === "{_VERSION}" ? window.__muster.aimAt(spot) : null"""
"""Notes what is at a point as what is acted on, and returns it as people would describe it; null: nothing is there."""
FREE_POINT = "element => window.__muster ? window.__muster.freePoint(element) : null"
"""Returns a point of the window at which nothing is, outside of an element or of what is open, or null."""
USED_AT = "(element, spot) => window === window.top && Boolean(window.__muster?.isUsedAt(element, spot))"
"""Returns whether an element is what one would use at a point of the page; never for one in a frame."""

SEEN = "element => !window.__muster || window.__muster.seen(element)"
"""Returns whether an element can be seen."""

CODE_BOXES = "element => window.__muster ? window.__muster.codeBoxesAround(element) : []"
"""Returns the boxes for one letter each that are one field with an element; none: it is a field of its own."""

PICK = f"(list, asked) => {{ {_source('whole')}\nreturn ({_source('pick')})(list, asked); }}"
"""Returns the options of a list that are wanted, or those that are there."""

_CHOICE = _source(*_LOCATING, "choice")
CHOICES = f"(list, name) => {{ {_CHOICE}\nreturn choicesNamed(name); }}"
"""Returns the elements that a choice of a name may be, before the list is opened."""
OFFERED = f"(list, name) => {{ {_CHOICE}\nreturn offered(list, name); }}"
"""Returns the choice of a name that is there without opening anything; for a group without it the names it has."""
CHOSEN = f"(list, [name, old, timeout]) => {{ {_CHOICE}\nreturn chosen(name, old, timeout); }}"
"""Returns the choice of a name that has come since, or the names of all choices if it does not come in time."""

SHUT_OPTION = "(found) => (found[1] === document.documentElement ? found[0].label || found[0].value : null)"
"""Returns what an option of a closed list is called, which the selector engine gives with the page; else null."""
LIST_OF = f'{ENGINE}={{"kind":"list"}}'
"""The selector, from an option of a closed list, of what it is chosen with."""

ENGINE_SCRIPT = f"""(() => {{
{_source(*_LOCATING, "engine")}
const all = (root, query) => aim(root, JSON.parse(query));
return {{ queryAll: all, query: (root, query) => all(root, query)[0] }};
}})()"""
"""The selector engine, run apart from the page's scripts."""

GIVEN_UP = "net::ERR_ABORTED"
"""Failure of a request that the browser gave up itself: for a download, or because another page was opened."""


async def register(playwright: Playwright) -> None:
    """Register the selector engine; once a process, before the first context, which would lack it else."""
    await playwright.selectors.register(ENGINE, script=ENGINE_SCRIPT, content_script=True)


async def prepare(context: BrowserContext) -> None:
    """Add the settle script to a context's documents; to be called before any page is opened."""
    context.on("requestfailed", _tell_dropped)
    await context.add_init_script(SETTLE_SCRIPT)


async def _tell_dropped(request: Request) -> None:
    """Tell a document that a navigation of its frame has brought no other; one that failed brings the browser's own."""
    if not (request.failure or "").startswith(GIVEN_UP):
        return
    first = request
    while first.redirected_from is not None:
        first = first.redirected_from
    with suppress(Error):  # the frame is gone, or not known yet: it is a new tab's
        if request.is_navigation_request():
            await request.frame.evaluate(_DROPPED, first.url)
