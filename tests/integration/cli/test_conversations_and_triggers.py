"""`muster list` and `muster triggers push` as people call them: conversations apart, names that are not there."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from muster_bus import Bus, Rows
from muster_bus.case_store import CaseStore
from muster_bus.nats_server import NatsServer
from muster_protocol.logs import RunRow
from muster_protocol.stored_cases import CaseFile, CaseOutline

Muster = Callable[..., Awaitable[Any]]
ALERTS = "id: alerts\nevent: {type: alert.firing}\n"


@pytest.mark.slow
async def test_conversations_are_listed_apart_from_runs(muster: Muster, server: NatsServer, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("run-case", RunRow(run="run-case", name="Buy", status="pass"))
    await rows.put("run-chat", RunRow(run="run-chat", name="Why?\x1b[31m", status="parked", job="conversation"))
    runs = await muster("list", "--nats", server.url)
    chats = await muster("list", "--conversations", "--nats", server.url)
    assert ("run-case" in runs.out, "run-chat" in runs.out) == (True, False)
    assert ("run-case" in chats.out, "run-chat" in chats.out, "Why?" in chats.out) == (False, True, True)
    assert "\x1b[31m" not in chats.out
    none = await muster("list", "--conversations", "--status", "pass", "--nats", server.url)
    assert none.out == "no conversations\n"


async def test_a_push_warns_of_cases_and_agents_that_the_fleet_does_not_have(
    muster: Muster, server: NatsServer, bus: Bus, tmp_path: Path
):
    await CaseStore(bus).push("TC_LOGIN", CaseFile(name="TC_LOGIN.yaml", text="name: Buy"), (CaseOutline(name="Buy"),))
    file = tmp_path / "alerts.yaml"
    file.write_text(f"{ALERTS}do: monitr\nmay_start: [TC_LOGIN, TC_LOGGIN, TC_PAY_BY_CARD_AT_THE_DOOR]\n")
    pushed = await muster("triggers", "push", file, "--nats", server.url)
    assert (pushed.code, "alerts: stored" in pushed.out) == (0, True)
    assert pushed.err.splitlines() == [
        "muster: alerts: may_start: no case 'TC_LOGGIN' is stored; did you mean 'TC_LOGIN'?",
        "muster: alerts: may_start: no case 'TC_PAY_BY_CARD_AT_THE_DOOR' is stored; `muster cases push` stores it",
        "muster: alerts: do: no agent 'monitr' is built in or pushed; did you mean 'monitor'?; workers may have it in "
        "AGENTS_DIR",
    ]
    file.write_text(f"{ALERTS}do: monitor\nmay_start: [TC_LOGIN]\n")
    assert (await muster("triggers", "push", file, "--nats", server.url)).err == ""
