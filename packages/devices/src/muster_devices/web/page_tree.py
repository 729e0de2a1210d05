"""The tree of a page's elements, as lines of text."""

import json

from playwright.async_api import Page

from muster_devices.web.untraced import evaluate

_PICTURE = r"""() => {
  const kind = document.contentType, bodiless = !document.body && !/html/.test(kind);
  if (!bodiless && !/^(image|video|audio)\//.test(kind)) return null;
  const words = bodiless ? (document.documentElement?.textContent ?? "") : "";
  return [decodeURIComponent(location.pathname.split("/").pop()), ...words.split("\n")].map((one) => one.trim());
}"""
"""What a document is called and says that is a picture alone, or has no body; null for any other."""


async def tree_of(page: Page, depth: int = 0) -> str:
    """Return the tree, so many levels deep (0: all); a picture alone, such as a drawing in SVG, is one with its texts.

    Playwright shows nothing of pictures without a name, and waits for the body that a drawing never has.
    """
    told: list[str] | None = await evaluate(page, f"({_PICTURE})()")
    if told is None:
        return await page.aria_snapshot(mode="ai", depth=depth or None)
    name, *words = (json.dumps(one, ensure_ascii=False) for one in told)
    return "\n".join([f"- img {name}", *(f"- text: {one}" for one in words if one != '""')])
