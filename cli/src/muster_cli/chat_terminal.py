"""A conversation on the terminal: what is typed goes to it, what happens in it is printed."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import aclosing

import click
from rich.console import Console
from rich.text import Text

from muster_bus import Bus
from muster_cli.app import tell
from muster_cli.run_follower import entries_of, lines_of
from muster_cli.typed_lines import typed_lines
from muster_client.conversations import build_message, build_stop
from muster_client.runs import send_control
from muster_protocol.control import Answer
from muster_views.chat_view import ChatEvent, events_of, line_event
from muster_views.texts import strip_controls, to_one_line

LONGEST_LINE = 160
"""Characters that are shown of a call or of what came of it."""
LONGEST_REASON = 600
"""Characters that are shown of why there is no answer: what to do about it comes last."""
PROMPT = "> "
MORE = "  │ "
"""Before the further lines of what an agent says, so that none can pass for a call, a question or an answer."""


class ChatTerminal:
    """One conversation; Ctrl-C stops the answer in progress, and leaves if there is none."""

    def __init__(self, bus: Bus, run: str, agent: str, shown: Console, by: str) -> None:
        self._bus, self._run, self._agent, self._console, self._by = bus, run, agent, shown, by
        self._own: set[str] = set()
        """Ids of messages that were typed here."""
        self._unseen: set[str] = set()
        """Those that are not in the log yet."""
        self._answering = ""
        self._waiting = 0
        """Messages without an answer."""
        self._question = ""
        self._heard_own = False
        self.unanswered = 0
        """Answers that failed since a message was typed here; before that, the conversation's past is shown."""
        self._idle = asyncio.Event()
        self._over = asyncio.Event()

    async def talk(self) -> None:
        """Carry lines and events back and forth until the lines end and all is answered, or the conversation ends.

        Raises:
            RunGone: the conversation is stored nowhere any more.
        """
        work = asyncio.current_task()
        assert work is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupt, work)
        self._idle.set()
        showing = [asyncio.create_task(self._show(events)) for events in (self._entries(), self._lines())]
        typing, over = asyncio.create_task(self._type()), asyncio.create_task(self._over.wait())
        try:
            await asyncio.wait([typing, over, *showing], return_when=asyncio.FIRST_COMPLETED)
            for ended in (task for task in (typing, *showing) if task.done()):
                ended.result()
        finally:
            for task in (typing, over, *showing):
                task.cancel()
            await asyncio.wait([typing, over, *showing])

    def _interrupt(self, work: asyncio.Task[object]) -> None:
        if not self._answering:
            work.cancel()
            return
        node, self._answering = self._answering, ""
        self._console.print(Text("stopping; Ctrl-C again leaves", style="dim"))
        self._stopping = asyncio.create_task(send_control(self._bus, self._run, build_stop(node, self._by)))

    async def _type(self) -> None:
        """Send each line: as the answer to an open question, else as a message; wait for what comes of it."""
        async with aclosing(typed_lines(PROMPT, lambda: ())) as lines:
            async for line in lines:
                if not (text := line.strip()):
                    continue
                self._idle.clear()
                if self._question:
                    question, self._question = self._question, ""
                    answer = Answer(id=f"answer-{question}", question=question, text=text, by=self._by)
                    await send_control(self._bus, self._run, answer)
                else:
                    message = build_message(text, by=self._by)
                    self._own.add(message.id)
                    self._unseen.add(message.id)
                    await send_control(self._bus, self._run, message)
                await self._idle.wait()

    async def _entries(self) -> AsyncGenerator[ChatEvent]:
        async with aclosing(entries_of(self._bus, self._run)) as entries:
            async for entry in entries:
                for event in events_of(entry):
                    yield event

    async def _lines(self) -> AsyncGenerator[ChatEvent]:
        async with aclosing(lines_of(self._bus, self._run)) as records:
            async for _, record in records:
                if (event := line_event(record)) is not None:
                    yield event

    async def _show(self, events: AsyncGenerator[ChatEvent]) -> None:
        async with aclosing(events):
            async for event in events:
                self._apply(event)

    def _apply(self, event: ChatEvent) -> None:
        """Print an event, and remember what it means for the next line that is typed."""
        for text in describe_event(event, self._agent, echo=event.id not in self._own):
            self._console.print(text)
        if event.type == "thinking" and event.node:
            self._answering = event.node
        elif event.asks:
            self._question, self._answering = event.id, ""
            self._idle.set()
        elif event.type == "session_ended":
            self._over.set()
        elif event.type == "message" and event.by == "person" and not event.node:
            self._heard_own = self._heard_own or event.id in self._own
            self._unseen.discard(event.id)
            self._waiting += 1
        elif event.type == "error" or (event.type == "message" and event.by == "agent"):
            self.unanswered += self._heard_own and event.type == "error"
            self._waiting, self._answering = max(0, self._waiting - 1), ""
            if not self._waiting and not self._unseen:
                self._idle.set()


def describe_event(event: ChatEvent, agent: str, *, echo: bool) -> tuple[Text, ...]:
    """Return the lines for an event; `echo`: also for what a person wrote. Pure."""
    one = to_one_line(event.text, LONGEST_LINE)
    match event.type:
        case "message" if event.by == "person":
            return (Text(f"{PROMPT}{strip_controls(event.text)}", style="dim"),) if echo else ()
        case "message" if event.stopped:
            return (Text("(stopped)", style="dim"),)
        case "message":
            said = strip_controls(event.text).replace("\n", f"\n{MORE}")
            lines = (Text(f"{agent}: ", style="bold").append(said, style="not bold"),)
            return (*lines, Text("type yes or no", style="yellow")) if event.asks else lines
        case "tool_call":
            return (Text(f"  · {one}", style="dim"),)
        case "tool_result" if event.status != "ok":
            return (Text(f"    {one}", style="red"),)
        case "skill_loaded" | "skill_unloaded":
            return (Text(f"  · {one}", style="cyan"),)
        case "error":
            return (Text(f"no answer: {to_one_line(event.text, LONGEST_REASON)}", style="red"),)
        case "session_ended":
            return (Text(f"the conversation has ended: {one}", style="dim"),)
        case _:
            return ()


def tell_how_to_return(run: str) -> None:
    """Say how to go on with a conversation."""
    tell(f"go on: muster chat {run}    delete it: muster cancel {run}")


def hint() -> None:
    """Say how to use the terminal."""
    click.echo("Ask about runs and tests, or have them run. Ctrl-C stops an answer, Ctrl-D leaves.", err=True)
