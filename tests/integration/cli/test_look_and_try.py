"""`muster look` and `muster try` with a real browser: what is printed works, and nothing is left running."""

import json
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from command_line import started
from terminals import read_until, terminal

from muster_cli.live_session import LiveSession, live_session
from muster_cli.page_look import PageView, look_at
from muster_cli.shop import demo_shop
from muster_grammar import parse_action

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
SHOP = ROOT / "examples/shop/server.py"
READY = b"\x1b[?2004h"
"""What the prompt writes to the terminal before it reads keys."""
TERMINAL = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
OWN = 'steps:\n  Log in as {user}:\n    - Type {user} into the "User name" field\n'


@asynccontextmanager
async def shop() -> AsyncGenerator[str]:
    async with demo_shop(SHOP, os.environ) as address:
        yield address


async def test_look_prints_sentences_of_a_page(tmp_path: Path):
    async with shop() as address:
        async with started(tmp_path, "look", f"{address}/login", "--json", "--limit", "6") as process:
            out, _ = await process.communicate()
        view = json.loads(out)
    assert process.returncode == 0
    assert (view["title"], view["left"] > 0) == ("Demo shop", True)
    assert 'Type "…" into the "User name" field' in [text for one in view["elements"] for text in one["actions"]]


async def test_look_says_why_a_page_cannot_be_opened(tmp_path: Path):
    async with started(tmp_path, "look", "http://127.0.0.1:9/") as process:
        _, err = await process.communicate()
    assert process.returncode == 3
    assert b"cannot be reached" in err


async def test_what_look_prints_of_the_shop_works_as_it_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET_SHOP_PASSWORD", "swordfish")
    async with shop() as address, live_session(os.environ) as session:
        await worked(session, f'Open "{address}/login"')
        seen = [await shown(session)]
        await worked(session, 'Type "tester" into "User name" and type "${secret:SHOP_PASSWORD}" into "Password"')
        await worked(session, 'Click the "Log in" button')
        add = 'Click the "Add to cart" button in the "Bike light" item'
        seen.append(await shown(session))
        assert add in seen[-1]
        await worked(session, add)
        assert (
            await session.expect('The text "Bike light was added to your cart." is visible')
        ).result.status == "pass"
        for path in ("cart", "checkout", "orders", "profile", "products/backpack", "late"):
            await worked(session, f'Open "{address}/{path}"')
            seen.append(await shown(session))
    assert sum(map(len, seen)) > 80


async def shown(session: LiveSession) -> list[str]:
    """Return the actions that a look prints; each is read, claims hold by the worker's checks, fields take what is said."""
    async with session.attached() as held:
        view: PageView = await look_at(held)
    claims = [text for one in view.elements for text in one.expectations]
    assert claims
    judged = await session.expect("\n".join(dict.fromkeys((*claims, *view.expectations))))
    assert judged.result.status == "pass", judged.result.summary
    found = [text for one in view.elements for text in one.actions]
    for text in found:
        assert parse_action(text)
        if text.startswith(("Type", "Check", "Uncheck")):  # what is selected or clicked may lead to another page
            await worked(session, text.replace("…", "12"))
    return found


async def worked(session: LiveSession, action: str) -> None:
    performed = await session.act(action)
    assert performed.result.status == "pass", f"{action}: {performed.result.summary}"


async def test_tried_sentences_become_a_case_that_can_be_checked_and_only_what_worked_is_kept(tmp_path: Path):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/shop.yaml").write_text(OWN)
    typed = """\
The text "Welcome" is visible
Log in as "tester"
The "User name" field has the value "tester"
The "User name" field has the value "nobody"
Frobnicate "x"
Lug in as "tester"
look User name
save tried.yaml
quit
Press Tab
"""
    async with (
        shop() as address,
        started(tmp_path, "try", f"{address}/login", stdin=PIPE, stdout=PIPE, stderr=PIPE, **TERMINAL) as process,
    ):
        out, err = await process.communicate(typed.encode())
    said = out.decode()
    assert process.returncode == 1, err.decode()
    assert "✗ no phrase fits «Frobnicate" in said
    assert "Did you mean «Log in as {user}»" in said
    assert 'seen: "tester"' in said
    assert 'The "User name" field has the value "tester"' in said
    assert "Press Tab" not in said
    kept = (tmp_path / "tried.yaml").read_text()
    assert (
        kept
        == f"""\
name: 'tried'
steps:
  - action: 'Open "{address}/login"'
    expected: 'The text "Welcome" is visible'
  - action: 'Log in as "tester"'
    expected: 'The "User name" field has the value "tester"'
"""
    )
    (tmp_path / "tmp").rmdir()
    async with started(tmp_path, "check", "tried.yaml") as process:
        await process.communicate()
    assert process.returncode == 0


@pytest.mark.parametrize("end", ["\x04", "\x03", "signal"])
async def test_a_terminal_is_left_by_key_or_signal_and_nothing_is_left(tmp_path: Path, end: str):
    with terminal() as (person, theirs):
        async with started(tmp_path, "try", stdin=theirs, stdout=theirs, stderr=PIPE, **TERMINAL) as process:
            await read_until(person, READY)
            os.write(person, b'Open "about:blank"\r')
            rest = (await read_until(person, "→ ".encode())).partition("→ ".encode())[2]
            if READY not in rest:
                await read_until(person, READY)
            if end == "signal":
                process.send_signal(signal.SIGINT)
            else:
                os.write(person, end.encode())
            await process.wait()
    assert process.returncode == (130 if end == "signal" else 0)


async def test_what_is_pasted_is_taken_line_by_line_and_what_is_not_saved_is_told_at_the_end(tmp_path: Path):
    with terminal() as (person, theirs):
        async with started(tmp_path, "try", stdin=theirs, stdout=theirs, stderr=theirs, **TERMINAL) as process:
            await read_until(person, READY)
            os.write(person, b'\x1b[200~Open "about:blank"\nFrobnicate\x1b[201~\r')
            seen = await read_until(person, "no phrase fits «Frobnicate»".encode())
            assert b'> Open "about:blank"\r\n' in seen and b"> Frobnicate\r\n" in seen
            await read_until(person, READY)
            os.write(person, b"caf\xe9\r")  # as a terminal that is not set to UTF-8 sends it
            await read_until(person, "no phrase fits «caf\ufffd»".encode())
            await read_until(person, READY)
            os.write(person, b"\x04")
            await read_until(person, b"muster: not saved:\r\nname: 'Tried'\r\nsteps:\r\n  - action: 'Open")
            await process.wait()
    assert process.returncode == 0


async def test_a_pipe_of_another_encoding_is_told_by_its_line(tmp_path: Path):
    async with started(tmp_path, "try", stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        _, err = await process.communicate(b"steps\ncaf\xe9\nsteps\n")
    assert process.returncode == 2
    assert b"muster: line 2 of stdin is not UTF-8 text (byte 0xe9)" in err
