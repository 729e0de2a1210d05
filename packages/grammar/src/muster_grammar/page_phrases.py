"""Phrases for which page it is: its title, address and name."""

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.markup_texts import is_template
from muster_grammar.pattern_parameters import Comparison


def _title(comparison: Comparison, text: str) -> Calls:
    return (call("check_title", title=text, **comparison.arguments()),)


def _title_shows(text: str) -> Calls:
    return _title(Comparison("contains", negate=False), text)


def _titled(text: str) -> Calls:
    return _title(Comparison("is", negate=False), text)


def _url(comparison: Comparison, text: str) -> Calls:
    """Refuse an address with a placeholder such as `{id}`, whose value nobody gave; patterns may hold braces."""
    if comparison.match != "matches" and is_template(text):
        return ()
    return (call("check_url", url=text, **comparison.arguments()),)


def _in_url(text: str) -> Calls:
    return _url(Comparison("contains", negate=False), text)


def _on_page(url: str) -> Calls:
    """Compare the end of the address, but for the slash alone, with which many addresses end."""
    if is_template(url):
        return ()
    return (call("check_url", url=url) if url == "/" else call("check_url", url=url, match="ends"),)


def _at_address(text: str) -> Calls:
    """What is called an address is one: a part of one alone is its end."""
    return _on_page(text if may_be_address(text) else f"/{text}") if text else ()


def _named_page(name: str) -> Calls:
    """What may be an address is one."""
    return () if may_be_address(name) or name.isdecimal() else (call("check_page", name=name),)


def _in_title(text: str) -> Calls:
    return (call("check_title", title=text, match="contains"),)


def may_be_address(text: str) -> bool:
    """Return whether a text in quotes can be an address rather than the name of a page."""
    return text.startswith(("/", "${")) or "://" in text


PAGES: tuple[Phrase, ...] = (
    expectation(
        "The page title {compare} {text}",
        build=_title,
        description="Compares the title of the page.",
        examples=(
            'The page title is "Demo shop"',
            'The title should be "Demo shop"',
            "The title of the page contains 'shop'",
            'The page title does not start with "Error"',
        ),
    ),
    expectation(
        "The page title shows {text}",
        build=_title_shows,
        description="The title of the page contains a text.",
        examples=('The page title shows "Cart"',),
    ),
    expectation(
        "The page is titled {text}",
        "The page title read {text}",
        "The page shows page title as {text}",
        "The page shows page title {text}",
        "The page shows page titled {text}",
        "The page shows {text} as page title",
        build=_titled,
        description="Compares the title of the page.",
        examples=('The page is titled "Cart"',),
    ),
    expectation(
        "The page shows {text} in URL",
        "The URL shows {text}",
        build=_in_url,
        description="Checks that the address of the page contains a text.",
        examples=('I see "orders" in the address bar',),
    ),
    expectation(
        "The URL {compare} {text}",
        "Path {compare} {text}",
        build=_url,
        description="Compares the address of the page.",
        examples=(
            'The URL is "${base_url}/cart"',
            'The current URL contains "/cart"',
            'The URL ends with "/cart"',
            'The page address must not contain "error"',
        ),
    ),
    expectation(
        "{quoted} is in/inside URL",
        "{quoted} is part of URL",
        build=_in_url,
        description="Checks that the address of the page contains a text.",
        examples=('"orders" is in the URL',),
    ),
    expectation(
        "(Text) {quoted} is in/inside page title",
        "{quoted} is part of page title",
        build=_in_title,
        description="Checks that the title of the page contains a text.",
        examples=('"Orders" is part of the page title',),
    ),
    expectation(
        "I am on {url}",
        "The page {url} is opened/loaded/open",
        "The page {url} opens/loads",
        build=_on_page,
        description="Compares the end of the address of the page; a query may follow it.",
        examples=('I am on "${base_url}/login"', 'The user is redirected to the "/cart" page'),
    ),
    expectation(
        "I am on the url/path/address {quoted}",
        build=_at_address,
        description="Compares the end of the address of the page.",
        examples=('The user is at the URL "checkout"',),
    ),
    expectation(
        "I am on the {text} page",
        "I am on the page {text}",
        "The page shows the page {text}",
        "The page shows the {text} page",
        "I am on the {text} step/view",
        "I am on step/view {text}",
        "I am on the page named/called/titled {text}",
        "The {text} page is visible",
        "The page {text} is visible",
        "The {text} page is opened/loaded/open",
        "The {text} page opens/loads",
        "The page {text} is opened/loaded/open",
        "The page {text} opens/loads",
        build=_named_page,
        description="The page has this name: in its title, or as a heading.",
        examples=('I am on the "Checkout" page', 'The user is redirected to the "Home" page', 'The "Login" page opens'),
    ),
)
