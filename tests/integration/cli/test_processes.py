"""Processes: what belongs to whom, and that nothing outlives its starter."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from muster_cli import processes
from muster_cli.orphan_guard import Guard, Watched, end_watched, read_orders

SLEEPER = "import os, time; os.write(1, ('up' + os.linesep).encode()); time.sleep(60)"
PARENT = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "{SLEEPER}"], start_new_session=True)
os.write(1, (str(child.pid) + os.linesep).encode())  # at once, as the child writes to the same pipe
time.sleep(60)
"""
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


@pytest.fixture
def family() -> Generator[tuple[subprocess.Popen[str], int]]:
    """A process and the id of a child it has started in a session of its own."""
    command, marked = [sys.executable, "-c", PARENT], {**os.environ, "FAMILY": str(os.getpid())}
    with subprocess.Popen(command, env=marked, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        said = [parent.stdout.readline().strip() for _ in range(2)]  # a child's environment is there once it runs
        [child] = [int(line) for line in said if line != "up"]
        try:
            yield parent, child
        finally:
            parent.kill()
            processes.kill(processes.find_running([child]))


def test_descendants_are_found_through_all_generations_and_each_once(family: tuple[subprocess.Popen[str], int]):
    parent, child = family
    found = processes.descendants([os.getpid(), parent.pid])
    assert [process.pid for process in found if process.pid in (parent.pid, child)] == [parent.pid, child]


def test_what_lost_its_parent_is_found_by_its_environment(family: tuple[subprocess.Popen[str], int]):
    parent, child = family
    parent.kill()
    parent.wait()
    assert processes.descendants([parent.pid]) == []
    assert [found.pid for found in processes.find_family(parent.pid, "FAMILY", str(os.getpid()))] == [child]
    assert processes.find_family(parent.pid, "FAMILY", "another") == []


def test_a_child_in_a_session_of_its_own_is_found(family: tuple[subprocess.Popen[str], int]):
    parent, child = family
    assert [found.pid for found in processes.descendants([parent.pid])] == [child]


def test_a_process_id_that_was_used_again_is_another_process():
    [me], [other] = processes.find_running([os.getpid()]), processes.find_running([os.getpid()])
    vars(other)["_ident"] = (other.pid, 1.0)  # as if it had been started at another time
    assert processes.drop_ended([me, other]) == [me]


def test_a_dead_process_that_nobody_waited_for_does_not_run():
    child = subprocess.Popen([sys.executable, "-c", ""])
    found = psutil.Process(child.pid)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert processes.drop_ended([found]) == []
    assert processes.find_running([child.pid]) == []
    assert child.pid not in {process.pid for process in processes.own_descendants()}
    child.wait()


def test_orders_of_a_starter_that_died_name_what_to_end():
    assert read_orders(["service 5\n", "server 6\n", "folder /tmp/x y\n"]) == Watched([5], [6], [Path("/tmp/x y")])


def test_a_dismissed_guard_ends_nothing():
    assert read_orders(["service 5\n", "done\n"]) is None


def test_the_guard_ends_what_is_left_with_its_children_and_removes_the_folder(
    family: tuple[subprocess.Popen[str], int], tmp_path: Path
):
    parent, child = family
    folder = tmp_path / "work"
    folder.mkdir()
    end_watched(Watched([], [parent.pid], [folder]), patience=0.2)
    assert parent.wait(5) == -signal.SIGTERM
    left = processes.find_running([child])
    end_watched(Watched([child], [], []), patience=0.2)
    assert processes.wait_until_gone(left, 5.0) == []
    assert not folder.exists()


def test_a_service_that_does_not_stop_is_killed():
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE) as stubborn:
        assert stubborn.stdout is not None
        stubborn.stdout.readline()
        end_watched(Watched([stubborn.pid], [], []), patience=0.2)
        assert stubborn.wait(5) == -signal.SIGKILL


STARTER = """
import os, subprocess, sys, time
from pathlib import Path
from muster_cli.orphan_guard import Guard
guard = Guard()
server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
guard.server(server.pid)
guard.folder(Path(sys.argv[1]))
print(server.pid, flush=True)
time.sleep(60)
"""


async def test_when_the_starter_is_killed_the_guard_ends_what_it_left(tmp_path: Path):
    folder = tmp_path / "work"
    folder.mkdir()
    starter = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STARTER, str(folder), stdout=asyncio.subprocess.PIPE
    )
    assert starter.stdout is not None
    server = int(await starter.stdout.readline())
    left = processes.find_running([server])
    starter.kill()
    await starter.wait()
    assert await asyncio.to_thread(processes.wait_until_gone, left, 20.0) == []
    async with asyncio.timeout(10):
        while folder.exists():
            await asyncio.sleep(0.02)


def test_a_dismissed_guard_is_gone():
    before = set(processes.own_descendants())
    guard = Guard()
    mine = [process for process in processes.own_descendants() if process not in before]
    guard.dismiss()
    assert len(mine) == 1
    assert processes.wait_until_gone(mine, 5.0) == []
