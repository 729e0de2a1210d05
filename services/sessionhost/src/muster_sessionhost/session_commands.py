"""Commands by call id: each is run once, whoever asks for it and however often."""

import asyncio
import time
from collections.abc import Callable

from msgspec.structs import replace

from muster_protocol.session_requests import Exec
from muster_protocol.session_responses import CommandOutput, ExecDone
from muster_sessionhost.command_output import Capture, last_part
from muster_sessionhost.shell_process import Order, Shell, Stream
from muster_text.redaction import Redactor

BATCH_SECONDS = 0.05
KEPT_WHOLE = 32
"""Results kept in full; a reply is asked for again within seconds, so older ones keep their ends only."""
KEPT_CHARACTERS = 2000

Tell = Callable[[CommandOutput], None]


class Commands:
    """The commands of one session, by call id."""

    def __init__(self, shell: Shell, tell: Tell, output_limit: int) -> None:
        self._shell, self._tell, self._limit = shell, tell, output_limit
        self._asked: dict[str, asyncio.Task[ExecDone]] = {}
        self.last: ExecDone | None = None

    async def run(self, asked: Exec, redactor: Redactor) -> asyncio.Future[ExecDone]:
        """Start the command, unless its call id is known; return what waits for its end.

        Raises:
            ValueError: the command cannot be run.
            ShellDied: the session's shell could not start it.
        """
        if (known := self._asked.get(asked.call)) is not None:
            return asyncio.shield(known)
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        task = self._asked[asked.call] = asyncio.create_task(self._carry_out(asked, redactor, started))
        await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            del self._asked[asked.call]  # nothing was started, so asking again may try again
        return asyncio.shield(task)

    def end(self) -> None:
        """Give up on the commands that still run."""
        for task in self._asked.values():
            task.cancel()

    async def _carry_out(self, asked: Exec, redactor: Redactor, started: "asyncio.Future[None]") -> ExecDone:
        began = time.monotonic()
        output = _Output(asked.call, self._tell, self._limit, redactor)
        order = Order(asked.command, asked.timeout_seconds, asked.background, asked.secrets)
        ending = await self._shell.start(order, output.add)
        started.set_result(None)
        ended = await ending
        if not asked.background:
            output.finish()
        done = ExecDone(
            exit_code=ended.exit_code,
            stdout=output.text("stdout"),
            stderr=output.text("stderr"),
            timed_out=ended.timed_out,
            truncated=output.truncated,
            pid=ended.pid,
            seconds=round(time.monotonic() - began, 3),
            unreached=tuple(replace(each, why=redactor.mask(each.why)) for each in ended.unreached),
        )
        self.last = done
        self._forget_long_ones()
        return done

    def _forget_long_ones(self) -> None:
        for call, task in list(self._asked.items())[:-KEPT_WHOLE]:
            if task.done() and not task.cancelled() and task.exception() is None:
                short = shortened(task.result())
                if short is not task.result():
                    self._asked[call] = asyncio.create_task(_known(short))


async def _known(result: ExecDone) -> ExecDone:
    return result


def shortened(done: ExecDone) -> ExecDone:
    """Return the result with the ends of long outputs alone. Pure."""
    if max(len(done.stdout), len(done.stderr)) <= 2 * KEPT_CHARACTERS:  # or it would be shortened again and again
        return done
    out, err = (last_part(text, KEPT_CHARACTERS) for text in (done.stdout, done.stderr))
    return replace(done, stdout=out, stderr=err, truncated=True)


class _Output:
    """Both output streams of a command: kept within the limit, and told in batches while it runs."""

    def __init__(self, call: str, tell: Tell, limit: int, redactor: Redactor) -> None:
        self._call, self._tell = call, tell
        self._streams: dict[Stream, Capture] = {"stdout": Capture(limit, redactor), "stderr": Capture(limit, redactor)}
        self._untold: list[tuple[Stream, str]] = []
        self._timer: asyncio.TimerHandle | None = None

    def add(self, stream: Stream, data: bytes) -> None:
        self._say(stream, self._streams[stream].feed(data))

    def finish(self) -> None:
        for stream, capture in self._streams.items():
            self._say(stream, capture.feed(b"", last=True))
        self._flush()

    def text(self, stream: Stream) -> str:
        return self._streams[stream].text()

    @property
    def truncated(self) -> bool:
        return any(capture.truncated for capture in self._streams.values())

    def _say(self, stream: Stream, text: str) -> None:
        if not text:
            return
        if self._untold and self._untold[-1][0] == stream:
            self._untold[-1] = (stream, self._untold[-1][1] + text)
        else:
            self._untold.append((stream, text))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for stream, text in self._untold:
            self._tell(CommandOutput(call=self._call, stream=stream, text=text))
        self._untold.clear()
