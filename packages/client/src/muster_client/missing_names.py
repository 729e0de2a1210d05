"""Finds unknown names of workspaces, phones, stored cases and agents. Pure."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from muster_protocol.logs import WorkerRow
from muster_protocol.requests import Assignment, DeviceSpec, RunRequest
from muster_protocol.triggers import Trigger
from muster_text.text_match import nearest


class Named(NamedTuple):
    """The workspace and the phone that a request names; each "" for none."""

    workspace: str
    phone: str


def named_in(request: RunRequest) -> Named:
    """Return the workspace and the phone that a request names."""
    job = request.job
    device = getattr(job, "device", None)
    workspace = job.workspace if isinstance(job, Assignment) else ""
    return Named(workspace, device.name if isinstance(device, DeviceSpec) else "")


def find_missing_names(request: RunRequest, rows: Sequence[WorkerRow]) -> tuple[str, ...]:
    """Return a sentence for each name that no live host has, with those that there are; none where no host is live."""
    hosts = [row for row in rows if row.service == "sessions"]
    if not hosts:
        return ()
    workspace, phone = named_in(request)
    workspaces = {name for row in hosts for name in row.workspaces}
    phones = {it.name for row in hosts for it in row.phones}
    return (*_missing("workspace", workspace, workspaces), *_missing("phone", phone, phones))


def find_missing_orders(trigger: Trigger, cases: Collection[str], agents: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each stored case and agent that a trigger names and that is not among these ids."""
    for job in (run.job for run in trigger.runs):
        if isinstance(job, Assignment):
            for case in job.may_start:
                if case not in cases:
                    hint = _meant(case, cases) or "; `muster cases push` stores it"
                    yield f"may_start: no case {case!r} is stored{hint}"
            if job.agent not in agents:
                hint = _meant(job.agent, agents)
                yield f"do: no agent {job.agent!r} is built in or pushed{hint}; workers may have it in AGENTS_DIR"


def _meant(name: str, there: Iterable[str]) -> str:
    close = nearest(name, sorted(there), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _missing(what: str, name: str, there: Iterable[str]) -> Iterator[str]:
    names = sorted(there)
    if name and name not in names:
        meant = _meant(name, names) or "."
        yield f"no session host that is live has a {what} {name!r}{meant} There are: {', '.join(names) or 'none'}"
