"""Of several tabs, steps or links one says that it is the chosen one, and one is drawn so."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

STYLE = "<style>.on {font-weight: bold; border-bottom: 3px solid blue} [role=tab] {background: #eee} li {display: inline}</style>"


def tabs(*, said: int, drawn: int) -> str:
    """Return three tabs: one says that it is selected, one is drawn so."""
    names = ("News", "Sport", "Weather")
    made = (
        f"<button role=tab aria-selected={str(at == said).lower()} class={'on' if at == drawn else 'off'}>{name}</button>"
        for at, name in enumerate(names)
    )
    return f"{STYLE}<div role=tablist>{''.join(made)}</div>"


def steps(*, said: int, drawn: int) -> str:
    """Return three steps: one says that it is the current one, one is drawn so."""
    names = ("Cart", "Payment", "Done")
    made = (
        f"<li {'aria-current=step' if at == said else ''}><b class={'on' if at == drawn else 'off'} style='font-size:1em'>{name}</b>"
        for at, name in enumerate(names)
    )
    return f"<style>.off {{font-weight: normal}} .on {{color: blue}}</style><ol>{''.join(made)}</ol>"


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        (tabs(said=1, drawn=1), 'The "Sport" tab is selected', 'The "News" tab is selected'),
        (tabs(said=1, drawn=-1), 'The "Sport" tab is selected', 'The "News" tab is selected'),
        (steps(said=0, drawn=0), 'The "Cart" step is active', 'The "Payment" step is active'),
    ],
)
async def test_what_is_drawn_as_it_says_is_judged(look: User, site: Site, page: str, true: str, false: str) -> None:
    await look.open(site.page(page))
    [call] = parse_expectation(true)
    await look.ok(call.tool, **call.arguments)
    [call] = parse_expectation(false)
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        (tabs(said=1, drawn=0), 'The "Sport" tab is selected'),
        (tabs(said=1, drawn=0), 'The "News" tab is not selected'),
        (tabs(said=1, drawn=0), 'The "News" tab is selected'),
        (steps(said=0, drawn=1), 'The "Cart" step is active'),
    ],
)
async def test_what_is_drawn_otherwise_is_not(look: User, site: Site, page: str, claim: str) -> None:
    await look.open(site.page(page))
    [call] = parse_expectation(claim)
    assert (await look.bad(call.tool, **call.arguments)).failure == Failure.TARGET_UNCLEAR
