"""What a sentence that is tried is taken for: a step, or what must be so after the step before it."""

import asyncio
from typing import cast

import pytest

from muster_authoring.phrase_book import PhraseBook
from muster_cli.live_session import LiveSession, Performed
from muster_cli.sentence_trial import Trial
from muster_protocol.tasks import SubTaskResult


class _Session:
    """Does whatever it is told, and notes it."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.told: list[str] = []

    async def act(self, text: str) -> Performed:
        return self._done(f"act: {text}")

    async def expect(self, text: str) -> Performed:
        return self._done(f"expect: {text}")

    def _done(self, told: str) -> Performed:
        self.told.append(told)
        return Performed(
            SubTaskResult(task="t", node="n", attempt=1, status="pass", summary="", source="phrase"), calls=()
        )


def _told(*sentences: str) -> list[str]:
    session = _Session()
    trial = Trial(cast("LiveSession", session), PhraseBook(()), {}, lambda _text: None)
    for sentence in sentences:
        asyncio.run(trial.take(sentence))
    return session.told


@pytest.mark.parametrize(
    "sentence", ['The user is on the "/cart" page', 'I am on the "Cart" page', "The user is on the cart page"]
)
def test_where_somebody_is_comes_before_the_first_step_and_must_be_so_after_one(sentence: str):
    assert _told(sentence) == [f"act: {sentence}"]
    assert _told('Click "Cart"', sentence) == ['act: Click "Cart"', f"expect: {sentence}"]


def test_a_step_is_one_wherever_it_stands():
    assert _told('Click "A"', 'Check that "B" is visible') == ['act: Click "A"', 'act: Check that "B" is visible']
    assert _told('Click "A"', '"B" is visible', "Frobnicate") == [
        'act: Click "A"',
        'expect: "B" is visible',
        "act: Frobnicate",
    ]
