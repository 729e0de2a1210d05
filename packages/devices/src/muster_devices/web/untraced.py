"""Scripts in a page past its trace, which shows the document before and after each call: that takes longer than most
answers.
"""

from typing import Any, cast

from playwright.async_api import CDPSession, Error, Page

_sessions: dict[Page, CDPSession] = {}
"""By open page. Weak keys would not do: a session refers to its page, and would keep it and its connection alive."""
_GONE = (
    *("Execution context was destroyed", "Cannot find context", "because of a navigation", "Frame was detached"),
    *("Inspected target navigated or closed", "Promise was collected", "page is navigating and changing the content"),
)


def left(error: Error) -> bool:
    """Return whether an evaluation ended because the document went away under it."""
    return any(sign in error.message for sign in _GONE)


async def session_of(page: Page) -> CDPSession:
    """Return what speaks the browser's own protocol with a page: one for all questions."""
    if (known := _sessions.get(page)) is not None:
        return known
    session = await page.context.new_cdp_session(page)
    if not page.is_closed():
        _sessions[page] = session
        page.once("close", _forget)
    return session


def _forget(page: Page) -> None:
    _sessions.pop(page, None)


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
