"""Reads typed lines with history and completion, or the lines of a file or pipe."""

import asyncio
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory


async def typed_lines(prompt: str, sentences: Callable[[], Iterable[str]]) -> AsyncGenerator[str]:
    """Yield what is typed, line by line, up to Ctrl-D or Ctrl-C; `sentences` are proposed where a line begins so."""
    if not sys.stdin.isatty():
        async for line in _piped():
            yield line
        return
    session = PromptSession[str](history=InMemoryHistory(), completer=_Sentences(sentences))
    while True:
        try:
            yield await session.prompt_async(prompt, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            return


async def _piped() -> AsyncGenerator[str]:
    """Yield the lines of stdin; a thread reads them, for a file cannot be waited for, and a pipe may never end."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str]()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is gone, and nobody waits any longer
            for line in sys.stdin:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, "")

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while line := await lines.get():
        yield line.rstrip("\r\n")


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
