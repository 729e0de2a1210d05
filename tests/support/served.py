"""A web server for one test, whose every answer the test decides and may hold back."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


def later(script: str) -> str:
    """Return a page's script that does something on its own a while after the page counts as settled."""
    return f"<script>{{const t = setInterval(() => {{ clearInterval(t); {script} }}, 400)}}</script>"


# ---- a site whose every answer the test decides, and may hold back


@dataclass
class Gate:
    """Holds an answer back until the test opens it."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Answer:
    """What the site says at a path."""

    body: str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    gate: Gate | None = None


@dataclass
class Asked:
    """A request that the site was sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: str


class Site:
    """A web server for one test."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer | Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self.url = ""

    def page(self, body: str, path: str = "/", title: str = "Test", **more: object) -> str:
        """Serve a page, and return its URL."""
        html = f"<!doctype html><html lang=en><title>{title}</title><body>{body}</body></html>"
        self.answers[path] = Answer(html, **more)  # pyright: ignore[reportArgumentType]
        return self.url + path

    def say(self, path: str, body: str = "", **more: object) -> None:
        """Serve something that is no page."""
        self.answers[path] = Answer(body, **{"kind": "application/json", **more})  # pyright: ignore[reportArgumentType]

    def hold(self, path: str) -> Gate:
        """Hold the answer at a path back."""
        answer = self.answers[path]
        assert isinstance(answer, Answer)
        answer.gate = Gate()
        return answer.gate

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(asked.path.partition("?")[0] == path for asked in self.asked)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        try:
            asked = await _request(reader)
            self.asked.append(asked)
            await self._answer(asked, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the browser has gone on
        finally:
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        known = self.answers.get(asked.path.partition("?")[0], Answer("not found", 404))
        answer = known if isinstance(known, Answer) else known(asked)
        if answer.gate is not None:
            answer.gate.asked.set()
            await answer.gate.opened.wait()
        body = answer.body.encode()
        head = {"Content-Type": answer.kind, "Content-Length": str(len(body)), "Connection": "close", **answer.headers}
        lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in head.items())]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()


async def _request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, path, headers, body.decode())
