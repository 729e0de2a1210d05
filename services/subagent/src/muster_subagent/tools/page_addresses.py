"""Comparing the address of a page with what a case says of it. Pure."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from muster_subagent.tools.comparisons import Match, compares

_OF_QUERIES = frozenset("?#=&")


def is_address(seen: str, said: str, match: Match, *, denied: bool = False) -> bool | None:
    """Return whether an address is as a case says; None: it depends on what the case means.

    The case may leave out the host, the slash at the end, and the query: `/login` is `http://shop.test/login/`, and
    `/login?next=/cart` ends with `/login`. The path in that query is not where the page is.

    Raises:
        ToolError: as `compares`.
    """

    def fits(addresses: Iterable[str], text: str = said, how: Match = match) -> bool:
        return any(compares(form, text, how, denied=denied) for one in addresses for form in _forms(one))

    there, is_path = fits([seen]), said.startswith("/")
    if _OF_QUERIES & set(said):
        return there
    if match == "ends" or (match == "contains" and is_path):
        here = fits(_places(seen))
        if here == there or (here and not denied):
            return here
        return False if match == "ends" and is_path and not denied else None
    if there or match != "is":
        return there
    tail = said if is_path or "://" in said else f"/{said}"
    partly = fits(_places(seen)) or (tail.strip("/") != "" and fits(_places(seen), tail, "ends"))
    return None if partly else False


def _forms(seen: str) -> Iterator[str]:
    """Yield an address as people write it: whole, and without its scheme, its host, or the slashes around its path."""
    parts = urlsplit(seen)
    path = seen.partition("://")[2].removeprefix(parts.netloc) if parts.netloc else seen
    for form in (seen, parts.netloc + path, path, path.removeprefix("/")):
        yield form
        if not parts.query and not parts.fragment:
            yield form.rstrip("#?").removesuffix("/")


def _places(seen: str) -> Iterator[str]:
    """Yield an address without its query, and without a fragment that is no path."""
    parts = urlsplit(seen)
    fragment = parts.fragment.partition("?")[0]
    yield parts._replace(query="", fragment=fragment).geturl()
    if not fragment.startswith(("/", "!")):
        yield parts._replace(query="", fragment="").geturl()
