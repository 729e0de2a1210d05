"""`muster answer`: answers the question of a run."""

import click

from muster_bus import Bus
from muster_cli.app import perform
from muster_cli.options import NATS, example
from muster_cli.standard_input import read_input
from muster_cli.subcommands.control_command import ask_each, read_standing, send, user_name
from muster_client.steering import build_answer
from muster_protocol.errors import InvalidRequest


@click.command(
    short_help="Answer a run's question.",
    epilog=example(
        "muster list --status parked",
        "muster answer run-3f9c27d1a0b4e865 'the code is 4711'",
        "muster answer run-3f9c27d1a0b4e865 yes --question run-3f9c27d1a0b4e865.step-2.1:0",
        "cat answer.txt | muster answer run-3f9c27d1a0b4e865 -",
    ),
)
@click.argument("run")
@click.argument("text")
@click.option("--question", default="", metavar="ID", help="Which question; needed only if the run asks several.")
@NATS
def answer(run: str, text: str, question: str, nats: str | None) -> None:
    """Answer the question of a run, which then continues; TEXT `-` reads the answer from stdin.

    `muster show RUN` says what it asks. An answer is final: the same answer again changes nothing, a different one is
    refused. Answers are stored with the run, so never enter a password: name a secret in the case instead.
    """

    async def ask(bus: Bus, run: str) -> str:
        stored = await send(
            bus, run, build_answer(await read_standing(bus, run), question, _read_answer(text), user_name())
        )
        return "answered" if stored else "has that answer already"

    perform(lambda: ask_each(nats, (run,), ask))


def _read_answer(text: str) -> str:
    """Return the answer; `-` reads it from stdin.

    Raises:
        InvalidRequest: it is empty, or not UTF-8 text.
    """
    given = (read_input() if text == "-" else text).strip()
    if not given:
        raise InvalidRequest(["the answer is empty; give one as TEXT, or on stdin with `-`"])
    return given
