"""Reads typed lines with history and completion, or the lines of a file or pipe."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from muster_cli.standard_input import endable_input, input_lines, is_typed
from muster_protocol.errors import InvalidRequest

READER_SECONDS = 5.0
"""For the thread that reads to see the end of its input; where that cannot be ended, it may stay."""


async def typed_lines(prompt: str, sentences: Callable[[], Iterable[str]]) -> AsyncGenerator[str]:
    """Yield what is typed, line by line, up to Ctrl-D or Ctrl-C; `sentences` are proposed where a line begins so.

    What is pasted comes as one text, which may have several lines.

    Raises:
        InvalidRequest: what comes from a file or pipe is not UTF-8 text.
    """
    if not is_typed():
        async for line in _piped():
            yield line
        return
    session = PromptSession[str](history=InMemoryHistory(), completer=_Sentences(sentences))
    while True:
        try:
            text = await session.prompt_async(prompt, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            return
        yield text.encode(errors="surrogateescape").decode(errors="replace")  # of a terminal that is not set to UTF-8


async def _piped() -> AsyncGenerator[str]:
    """Yield the lines of stdin; a thread reads them, for a file cannot be waited for, and a pipe may never end."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str | InvalidRequest | None]()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is gone, and nobody waits any longer
            end = None
            try:
                for line in input_lines():
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            except InvalidRequest as error:
                end = error
            loop.call_soon_threadsafe(lines.put_nowait, end)

    reading = threading.Thread(target=read, name="lines", daemon=True)
    with endable_input() as end_input:
        reading.start()
        try:
            while isinstance(line := await lines.get(), str):
                yield line
        finally:
            end_input()
            reading.join(READER_SECONDS)  # one that reads while Python ends aborts it
    if line is not None:
        raise line


class _Sentences(Completer):
    """Completes lines with sentences that begin with them."""

    def __init__(self, sentences: Callable[[], Iterable[str]]) -> None:
        self._sentences = sentences

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the sentences, each once."""
        begun = document.text_before_cursor.lstrip()
        for text in dict.fromkeys(self._sentences()):
            if begun and text.lower().startswith(begun.lower()) and "\n" not in text:
                yield Completion(text, start_position=-len(begun))
