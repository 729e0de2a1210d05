"""Pages that ask their server over a connection that stays open: what it answers is waited for."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter

from driving import User
from served import Gate, Site
from websockets.asyncio.server import ServerConnection, serve

PAGE = """<button onclick="w.send('save 1')">Save</button><p id=o>Ready</p><script>
  const w = new WebSocket('{address}');
  w.onmessage = ({{ data }}) => {{ if (data === 'ping') w.send('pong'); else o.textContent = data; }};
</script>"""


@asynccontextmanager
async def answering(gate: Gate) -> AsyncGenerator[str]:
    """Serve connections that ping once, start to answer at once, and say what came of it once a gate is opened."""

    async def answer(connection: ServerConnection) -> None:
        await connection.send("ping")
        async for message in connection:
            if message == "pong":
                gate.asked.set()
                continue
            await gate.opened.wait()
            await connection.send("Working")
            await asyncio.sleep(0.1)  # what the rest takes to come is the fault that is tried
            await connection.send("Save failed")

    async with serve(answer, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def test_what_must_be_absent_waits_for_the_answer_to_a_message(do: User, site: Site) -> None:
    gate = Gate()
    async with answering(gate) as address:
        await do.open(site.page(PAGE.format(address=address)))
        await asyncio.wait_for(gate.asked.wait(), 10)
        began = perf_counter()
        await do.ok("check_text", text="failed", absent=True)
        assert perf_counter() - began < 5  # the answer to a ping is no question
        await do.script("w.send('save 2')")
        task = asyncio.ensure_future(do("check_text", text="failed", absent=True))
        done, _ = await asyncio.wait({task}, timeout=0.3)
        assert not done
        gate.opened.set()
        outcome = await task
        assert (outcome.status, outcome.seen) == ("failed", '"Save failed"')
        await do.script("o.textContent = 'Ready'")
        assert "Save failed" in (await do.ok("click", element="Save")).text


async def test_the_rest_of_a_body_that_is_read_bit_by_bit_is_waited_for(do: User, site: Site) -> None:
    body = """<p id=o>Ready</p><script>
      let source; const stream = new ReadableStream({ start(it) { source = it; } });
      const ask = () => { stream.getReader().read().then(({ value }) => { o.textContent = value; }); };
    </script>"""
    await do.open(site.page(body))
    await do.script("ask()")
    task = asyncio.ensure_future(do("check_text", text="failed", absent=True))
    done, _ = await asyncio.wait({task}, timeout=0.3)
    assert not done
    await do.script("source.enqueue('Save failed')")
    assert (await task).seen == '"Save failed"'
