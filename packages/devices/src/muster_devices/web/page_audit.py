"""Accessibility problems of a page, as axe-core finds them."""

from hashlib import sha256
from importlib.resources import files

import msgspec
from msgspec import Struct
from playwright.async_api import Page

from muster_devices.errors import DeviceRefused
from muster_devices.record_times import moment
from muster_devices.screen import Record
from muster_devices.web.page_access import BrowserSession, bounded
from muster_devices.web.page_actions import settle
from muster_protocol.causes import Failure

SETTLE_SECONDS = 5.0
AUDIT_SECONDS = 30.0
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""Tags of the rules that follow from WCAG 2.2, levels A and AA; best practices of axe itself are left out."""
LONGEST = 200
MOST_ELEMENTS = 100
"""Elements of one broken rule that are told apart."""
HTML = ("text/html", "application/xhtml+xml")

_RUN = """async ([tags, longest, most]) => {
  const found = await axe.run(document, {
    iframes: false, resultTypes: ["violations"], runOnly: { type: "tag", values: tags },
  });
  return JSON.stringify(found.violations.map((one) => ({
    rule: one.id, help: one.help, impact: one.impact ?? "", count: one.nodes.length,
    first: one.nodes[0].target.flat().join(" ").slice(0, longest),
    elements: one.nodes.length > most ? [] : one.nodes.map((node) => node.html),
  })));
}"""


class _Violation(Struct):
    rule: str
    help: str
    impact: str
    count: int
    first: str
    elements: list[str]


def audit_script() -> str:
    """Return the audit as a function of the page; the library is neither seen by the page nor taken from it."""
    library = (files("muster_devices.web") / "vendor" / "axe.js").read_text("utf-8")
    return f"""(argument) => {{
const before = Object.getOwnPropertyDescriptor(window, "axe");
const define = undefined, module = {{ exports: {{}} }}, exports = module.exports;
{library}
const axe = module.exports;
delete window.axe;
if (before) Object.defineProperty(window, "axe", before);
return ({_RUN})(argument);
}}"""


async def audit(browser: BrowserSession, page: Page) -> tuple[Record, ...]:
    """Return one record for each rule that the settled page breaks: `level` is the impact, `method` the rule's id.

    Frames within the page are not looked into.

    Raises:
        DeviceRefused: it is no HTML: the page that shows it is the browser's, and nobody can mend that.
    """
    await settle(browser, page, SETTLE_SECONDS)
    kind = str(await bounded(browser, page.evaluate("document.contentType"), AUDIT_SECONDS))
    if kind not in HTML:
        text = f"only HTML is audited for people with disabilities, and this document is {kind}"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=page.url)
    told = await bounded(browser, page.evaluate(audit_script(), [list(RULES), LONGEST, MOST_ELEMENTS]), AUDIT_SECONDS)
    now = moment()
    return tuple(
        Record(
            at=now,
            level=one.impact,
            method=one.rule,
            text=_words(one),
            address=page.url,
            elements=_digests(one.elements),
        )
        for one in msgspec.json.decode(told, type=list[_Violation])
    )


def _digests(elements: list[str]) -> tuple[str, ...]:
    return tuple(sorted({sha256(one.encode(errors="replace")).hexdigest()[:8] for one in elements}))


def _words(one: _Violation) -> str:
    where = one.first if one.count == 1 else f"{one.count} elements, the first {one.first}"
    return f"{one.rule}: {one.help} ({where})"
