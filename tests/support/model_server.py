"""An OpenAI-compatible endpoint whose model is a function of the request: scripted, but asked over real HTTP."""

import asyncio
import json
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple, cast

from serving import serving


class Asked(NamedTuple):
    """A request as a script reads it."""

    body: dict[str, Any]
    number: int
    """How many requests the server had before."""
    key: str = ""
    """The key it was asked with."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages, as sent."""
        return cast("list[dict[str, Any]]", self.body["messages"])

    @property
    def role(self) -> str:
        """Who asks, by what it is told it is: planner, evaluator, executor, looker, summary or picture."""
        told = str(self.messages[0]["content"])
        begins = {
            "You carry out": "executor",
            "You plan": "planner",
            "A sub-task of": "evaluator",
            "You examine the plan": "critic",
            "You look at the screen": "validator",
            "You look at": "looker",
            "Sum up": "summary",
            "Several steps": "summariser",
            "You find one element": "detector",
            "You research": "researcher",
            "You make plans": "assignment planner",
            "You make changes": "assignment executor",
            "You review": "reviewer",
            "You write tests": "tester",
        }
        return next((role for beginning, role in begins.items() if told.startswith(beginning)), "picture")

    @property
    def text(self) -> str:
        """All that was sent, as text."""
        return json.dumps(self.body)

    @property
    def question(self) -> str:
        """The first message of the user."""
        return next(_text(message) for message in self.messages if message["role"] == "user")

    @property
    def last(self) -> str:
        """The newest message."""
        return _text(self.messages[-1])

    @property
    def turn(self) -> int:
        """How many replies of the model stand in the conversation."""
        return sum(message["role"] == "assistant" for message in self.messages)

    @property
    def tools(self) -> set[str]:
        """Names of the tools offered."""
        return {tool["function"]["name"] for tool in self.body.get("tools", [])}


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else json.dumps(content)


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    wait: threading.Event | None = None
    """It is not sent before this is set."""


def says(text: str | None, *calls: tuple[str, dict[str, Any] | str], finish: str = "stop") -> Answer:
    """Answer with a text and tool calls; arguments given as a string are sent as they are."""
    asked = [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for index, (name, given) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if asked else finish}
    return Answer(200, json.dumps({"id": "x", "object": "chat.completion", "choices": [choice]}).encode())


def does(*calls: tuple[str, dict[str, Any] | str]) -> Answer:
    """Answer with tool calls."""
    return says(None, *calls)


def passes(summary: str = "done") -> tuple[str, dict[str, Any]]:
    """The call that claims a pass."""
    return ("finish", {"status": "pass", "summary": summary})


def fails(summary: str = "it does not", *, blocked: bool = False) -> tuple[str, dict[str, Any]]:
    """The call that claims a fail."""
    return ("finish", {"status": "fail", "summary": summary, "blocked": blocked})


def gives(value: object) -> Answer:
    """Answer with JSON as the text."""
    return says(json.dumps(value))


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    """Answer with an error of the API."""
    body = json.dumps({"error": {"message": message, "type": "error"}}).encode()
    return Answer(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


Script = Callable[[Asked], Answer]


class ModelServer:
    """A server; `script` may be replaced at any time, `asked` has all requests."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.url = ""

    def answer(self, body: dict[str, Any], key: str) -> Answer:
        """Return what the script says to a request, with a count of tokens where it gives none."""
        with self.lock:
            asked = Asked(body, len(self.asked), key)
            self.asked.append(asked)
        return _counted(self.script(asked), body)


def _counted(answer: Answer, body: dict[str, Any]) -> Answer:
    """Add usage as servers do; four characters count as a token."""
    with suppress(ValueError):
        found = cast("dict[str, Any]", json.loads(answer.body))
        if isinstance(cast("object", found), dict) and "choices" in found and "usage" not in found:
            into, out = len(json.dumps(body, separators=(",", ":"))) // 4, max(1, len(answer.body) // 4)
            found["usage"] = {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}
            found |= {"model": body.get("model", ""), "created": 0}
            return answer._replace(body=json.dumps(found).encode())
    return answer


@contextmanager
def model_server(script: Script) -> Generator[ModelServer]:
    """Serve a scripted model on a free port of this machine."""
    model = ModelServer(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: else each answer waits 40 ms for an acknowledgement

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = model.answer(body, self.headers.get("Authorization", "").removeprefix("Bearer "))
            if answer.wait is not None:
                _wait(answer.wait, model.closing)
            with suppress(OSError):
                self.send_response(answer.status)
                for name, value in (*answer.headers, ("Content-Length", str(len(answer.body)))):
                    self.send_header(name, value)
                if not any(name.lower() == "content-type" for name, _ in answer.headers):
                    self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        model.url = f"{address}/v1"
        try:
            yield model
        finally:
            model.closing.set()


def _wait(event: threading.Event, closing: threading.Event) -> None:
    while not event.wait(0.05) and not closing.is_set():
        pass


def in_turn(*answers: Answer) -> Script:
    """Return a script that gives the executor one answer after another, by turn, the last one again and again."""

    def script(asked: Asked) -> Answer:
        return answers[min(asked.turn, len(answers) - 1)]

    return script


def each(iterator: Iterator[Answer]) -> Script:
    """Return a script that gives one answer a request, whoever asks."""
    lock = threading.Lock()

    def script(_: Asked) -> Answer:
        with lock:
            return next(iterator)

    return script


async def until_asked(model: ModelServer, count: int, seconds: float = 10.0) -> None:
    """Wait until the server has had so many requests."""
    async with asyncio.timeout(seconds):
        while len(model.asked) < count:
            await asyncio.sleep(0.01)
