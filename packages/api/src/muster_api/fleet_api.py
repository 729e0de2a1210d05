"""The calls of a fleet's HTTP API that assistants need."""

from http import HTTPStatus
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from msgspec import Struct

from muster_protocol import codec
from muster_protocol.control import ControlName
from muster_protocol.device_control import LeaseWish, PhoneLease
from muster_protocol.errors import MusterError
from muster_protocol.graphs import GraphRow, NewEdge, NewNode
from muster_protocol.ids import is_token
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import DeviceSpec
from muster_protocol.sessions import SessionRow
from muster_protocol.stored_cases import CaseFormat
from muster_views.attempt_views import NodeDetail
from muster_views.case_coverage import LibraryCase
from muster_views.map_view import MapView
from muster_views.suite_health import SuiteHealth
from muster_views.views import RunView

CONTENT_TYPES: dict[CaseFormat, str] = {
    "yaml": "application/yaml",
    "gherkin": "text/x-gherkin",
    "markdown": "text/markdown",
}
T = TypeVar("T")


class FleetRefusal(MusterError):
    """The fleet refused a request; the message holds its reasons."""


class Problem(Struct, frozen=True):
    """Why a request failed."""

    reasons: tuple[str, ...] = ()


class CaseProblem(Struct, frozen=True):
    """What is wrong with a case, and where; 0: the place is unknown."""

    message: str
    line: int = 0
    column: int = 0


class CaseName(Struct, frozen=True):
    """A case by its name."""

    name: str


class CaseCheck(Struct, frozen=True):
    """What a check of cases found."""

    valid: bool
    problems: tuple[CaseProblem, ...] = ()
    cases: tuple[CaseName, ...] = ()
    unread: tuple[str, ...] = ()
    """Sentences that need a model, each with what to write instead."""


class StartedRun(Struct, frozen=True):
    """A run that was started or steered."""

    run: str


class StartedRuns(Struct, frozen=True):
    """The runs of a text with cases."""

    runs: tuple[StartedRun, ...]


class Rows(Struct, frozen=True):
    """Runs, newest first."""

    runs: tuple[RunRow, ...]


class File(Struct, frozen=True):
    """A stored file of a run."""

    name: str
    content_type: str
    size: int = 0


class Files(Struct, frozen=True):
    """The stored files of a run."""

    artifacts: tuple[File, ...]


class Workers(Struct, frozen=True):
    """The processes of the fleet."""

    workers: tuple[WorkerRow, ...]


class Sessions(Struct, frozen=True):
    """The open sessions."""

    sessions: tuple[SessionRow, ...]


class Draft(Struct, frozen=True):
    """A drafted case, for a person to review."""

    status: str
    summary: str = ""
    case: str = ""
    questions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class StoredCases(Struct, frozen=True):
    """The cases that the fleet keeps."""

    cases: tuple[LibraryCase, ...]


class CaseText(Struct, frozen=True):
    """The text of a stored case."""

    file: str
    text: str


class Maps(Struct, frozen=True):
    """The maps of explored apps."""

    maps: tuple[GraphRow, ...]


class Explored(Struct, frozen=True, omit_defaults=True):
    """What is to be explored: an address, or the app of a simulated device."""

    max_steps: int
    url: str = ""
    device: DeviceSpec | None = None
    keys: tuple[str, ...] = ()


class Posted(NamedTuple):
    """The body of a request, and the key with which repeating it changes nothing."""

    body: bytes
    content_type: str = "application/json"
    key: str = ""


NOTHING = Posted(b"", "")
LARGEST_FILE = 8 * 1024 * 1024
"""Bytes of a file that is handed on as a whole, in base64, to a model's client."""


class FleetApi:
    """A fleet behind its HTTP API, with the rights of one key.

    Raises:
        FleetRefusal: from each method, if the fleet refuses or cannot be reached.
    """

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def check(self, text: str, form: CaseFormat) -> CaseCheck:
        """Return what is wrong with the cases in a text."""
        return await self._call(CaseCheck, "POST", "/cases/validate", Posted(text.encode(), CONTENT_TYPES[form]))

    async def start(self, text: str, form: CaseFormat, key: str = "") -> tuple[StartedRun, ...]:
        """Start the cases in a text."""
        posted = Posted(text.encode(), CONTENT_TYPES[form], key)
        return (await self._call(StartedRuns, "POST", "/runs", posted)).runs

    async def cases(self) -> tuple[LibraryCase, ...]:
        """Return the cases that the fleet keeps."""
        return (await self._call(StoredCases, "GET", "/cases")).cases

    async def case_text(self, case: str) -> CaseText:
        """Return a case that the fleet keeps, in its newest version."""
        return await self._call(CaseText, "GET", f"/cases/{quote(case, safe='')}")

    async def maps(self) -> tuple[GraphRow, ...]:
        """Return the maps that explorations have made, newest first."""
        return (await self._call(Maps, "GET", "/maps")).maps

    async def map(self, run: str) -> MapView:
        """Return the map that a run has made."""
        _path(run)
        return await self._call(MapView, "GET", f"/maps/{run}")

    async def start_stored(self, case: str, key: str) -> tuple[StartedRun, ...]:
        """Start a case that the fleet keeps, in its newest version."""
        posted = Posted(codec.encode({"case": case}), key=key)
        return (await self._call(StartedRuns, "POST", "/runs", posted)).runs

    async def draft(self, instructions: str, url: str, key: str = "") -> StartedRun:
        """Have a case drafted; the draft is ready once the run is over."""
        posted = Posted(codec.encode({"instructions": instructions, "url": url}), key=key)
        return await self._call(StartedRun, "POST", "/drafts", posted)

    async def drafted(self, run: str) -> Draft:
        """Return the draft that a run has made."""
        _path(run)
        return await self._call(Draft, "GET", f"/drafts/{run}")

    async def explore(self, explored: Explored, key: str = "") -> StartedRun:
        """Explore an app."""
        return await self._call(StartedRun, "POST", "/explorations", Posted(codec.encode(explored), key=key))

    async def create_node(self, run: str, node: NewNode) -> NewNode:
        """Add a state to the map of a run."""
        _path(run)
        return await self._call(NewNode, "POST", f"/maps/{run}/nodes", Posted(codec.encode(node)))

    async def create_edge(self, run: str, edge: NewEdge) -> NewEdge:
        """Add a way between two states to the map of a run."""
        _path(run)
        return await self._call(NewEdge, "POST", f"/maps/{run}/edges", Posted(codec.encode(edge)))

    async def take_control(self, phone: str, minutes: int) -> PhoneLease:
        """Keep a phone for the runs of whoever asks."""
        path = f"/devices/{quote(phone, safe='')}/lease"
        return await self._call(PhoneLease, "POST", path, Posted(codec.encode(LeaseWish(minutes=minutes))))

    async def give_control_back(self, phone: str) -> None:
        """End the lease of a phone."""
        await self._fetch("POST", f"/devices/{quote(phone, safe='')}/release")

    async def health(self, suite: str) -> SuiteHealth:
        """Return which tests of a suite can be trusted; of all, without a suite."""
        return await self._call(SuiteHealth, "GET", f"/suites/analysis?{httpx.QueryParams({'suite': suite})}")

    async def workers(self) -> tuple[WorkerRow, ...]:
        """Return the processes of the fleet."""
        return (await self._call(Workers, "GET", "/workers")).workers

    async def sessions(self) -> tuple[SessionRow, ...]:
        """Return the open sessions."""
        return (await self._call(Sessions, "GET", "/sessions")).sessions

    async def show(self, run: str) -> RunView:
        """Return a run."""
        return await self._call(RunView, "GET", _path(run))

    async def node(self, run: str, node: str) -> NodeDetail:
        """Return one sub-task of a run, with its attempts."""
        return await self._call(NodeDetail, "GET", _path(run, "nodes", node))

    async def rows(self, *, status: str = "", suite: str = "", text: str = "", limit: int = 20) -> tuple[RunRow, ...]:
        """Return the newest runs that fit; empty fields fit all."""
        wanted = {"status": status, "suite": suite, "text": text, "limit": str(limit)}
        query = httpx.QueryParams({name: value for name, value in wanted.items() if value})
        return (await self._call(Rows, "GET", f"/runs?{query}")).runs

    async def steer(self, run: str, control: ControlName, text: str = "", key: str = "") -> StartedRun:
        """Cancel, pause, resume, answer or rerun a run; return the run that goes on."""
        fields = {"cancel": {"reason": text}, "answer": {"text": text}}.get(control)
        posted = Posted(codec.encode(fields), key=key) if fields is not None else NOTHING._replace(key=key)
        return await self._call(StartedRun, "POST", _path(run, control), posted)

    async def files(self, run: str) -> tuple[File, ...]:
        """Return the stored files of a run."""
        return (await self._call(Files, "GET", _path(run, "artifacts"))).artifacts

    async def file(self, run: str, name: str) -> bytes:
        """Return the content of a stored file of a run, of `LARGEST_FILE` at most."""
        if not {"", ".", ".."}.isdisjoint(name.split("/")):
            raise FleetRefusal(f"{name!r} is not a file of a run; {_path(run, 'artifacts')} lists them")
        path = f"{_path(run, 'artifacts')}/{quote(name)}"
        found = await self._fetch("GET", path, span=f"bytes=0-{LARGEST_FILE}")
        if len(found) > LARGEST_FILE:
            raise FleetRefusal(f"{name} has more than {LARGEST_FILE:,} bytes; download it: GET {path}")
        return found

    async def _call(self, shape: type[T], method: str, path: str, posted: Posted = NOTHING) -> T:
        content = await self._fetch(method, path, posted)
        try:
            return codec.decode(content, shape)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise FleetRefusal(f"{method} {path}: this is not an answer of a Muster gateway ({error})") from error

    async def _fetch(self, method: str, path: str, posted: Posted = NOTHING, span: str = "") -> bytes:
        given = {"Content-Type": posted.content_type, "Idempotency-Key": posted.key, "Range": span}
        headers = {name: value for name, value in given.items() if value}
        try:
            answer = await self._http.request(method, path, content=posted.body or None, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FleetRefusal(f"the gateway at {self._http.base_url} cannot be reached: {error}") from error
        if answer.is_success:
            return answer.content
        if span and answer.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return b""
        raise FleetRefusal(_reasons(answer))


def _path(run: str, *parts: str) -> str:
    """Return an address below a run's.

    Raises:
        FleetRefusal: a part is no name, and might lead elsewhere.
    """
    for part in (run, *parts):
        if not is_token(part):
            raise FleetRefusal(f"{part!r} is not the id of a run or sub-task; look for it in the list of runs")
    return "/".join(("/runs", run, *parts))


def _reasons(answer: httpx.Response) -> str:
    try:
        problem = codec.decode(answer.content, Problem)
    except (msgspec.DecodeError, msgspec.ValidationError):
        problem = Problem()
    return "; ".join(problem.reasons) or f"the gateway answered {answer.status_code} {answer.reason_phrase}"
