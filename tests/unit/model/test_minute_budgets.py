"""A budget a minute: never more than it in any minute, in the order of asking, and no wait where there is room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_model.minute_budgets import BURST_SECONDS, MINUTE, MinuteBudget, correct, take_place
from muster_protocol.model_pace import PaceRow

NOW = 1_000_000.0
BUDGETS = st.builds(MinuteBudget, requests=st.integers(0, 300), tokens=st.just(0) | st.integers(1_000, 200_000))
ASKED = st.lists(st.tuples(st.floats(0, 20), st.integers(0, 30_000)), min_size=1, max_size=60)
"""Seconds since the request before, and tokens."""


def starts(budget: MinuteBudget, asked: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return when each request may be sent, with its tokens."""
    row, now, found = PaceRow(), NOW, list[tuple[float, int]]()
    for gap, tokens in asked:
        now += gap
        place = take_place(row, budget, now, tokens)
        assert place.start >= now
        assert (place.by == "none") == (place.start == now)
        row = place.row
        found.append((place.start, tokens))
    return found


@given(BUDGETS, ASKED)
def test_no_minute_has_more_than_the_budget_and_nobody_is_overtaken(
    budget: MinuteBudget, asked: list[tuple[float, int]]
):
    sent = starts(budget, asked)

    assert sent == sorted(sent, key=lambda it: it[0])
    for index, (first, _) in enumerate(sent):
        within = [tokens for start, tokens in sent[index:] if start < first + MINUTE - 0.001]
        assert not budget.requests or len(within) <= budget.requests
        assert not budget.tokens or sum(within[:-1]) <= budget.tokens


@given(ASKED)
def test_without_a_limit_nothing_waits(asked: list[tuple[float, int]]):
    now = NOW
    for (gap, _), (start, _) in zip(asked, starts(MinuteBudget(), asked), strict=True):
        now += gap
        assert start == now


@given(st.integers(1, 300))
def test_a_steady_user_gets_nearly_the_whole_budget(requests: int):
    [*_, (last, _)] = starts(MinuteBudget(requests=requests), [(0.0, 0)] * (requests * 10))

    assert (last - NOW) <= 10 * (MINUTE + BURST_SECONDS)


def test_a_place_that_is_given_up_is_given_to_the_next_one_and_more_tokens_are_made_up_for():
    budget = MinuteBudget(requests=6, tokens=6_000)
    row = take_place(take_place(PaceRow(), budget, NOW, 500).row, budget, NOW, 500).row
    last = take_place(row, budget, NOW, 500)
    given_up = take_place(correct(last.row, budget, NOW, requests=-1, tokens=-500), budget, NOW, 500)
    dearer = take_place(correct(row, budget, NOW, tokens=3_000), budget, NOW, 500)

    assert given_up.start == pytest.approx(last.start)
    assert (dearer.by, dearer.start > last.start + 20) == ("tokens", True)
