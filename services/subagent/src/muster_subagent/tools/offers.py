"""The tools that models are shown together, and when. A tool names its offer; one without is offered with its group."""

import re

from muster_devices.outline import LEFT_OUT
from muster_subagent.tools.traits import Offer
from muster_text import element_roles

NO_PAGE = "about:blank"
"""Address of a tab in which nothing was opened yet."""


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ALWAYS = Offer("")
TYPING = Offer("typing", _words(r"\b(type|types|enter|fill|write)\b"), element_roles.TYPED)
KEYS = Offer("keys", _words(r"\b(press|presses|key|keys|keyboard|hit|enter|escape)\b"))
LISTS = Offer("lists", _words(r"\b(select|choose|pick|option|drop-?down)\b"), element_roles.LISTS)
FORMS = Offer("forms", _words(r"\b(checkbox|tick|untick|check(?![- ]?out)|uncheck|radio|switch|toggle|clear)\b"))
FILES = Offer("files", _words(r"\b(upload|attach|download)\b"))
POINTER = Offer(
    "pointer", _words(r"\b(hover|double[- ](?:click|tap)|right[- ]click|long[- ]press|swipe|scroll|outside)\b")
)
ADDRESSES = Offer(
    "addresses", _words(r"\b(open|opens|go to|navigate|visit|browse|address|url)\b|https?://"), view=NO_PAGE
)
SEVERAL = Offer("several", _words(r"\b(each|every|all|none|sorted|in (?:[\w-]+ ){0,2}order|ordered|first|last)\b"))
AMOUNTS = Offer("amounts", _words(r"\b(before|after|more|less|least|most|greater|above|below|higher|lower|same)\b"))
ATTRIBUTES = Offer("attributes", _words(r"\b(links?|placeholder|attribute|points? to|leads? to)\b"))
HISTORY = Offer("history", _words(r"\b(wait|reload|refresh|go back|back button)\b"))
APPS = Offer("apps", _words(r"\b(apps?|background|rotate|landscape|portrait)\b"))
TABS = Offer("tabs", _words(r"\b(tab|tabs|window)\b"))
DIALOG = Offer("dialog", _words(r"\b(dialog|alert|confirm|prompt|pop-?up)\b"))
INSPECT = Offer("inspect", view=LEFT_OUT)
SHELL = Offer("shell", _words(r"\b(command|terminal|shell|file|folder|directory|install|run|script|curl)\b"))
WEB = Offer("web", _words(r"\b(http|api|request|endpoint|web search|search the web)\b"))
WEB_CHECKS = Offer("web checks", _words(r"\b(header|json|api|response|status|request|http)\b"))
COUNTS = Offer(
    "counts",
    _words(
        r"(?<![\w$€£¥.,])\d+(?![\w.,%]|\s*[€%])|\b(two|three|four|five|six|seven|eight|nine|ten|many|number|count|no|none|least|most|only)\b"
    ),
)
STATES = Offer(
    "states",
    _words(
        r"\b(enabled|disabled|checked|unchecked|ticked|selected|pressed|expanded|collapsed|focus\w*|editable|read-?only"
        r"|required|invalid|valid|options?|choices)\b"
    ),
)
PLACES = Offer("places", _words(r"\b(title|url|address)\b"))
DIALOG_CHECKS = Offer("dialog checks", _words(r"\b(dialog|alert|prompt|pop-?up|question)\b"))
CONSOLE = Offer("console", _words(r"\b(console|exceptions?|java ?script|js)\b"))
OUTPUTS = Offer("outputs", _words(r"\b(output|prints?|printed|exits?|command|terminal|script|program)\b"))
ACCESSIBILITY = Offer("accessibility", _words(r"\b(accessib\w*|a11y|wcag|barriers?)\b"))
PACE = Offer("pace", _words(r"\b(quick\w*|fast|slow\w*|seconds?|took|takes?)\b"))
PAGE_HEALTH = Offer("page health", _words(r"\b(blank|empty page)\b"))
FILE_CHECKS = Offer("file checks", _words(r"\b(files?|download\w*|folder|directory)\b"))
"""What a model is shown where the words of a clause speak of it."""
VALUES = Offer("values", _words(r"\b(remember|note|store|save) .*(as|under)\b|\$\{"))
PEOPLE = Offer("people", _words(r"\b(ask|asks|captcha|one-time|code (?:from|in) the (?:mail|e-?mail|sms))\b"))
