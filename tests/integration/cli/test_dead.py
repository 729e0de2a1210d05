"""`muster dead` as people call it: a process, its output and its exit code, against a real server."""

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from click.testing import CliRunner

from muster_bus import Bus
from muster_bus.dead_letter_store import DeadLetter, bury, newest_dead
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import find_request
from muster_cli.cli import muster as command
from muster_cli.subcommands.dead import MOST_SHOWN, describe_letter
from muster_protocol import codec
from muster_protocol.requests import Drill, RunRequest

Muster = Callable[..., Awaitable[Any]]

BAD = DeadLetter(
    stream="REQUESTS",
    subject="muster.requests.run-bad",
    reason="the request cannot be read: \x1b[31mred\x1b[0m",
    delivery=3,
    key="1",
    data=b"\xff no JSON \x1b[31m",
)
LATER = DeadLetter(
    stream="REQUESTS",
    subject="muster.requests.run-later",
    reason="it came too early",
    key="2",
    data=codec.encode(RunRequest(job=Drill(count=7))),
)
POISON = DeadLetter(
    stream="TASKS",
    subject="muster.tasks.act.normal",
    reason="2 workers in a row were lost",
    history=("worker-a took it (delivery 1)", "worker-b took it (delivery 2)"),
    id="run-1.step-2.1",
    key="3",
    data=b"{}",
)


@pytest.fixture
async def nats(server: NatsServer, bus: Bus) -> str:
    """The address of a server with three dead letters."""
    for letter in (BAD, LATER, POISON):
        await bury(bus, letter)
    return server.url


async def numbers(bus: Bus) -> list[int]:
    return [letter.sequence async for letter in newest_dead(bus)]


@pytest.mark.parametrize("name", ["list", "show", "replay", "drop"])
def test_the_help_of_each_has_an_example_of_it(name: str):
    result = CliRunner().invoke(command, ["dead", name, "--help"], prog_name="muster")

    assert result.exit_code == 0
    assert f"muster dead {name}" in result.output.partition("Examples:")[2]


@pytest.mark.slow
async def test_list_tells_the_newest_first_whose_they_are_and_why(muster: Muster, nats: str):
    ended = await muster("dead", "list", "--nats", nats)
    rows = [line for line in ended.out.splitlines() if line.strip()]

    assert ended.code == 0
    assert [row.split()[0] for row in rows[-3:]] == ["3", "2", "1"]
    assert "run-1.step-2.1" in rows[-3]
    assert "2 workers in a row were lost" in rows[-3]
    assert "\x1b" not in ended.out


@pytest.mark.slow
async def test_list_gives_json_without_the_messages_and_no_more_than_asked_for(muster: Muster, nats: str):
    ended = await muster("dead", "list", "--json", "--limit", "2", "--nats", nats)
    found = json.loads(ended.out)

    assert [(letter["sequence"], letter["stream"], letter["run"]) for letter in found] == [
        (3, "TASKS", "run-1"),
        (2, "REQUESTS", "run-later"),
    ]
    assert all("data" not in letter for letter in found)


@pytest.mark.slow
async def test_without_any_list_says_so(muster: Muster, server: NatsServer):
    ended = await muster("dead", "list", "--nats", server.url)

    assert (ended.code, ended.out) == (0, "no dead letters\n")


@pytest.mark.slow
async def test_show_tells_reason_history_and_message(muster: Muster, nats: str):
    poison = (await muster("dead", "show", "3", "--nats", nats)).out
    later = (await muster("dead", "show", "2", "--nats", nats)).out
    bad = (await muster("dead", "show", "1", "--nats", nats)).out

    assert "reason     2 workers in a row were lost" in poison
    assert "worker-a took it (delivery 1)\n             worker-b took it (delivery 2)" in poison
    assert '"count": 7' in later
    assert "delivered  3 times" in bad
    assert "\\xff no JSON" in bad
    assert "\x1b" not in bad


@pytest.mark.slow
async def test_show_gives_the_message_byte_for_byte_or_all_of_it_in_json(muster: Muster, nats: str):
    data = (await muster("dead", "show", "2", "--data", "--nats", nats)).out
    found = json.loads((await muster("dead", "show", "1", "--json", "--nats", nats)).out)

    assert data.encode() == LATER.data
    assert base64.b64decode(found["data"]) == BAD.data
    assert (found["delivery"], found["subject"]) == (3, "muster.requests.run-bad")


async def test_replay_puts_back_what_can_be_and_says_of_the_others_why_not(muster: Muster, nats: str, bus: Bus):
    ended = await muster("dead", "replay", "2", "1", "3", "9", "--nats", nats)

    assert ended.out == "2: back on muster.requests.run-later\n"
    told = ended.err.splitlines()
    assert told[0].startswith("muster: 1: the request cannot be read")
    assert told[1] == "muster: 3: there is no run run-1 here that waits for sub-task run-1.step-2.1"
    assert told[2] == "muster: 9: there is no dead letter 9; `muster dead list` shows all"
    assert ended.code == 3
    queued = await find_request(bus, "run-later")
    assert queued is not None
    assert queued.job == Drill(count=7)
    assert await numbers(bus) == [3, 1]


@pytest.mark.slow
async def test_drop_forgets_what_is_named_and_nothing_else(muster: Muster, nats: str, bus: Bus):
    ended = await muster("dead", "drop", "1", "3", "8", "--nats", nats)

    assert ended.out == "1: dropped\n3: dropped\n"
    assert "there is no dead letter 8" in ended.err
    assert ended.code == 2
    assert await numbers(bus) == [2]


@pytest.mark.slow
async def test_drop_forgets_all_there_are_only_if_told_so(muster: Muster, nats: str, bus: Bus):
    unclear = await muster("dead", "drop", "--nats", nats)
    both = await muster("dead", "drop", "1", "--all", "--nats", nats)
    assert (unclear.code, both.code) == (2, 2)
    assert "`muster dead list` shows them" in unclear.err
    assert await numbers(bus) == [3, 2, 1]

    ended = await muster("dead", "drop", "--all", "--nats", nats)
    assert (ended.code, ended.out) == (0, "3 dropped\n")
    assert await numbers(bus) == []


def test_of_a_long_message_the_beginning_is_shown_and_how_to_get_the_rest():
    text = describe_letter(
        DeadLetter(sequence=4, stream="X", subject="a", reason="no", data=b"x" * 10_000, size=10_000)
    )

    assert text.count("x") <= MOST_SHOWN + 10
    assert "`muster dead show 4 --data` writes all of it" in text
