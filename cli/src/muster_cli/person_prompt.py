"""Asks the runs' questions on the terminal, or says how else to answer them."""

import asyncio
import os
import sys
import termios
from collections.abc import Mapping
from typing import NamedTuple

from nats.errors import Error as NatsError
from rich.text import Text

from muster_bus import Bus
from muster_bus.connection import without_password
from muster_cli.app import tell
from muster_cli.display import Display
from muster_cli.progress import Progress
from muster_client.runs import send_control
from muster_client.steering import OpenQuestion
from muster_protocol.control import Answer
from muster_protocol.errors import BusError
from muster_views.texts import strip_controls, to_one_line

LONGEST = 65_536


class _Asked(NamedTuple):
    run: str
    question: OpenQuestion


class QuestionPrompt:
    """The questions of a command's runs, prompted one after another; `runs` are by id."""

    def __init__(self, bus: Bus, runs: Mapping[str, Progress], display: Display) -> None:
        self._bus, self._runs, self._display = bus, runs, display
        self._terminal = _find_terminal()
        self._seen: set[str] = set()
        self._waiting: asyncio.Queue[_Asked] = asyncio.Queue()
        self._current: _Asked | None = None
        self._prompt: asyncio.Task[None] | None = None

    def update(self, run: Progress) -> None:
        """Queue the new questions of a run; a prompt whose question was answered elsewhere is withdrawn."""
        for question in run.history.questions:
            if question.id not in self._seen:
                self._seen.add(question.id)
                self._waiting.put_nowait(_Asked(run.run, question))
        if self._prompt and self._current and not self._is_open(self._current):
            self._prompt.cancel()

    async def work(self) -> None:
        """Prompt for questions until cancelled."""
        while True:
            asked = self._current = await self._waiting.get()
            if not self._is_open(asked):
                continue
            self._prompt = asyncio.create_task(self._prompt_for(asked))
            try:
                await asyncio.wait({self._prompt})
            finally:
                self._prompt.cancel()

    def _is_open(self, asked: _Asked) -> bool:
        questions = self._runs[asked.run].history.questions
        return any(question.id == asked.question.id for question in questions)

    async def _prompt_for(self, asked: _Asked) -> None:
        label, text = self._runs[asked.run].label, asked.question.text
        with self._display.pause() as console:
            if self._terminal is None:
                tell(f"muster: {to_one_line(label)} asks: {to_one_line(text)}\n  answer with: {self._command(asked)}")
                return
            termios.tcflush(self._terminal, termios.TCIFLUSH)  # keys pressed before the question answer nothing
            console.print(Text(f"{to_one_line(label)} asks: {strip_controls(text)}", style="bold yellow"))
            answer = ""
            while not answer:
                console.print("answer> ", end="")
                line = await read_line(self._terminal)
                if not line:
                    self._terminal = None
                    tell(f"\n  answer with: {self._command(asked)}")
                    return
                answer = line.strip()
            await self._answer(asked, answer)

    async def _answer(self, asked: _Asked, text: str) -> None:
        control = Answer(id=f"answer-{asked.question.id}", question=asked.question.id, text=text, by="muster")
        try:
            await send_control(self._bus, asked.run, control)
        except (BusError, NatsError) as error:
            tell(f"muster: the answer was not stored ({error}); answer with: {self._command(asked)}")

    def _command(self, asked: _Asked) -> str:
        several = len(self._runs[asked.run].history.questions) > 1
        question = f" --question {asked.question.id}" if several else ""
        return f'muster answer {asked.run} "…"{question} --nats {without_password(self._bus.settings.nats_url)}'


def _find_terminal() -> int | None:
    """Return the descriptor of the terminal that a person types into; None if stdin is none, or is not ours to read."""
    try:
        number = sys.stdin.fileno()
        return number if os.isatty(number) and os.tcgetpgrp(number) == os.getpgrp() else None
    except (OSError, ValueError, AttributeError):  # closed, or replaced by something that is no file
        return None


async def read_line(terminal: int) -> str:
    """Return the next line typed, with its end; empty if the person ended the input (Ctrl-D)."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(terminal, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(terminal)
    return os.read(terminal, LONGEST).decode(errors="replace")
