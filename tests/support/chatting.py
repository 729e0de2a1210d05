"""A stage for conversations: a fleet with a gateway, and a model that is a script by the message it answers."""

import asyncio
import re
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from fleet import Fleet, fleet
from model_server import Answer, Asked, ModelServer, model_server, refuses
from waiting import eventually
from websockets.asyncio.client import ClientConnection, connect

MESSAGE = re.compile(r"# Message to answer\n(.*)\Z", re.DOTALL)
Reply = Callable[[Asked], Answer]


def message_of(asked: Asked) -> str:
    """Return the message that a question is about."""
    found = MESSAGE.search(asked.question.partition("\n\n# Done so far")[0])
    return found.group(1).strip() if found else ""


class Chat:
    """One conversation as a client sees it."""

    def __init__(self, id: str, api: httpx.AsyncClient, port: int) -> None:
        self.id, self.api, self._port = id, api, port

    async def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Post to the conversation."""
        return await self.api.post(f"/conversations/{self.id}{path}", json=body, headers=headers)

    async def says(self, text: str, **headers: str) -> None:
        """Write a message."""
        (await self.post("/messages", {"text": text}, **headers)).raise_for_status()

    async def shown(self) -> dict[str, Any]:
        """Return the conversation."""
        return (await self.api.get(f"/conversations/{self.id}")).raise_for_status().json()

    async def texts(self) -> list[str]:
        """Return what was said."""
        return [message.get("text", "(stopped)") for message in (await self.shown())["messages"]]

    async def reaches(self, state: str, messages: int = 0) -> dict[str, Any]:
        """Return the conversation once it has a state and so many messages."""

        async def look() -> dict[str, Any] | None:
            answer = await self.api.get(f"/conversations/{self.id}")
            if answer.status_code == 503:  # NATS is away, and comes back
                return None
            shown = answer.raise_for_status().json()
            return shown if shown["state"] == state and len(shown.get("messages", ())) >= messages else None

        return await eventually(look, f"{self.id} is {state}", 60.0)

    async def asks(self, text: str) -> str:
        """Write a message and return the answer."""
        before = len((await self.shown()).get("messages", ()))
        await self.says(text)
        return (await self.reaches("idle", before + 2))["messages"][-1].get("text", "(stopped)")

    def live(self, after: str = "") -> connect:
        """Connect to its socket."""
        return connect(f"ws://127.0.0.1:{self._port}/conversations/{self.id}/live?after={after}")


async def frames_until(socket: ClientConnection, *types: str) -> list[dict[str, Any]]:
    """Return the frames of a socket up to events of each of these types, in whatever order these come."""
    left, found = list(types), list[dict[str, Any]]()
    async with asyncio.timeout(60):
        while left:
            frame: dict[str, Any] = msgspec.json.decode(await socket.recv())
            found.append(frame)
            if (type := frame.get("event", {}).get("type", "problem")) in left:
                left.remove(type)
    return found


async def talk(server: str, typed: bytes) -> tuple[int | None, str, str]:
    """Type lines into `muster chat`; return its exit code, its output and its error output."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", "chat", "--nats", server),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate(typed)
    return process.returncode, out.decode(), err.decode()


class ChatStage:
    """A fleet whose gateway answers chats; `replies` are the scripts of the model by the message."""

    def __init__(self, group: Fleet, model: ModelServer) -> None:
        self.fleet, self.model = group, model
        self.replies: dict[str, Reply] = {}
        self.asked: list[Asked] = []
        self.port = 0
        self.api = httpx.AsyncClient(timeout=30)

    def answer(self, asked: Asked) -> Answer:
        """Return what the script of the message answers."""
        self.asked.append(asked)
        reply = self.replies.get(message_of(asked))
        return reply(asked) if reply else refuses(400, f"no script for: {asked.question[:300]}")

    def asked_about(self, message: str) -> list[Asked]:
        """Return the questions about a message."""
        return [asked for asked in self.asked if message_of(asked) == message]

    async def serves(self, folder: Path, **environment: str) -> None:
        """Start a gateway and use it from now on."""
        file = folder / "port"
        file.unlink(missing_ok=True)
        await self.fleet.start("gateway", HTTP_PORT="0", PORT_FILE=str(file), **environment)
        self.port = int(file.read_text())
        await self.api.aclose()
        self.api = httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    async def opens(self, api: httpx.AsyncClient | None = None, **fields: str) -> Chat:
        """Open a conversation."""
        client = api or self.api
        opened = (await client.post("/conversations", json=fields)).raise_for_status().json()
        return Chat(opened["conversation"], client, self.port)


@asynccontextmanager
async def chat_stage(folder: Path, services: Sequence[str], **environment: str) -> AsyncGenerator[ChatStage]:
    """Start services, a model and a gateway."""
    with model_server(lambda _: refuses(503)) as model:
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "small"}
        async with fleet(folder, **(settings | environment)) as group:
            made = ChatStage(group, model)
            model.script = made.answer
            for service in services:
                await group.start(service)
            await made.serves(folder)
            yield made
            await made.api.aclose()
