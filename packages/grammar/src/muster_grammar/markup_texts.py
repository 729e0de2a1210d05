"""Texts in quotes that may be CSS selectors: which are, which are names on the page, and which may be either. Pure."""

import re
from typing import Literal

from muster_grammar.element_kinds import PLURALS
from muster_grammar.vocabulary import split

_TEMPLATE = re.compile(r"(?<![$#])\{[^{}]*\}|<[^<>]+>|/:[A-Za-z]\w*|/\[[A-Za-z.]\w*\]")
"""What stands for a value in an address: `{id}`, `<id>`, `:id`, `[id]`."""
_UNTOLD = re.compile(
    r"(?:^|\b[a-z]+[:,]? |\(|[+-] )(?:X{1,4}|N{1,3}) (?:[a-z]+ ){0,2}(?!is\b|was\b|has\b)[a-z]+s\b"
    r"|\b[XN]+ of [XYN]+\b|[$€£#](?:X{1,4})(?:[.,]XX)?\b"
)
"""A letter that stands for a number in a text: "You have N new messages", "X of Y", "$XX.XX"."""
_BLANK = re.compile(
    r"(?<![$#{])\{[a-z][A-Za-z_ ]{2,}\}(?!\})|\b(?:by|for|to|of|until|from|with|on|at|is) \[[A-Z][A-Za-z _]*\]"
)
_SLOT = re.compile(r"<[a-z][a-z_ -]{2,}>", re.IGNORECASE)
"""The place of a value in an outline: "<username>"."""
_FILE = re.compile(
    r"[^/:]+\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|zip|png|jpe?g|gif|svg|mp[34]|json|xml|md|log)", re.IGNORECASE
)
Looks = Literal["name", "selector", "unclear"]

SELECTORS = frozenset({"css", "xpath"})
"""Stand in place of a role where an element is found by its markup."""
_XPATH = re.compile(r"\(*/(?:/|html\b).*", re.DOTALL)
_MARKED = split("element container")
"""Nouns of markup: a selector beside them is one."""
_FIELDS = split("field input box textbox checkbox radio dropdown select")
"""Nouns of what no label begins with "#" or "." of."""
TAGGED = split("link tab option item listitem menuitem row cell heading column columnheader")
"""Nouns of what people may see called "#news"; that such a thing is not there proves nothing."""
_TAGS = (
    "h1|h2|h3|h4|h5|h6|div|span|ul|ol|li|td|tr|th|tbody|thead|tfoot|img|svg|iframe|textarea|input|p|a|nav|html|body|"
    "fieldset"
)
_WORDS = (
    "button|form|table|header|footer|main|section|article|aside|label|select|option|link|code|pre|video|audio|canvas"
)
"""Tags that are English words: alone, one may be the name of a thing."""
_START = re.compile(r"(?:#[A-Za-z_]|\.[a-z_])[\w-]*(?:[ .#>:\[+~,].*)?", re.DOTALL)
"""A text of the page may begin so as well: "#general", ".gitignore"."""
_SURE = re.compile(
    r"\.[a-z]\w*[-_\d].*|(?:#[A-Za-z_]|\.[a-z_])[\w-]*(?:[.#:\[]|\s*[>+~]\s*| [.#])[\w.#\"'].*"
    rf"|(?:{_TAGS}|{_WORDS})(?:#[\w-]|[#.:\w -]*\[).*|[A-Za-z][\w-]*\[[^\]]+=[^\]]*\].*|\(*//.+",
    re.DOTALL,
)
_LIKE_TAG = re.compile(rf"(?:{_TAGS}|{_WORDS})[#.:\[ >][\w.#>: *].*", re.DOTALL)
"""Beside another noun it may be the name of a file: "a.jpg"."""
_FIELD_CLASS = re.compile(r"(?:input|select|textarea|button|div|span|form)\.[\w-]+")
"""No label of a field is written so; elsewhere it may be the name of a file."""
_INLINE = "b|i|u|s|em|strong|small|br|hr|sub|sup|script|style"
_TAG = re.compile(_TAGS)
_WORD = re.compile(_WORDS)
_TAGGED = re.compile(rf"(?:{_TAGS}|{_WORDS}) .*", re.DOTALL)
"""A tag and a blank: "form fields" is a name, "form .field" a selector."""


def looks_of(text: str, noun: str = "element") -> Looks:
    """Return what a text in quotes beside the noun of a kind is; alone it is as beside "element"."""
    noun = PLURALS.get(noun, noun)
    if _SURE.fullmatch(text) or (noun in _MARKED and _LIKE_TAG.fullmatch(text) and not _is_name_of_words(text)):
        return "selector"
    if noun in _FIELDS and _FIELD_CLASS.fullmatch(text):
        return "selector"
    if _START.fullmatch(text):
        return "selector" if noun in _MARKED | _FIELDS else "unclear"
    if noun in _MARKED and _TAG.fullmatch(text):
        return "selector"
    return "unclear" if noun in _MARKED and _WORD.fullmatch(text) else "name"


def markup_role(selector: str) -> str:
    """Return the role that marks what a selector points at: "xpath" or "css"."""
    return "xpath" if _XPATH.match(selector) else "css"


def is_template(url: str) -> bool:
    """Return whether a part of an address stands for a value: `/users/{id}`, `/users/:id`, `/[locale]/users`.

    A query may hold braces of its own.
    """
    return bool(_TEMPLATE.search(re.split(r"[?#]", url, maxsplit=1)[0]))


def is_file(text: str) -> bool:
    """Return whether a text is the name of a file in no folder, and no address: "report.pdf" opens by a click."""
    return bool(_FILE.fullmatch(text))


_FOREIGN = re.compile(r"\{\{ ?[A-Za-z_]\w* ?\}\}")


def leaves_number_open(text: str) -> bool:
    """Return whether a letter in a text stands for a number: no page says "X items"."""
    return bool(_UNTOLD.search(text))


def leaves_value_open(text: str) -> bool:
    """Return whether a part of a text stands for what a page shows there: "{name} was saved", "<name>", "by [NAME]"."""
    slots = [] if "</" in text else _SLOT.findall(text)
    if _FOREIGN.fullmatch(text):
        return True  # a variable as other tools write it
    return bool(_BLANK.search(text)) or any(not re.fullmatch(rf"<(?:{_TAGS}|{_INLINE})>", slot) for slot in slots)


def is_unclear(text: str) -> bool:
    """Return whether a text in quotes may be the one or the other, beside whatever noun."""
    return looks_of(text, "") == "unclear"


def _is_name_of_words(text: str) -> bool:
    nested = any(_TAG.fullmatch(word) for word in text.split()[1:] if word not in ("a", "p"))
    return bool(_TAGGED.fullmatch(text)) and not (nested or re.search(r"[.#>:\[*]", text))


def is_like_selector(text: str, noun: str = "element") -> bool:
    """Return whether a text in quotes is or may be meant as a selector (CSS is written `css=…`) and not as a name."""
    return looks_of(text, noun) != "name"
