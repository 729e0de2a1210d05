"""Scripts for pages with frames: each locator is searched in the page, then in its frames. Pure."""

from msgspec import Struct

from muster_authoring.exporting.script_parts import (
    PAGE,
    Called,
    Chain,
    Claim,
    Do,
    Download,
    Finder,
    Keep,
    Script,
    Statement,
    Value,
    helper,
)

_LOCATING = frozenset({"locator", "filter", "or_", "first", "last", "nth"})
"""What goes on from one locator to another; `get_by_…` does as well."""
_PARTS = frozenset({"having", "inside", "labelled", "part_of"})
"""Helpers that give a locator."""


class Split(Struct, frozen=True):
    """An expression, cut behind what finds an element."""

    found: Chain
    rest: tuple[Called, ...]


def in_frames(script: Script) -> Script:
    """Return a script that looks for its elements in frames as well."""
    return script._replace(statements=tuple(map(_statement, script.statements)))


def _statement(statement: Statement) -> Statement:
    match statement:
        case Claim(subject=subject, matcher=Called(name="to_have_count") as matcher) if cut := split(subject):
            counted = helper("expect_count", PAGE, Finder(cut.found), *matcher.arguments, **matcher.options)
            return Do(counted, acts=False)
        case Claim(subject=subject, matcher=matcher):
            return statement._replace(subject=_framed(subject, matcher.options.get("timeout")))
        case Do(chain=chain) | Keep(chain=chain) | Download(chain=chain):
            return statement._replace(chain=_framed(chain))
        case _:
            return statement


def _framed(chain: Chain, timeout: Value | None = None) -> Chain:
    options: dict[str, Value] = {"timeout": timeout} if timeout is not None else {}
    cut = split(chain)
    if cut is not None:
        return Chain("", (Called("framed", (PAGE, Finder(cut.found)), options), *map(_called, cut.rest)))
    return chain._replace(calls=tuple(map(_called, chain.calls)))


def _called(call: Called) -> Called:
    """Return a call whose arguments, where they are locators, are looked for in frames."""
    at_once = 0 if call.name == "dismiss_if_shown" else None
    return call._replace(
        arguments=tuple(_framed(it, at_once) if isinstance(it, Chain) and it != PAGE else it for it in call.arguments)
    )


def split(chain: Chain) -> Split | None:
    """Return an expression cut behind what finds an element, or None if it finds none."""
    first = chain.calls[0] if chain.calls else None
    begins = first is not None and (
        (chain.root == "page" and _locates(first)) or (not chain.root and first.name in _PARTS)
    )
    if not begins:
        return None
    end = next((n for n, call in enumerate(chain.calls) if n and not _locates(call)), len(chain.calls))
    return Split(chain._replace(calls=chain.calls[:end]), chain.calls[end:])


def _locates(call: Called) -> bool:
    return call.name in _LOCATING or call.name.startswith("get_by_")
