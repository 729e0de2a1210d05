"""Files of a session, asked for over the bus; what paths are refused is tested with the unit."""

import pytest
from session_stage import NO_DEVICE, Stage

from muster_protocol.session_responses import FileEntry
from muster_subagent.session_client import SessionRefused


async def test_files_are_written_read_and_listed_and_are_those_of_the_commands(stage: Stage) -> None:
    await stage.open(device=NO_DEVICE)
    async with stage.attach() as session:
        await session.write_file("data/in.txt", b"one")
        await session.write_file(f"{session.directory}/data/in.txt", b"two \xff")
        content = await session.read_file("./data/../data/in.txt")
        assert (content.content, content.size, content.truncated) == (b"two \xff", 5, False)
        assert await session.list_files("data") == (FileEntry(name="in.txt", size=5),)
        done = await session.execute("cat data/in.txt | wc -c", call="t:1", timeout_seconds=5, secrets={})
        assert done.stdout.strip() == "5"


async def test_missing_files_and_paths_outside_are_refused_and_nothing_is_written(stage: Stage) -> None:
    await stage.open(device=NO_DEVICE)
    async with stage.attach() as session:
        await session.execute("ln -s /tmp link", call="t:1", timeout_seconds=5, secrets={})
        for attempt, reason in (
            (session.read_file("gone"), "not_found"),
            (session.list_files("gone"), "not_found"),
            (session.read_file("/etc/passwd"), "invalid"),
            (session.write_file("link/outside", b"x"), "invalid"),
            (session.list_files(".."), "invalid"),
        ):
            with pytest.raises(SessionRefused) as raised:
                await attempt
            assert raised.value.reason == reason


async def test_a_large_file_is_read_up_to_a_limit_and_written_whole(stage: Stage) -> None:
    await stage.open(device=NO_DEVICE)
    async with stage.attach() as session:
        await session.execute("head -c 900000 /dev/zero > large", call="t:1", timeout_seconds=5, secrets={})
        content = await session.read_file("large")
        assert (content.size, content.truncated, len(content.content)) == (900_000, True, 700_000)
        pattern = bytes(range(251)) * 12_000
        for size in (0, 700_000, 700_001, len(pattern)):
            await session.write_file("written", pattern[:size])
            content = await session.read_file("written", limit=5_000_000)
            assert (content.content == pattern[:size], content.size, content.truncated) == (True, size, False)
        assert (await session.read_file("written", limit=1_000_001)).content == pattern[:1_000_001]


async def test_texts_are_kept_with_the_session(stage: Stage) -> None:
    await stage.open(device=NO_DEVICE)
    async with stage.attach() as session:
        assert await session.recall("response") is None
        await session.keep("response", '{"status": 200}')
    async with stage.attach(dispatch=2, worker="worker-b") as session:
        assert await session.recall("response") == '{"status": 200}'
