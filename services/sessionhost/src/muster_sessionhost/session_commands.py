"""Commands by call id: each runs once, however often it is requested."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from muster_protocol.session_requests import Exec
from muster_protocol.session_responses import CommandOutput, ExecDone
from muster_sessionhost.command_output import Capture, keep_end
from muster_sessionhost.machine_limits import full_disk
from muster_sessionhost.shell_process import Order, Shell, Stream
from muster_text.redaction import Redactor

BATCH_SECONDS = 0.05
KEPT_WHOLE = 32
"""Results kept in full. Workers repeat a lost request within seconds, so older results keep only their ends."""
KEPT_CHARACTERS = 2000

PublishOutput = Callable[[CommandOutput], None]


class Commands:
    """The commands of one session, by call id."""

    def __init__(self, shell: Shell, publish: PublishOutput, output_limit: int, folder: Path) -> None:
        """`output_limit`: characters to keep of each output stream; `folder`: where commands write files."""
        self._shell, self._publish, self._limit, self._folder = shell, publish, output_limit, folder
        self._tasks: dict[str, asyncio.Task[ExecDone]] = {}
        self.last: ExecDone | None = None

    async def run(self, asked: Exec, redactor: Redactor) -> asyncio.Future[ExecDone]:
        """Start the command unless its call id is known; return a future of its result.

        Raises:
            ValueError: the command is invalid.
            ShellDied: the session's shell could not start it.
        """
        if (known := self._tasks.get(asked.call)) is not None:
            return asyncio.shield(known)
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        task = self._tasks[asked.call] = asyncio.create_task(self._carry_out(asked, redactor, started))
        await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            del self._tasks[asked.call]  # nothing was started, so a repeated request may try again
        return asyncio.shield(task)

    def end(self) -> None:
        """Stop waiting for the commands that still run."""
        for task in self._tasks.values():
            task.cancel()

    async def _carry_out(self, asked: Exec, redactor: Redactor, started: "asyncio.Future[None]") -> ExecDone:
        began = time.monotonic()
        output = _Output(asked.call, self._publish, self._limit, redactor)
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
            lacking=full_disk(self._folder) if ended.exit_code else "",
            unreached=tuple(replace(each, why=redactor.mask(each.why)) for each in ended.unreached),
        )
        self.last = done
        self._shorten_old_results()
        return done

    def _shorten_old_results(self) -> None:
        for call, task in list(self._tasks.items())[:-KEPT_WHOLE]:
            if task.done() and not task.cancelled() and task.exception() is None:
                short = shorten_output(task.result())
                if short is not task.result():
                    self._tasks[call] = asyncio.create_task(_return(short))


async def _return(result: ExecDone) -> ExecDone:
    return result


def shorten_output(done: ExecDone) -> ExecDone:
    """Return the result with only the ends of long outputs. Pure."""
    if max(len(done.stdout), len(done.stderr)) <= 2 * KEPT_CHARACTERS:  # so a shortened result is final
        return done
    out, err = (keep_end(text, KEPT_CHARACTERS) for text in (done.stdout, done.stderr))
    return replace(done, stdout=out, stderr=err, truncated=True)


class _Output:
    """Both output streams of a command: kept within the limit, and published in batches while it runs."""

    def __init__(self, call: str, publish: PublishOutput, limit: int, redactor: Redactor) -> None:
        self._call, self._publish = call, publish
        self._streams: dict[Stream, Capture] = {"stdout": Capture(limit, redactor), "stderr": Capture(limit, redactor)}
        self._unpublished: list[tuple[Stream, str]] = []
        self._timer: asyncio.TimerHandle | None = None

    def add(self, stream: Stream, data: bytes) -> None:
        self._publish_later(stream, self._streams[stream].feed(data))

    def finish(self) -> None:
        for stream, capture in self._streams.items():
            self._publish_later(stream, capture.feed(b"", last=True))
        self._flush()

    def text(self, stream: Stream) -> str:
        return self._streams[stream].text()

    @property
    def truncated(self) -> bool:
        return any(capture.truncated for capture in self._streams.values())

    def _publish_later(self, stream: Stream, text: str) -> None:
        if not text:
            return
        if self._unpublished and self._unpublished[-1][0] == stream:
            self._unpublished[-1] = (stream, self._unpublished[-1][1] + text)
        else:
            self._unpublished.append((stream, text))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for stream, text in self._unpublished:
            self._publish(CommandOutput(call=self._call, stream=stream, text=text))
        self._unpublished.clear()
