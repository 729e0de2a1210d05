"""A worker as a process of its own, driven by the tests: reads orders as JSON lines, answers each with a JSON line.

Arguments: address of NATS, run, host, dispatch, delivery, name of the worker.
"""

import asyncio
import json
import sys

from envelopes import a_task
from playwright.async_api import Error as PlaywrightError

from muster_bus import connect
from muster_service.settings import BusSettings
from muster_subagent.attachment import Attachment
from muster_subagent.held_sessions import Attachments
from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import SessionLost


async def carry_out(session: Attachment, verb: str, *given: str) -> object:
    match verb, given:
        case "goto", [url]:
            await (await session.page()).goto(url)
        case "fill", [selector, text]:
            await (await session.page()).fill(selector, text)
        case "click", [selector]:
            await (await session.page()).click(selector, timeout=30_000)
        case "dialog", []:
            return (await session.dialog_opened()).message
        case "exec", [call, command]:
            done = await session.execute(command, call=call, timeout_seconds=30, secrets={})
            return done.stdout
        case "keep", [key, value]:
            await session.keep(key, value)
        case _:
            raise ValueError(verb)
    return None


async def answer(session: Attachment, line: str) -> None:
    order = json.loads(line)
    try:
        try:
            said = {"value": await carry_out(session, *order["do"])}
        except PlaywrightError:
            await session.verify()
            raise
    except SessionLost as lost:
        said = {"lost": lost.reason, "fenced": lost.fenced}
    except PlaywrightError as error:
        said = {"error": error.message}
    print(json.dumps({"id": order["id"]} | said), flush=True)


async def main(url: str, run: str, host: str, dispatch: str, delivery: str, name: str) -> None:
    bus = await connect(BusSettings(nats_url=url), name=name)
    attachments = Attachments(bus)
    task = a_task(id=f"{run}.n.1", run=run, node="n", attempt=1, dispatch=int(dispatch), session="main", host=host)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with attachments.attach(task, int(delivery), Secrets({}), name) as session:
        print(json.dumps({"id": 0, "value": "attached"}), flush=True)
        async with asyncio.TaskGroup() as orders:
            while line := (await reader.readline()).decode():
                orders.create_task(answer(session, line))
    await attachments.close()
    await bus.close()


asyncio.run(main(*sys.argv[1:]))
