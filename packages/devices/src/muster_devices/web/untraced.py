"""Scripts in a page past its trace, which shows the document before and after each call: that takes longer than most
answers.
"""

from typing import Any, cast
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Error, Page

_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
_GONE = (
    *("Execution context was destroyed", "Cannot find context", "because of a navigation", "Frame was detached"),
    *("Inspected target navigated or closed", "Promise was collected", "page is navigating and changing the content"),
)


def left(error: Error) -> bool:
    """Return whether an evaluation ended because the document went away under it."""
    return any(sign in error.message for sign in _GONE)


async def session_of(page: Page) -> CDPSession:
    """Return what speaks the browser's own protocol with a page: one for all questions."""
    session = _sessions.get(page) or await page.context.new_cdp_session(page)
    _sessions[page] = session
    return session


async def evaluate(page: Page, expression: str) -> Any:  # noqa: ANN401 - JSON, converted by the caller
    """Return what an expression comes to in a page's main frame.

    Raises:
        playwright.async_api.Error: the document has gone, or what the driver says of the page or the expression.
    """
    try:
        session = await session_of(page)
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        said = cast("dict[str, Any]", await session.send("Runtime.evaluate", asked))
    except Error as error:
        if left(error):
            raise
        _sessions.pop(page, None)
        return await page.evaluate(expression)  # tells better what is wrong with the page
    return await page.evaluate(expression) if "exceptionDetails" in said else said["result"].get("value")
