"""Rows and replies for sessions that a host opens. Pure, except that `make_row` creates an id."""

from collections.abc import Collection

import msgspec
from nats.errors import Error as NatsError

from muster_bus.store_answers import describe_error
from muster_devices.errors import DeviceRefused
from muster_protocol.errors import BusError
from muster_protocol.ids import is_token, new_id
from muster_protocol.session_requests import OpenSession
from muster_protocol.session_responses import Opened, SessionError
from muster_protocol.sessions import SessionRef, SessionRow
from muster_sessionhost.session import LiveSession
from muster_sessionhost.workspace_checkout import CheckoutFailed


def find_problem(request: OpenSession) -> str:
    """Return why the request is invalid, or ""."""
    if not (is_token(request.run) and is_token(request.name)):
        return "run and name must be letters, digits, - and _"
    return ""


def find_lacking(request: OpenSession, host: str, device: str, workspaces: Collection[str]) -> SessionError | None:
    """Return what a host lacks for a session; None: nothing. `device`: why it cannot run the device, if it cannot."""
    if device:
        text = f"session host {host} cannot run a device of kind {request.kind} ({device})"
        return SessionError(reason="no_device", text=text)
    if request.workspace and request.workspace not in workspaces:
        served = f"it serves {', '.join(sorted(workspaces))}" if workspaces else "it serves none"
        text = f"session host {host} serves no workspace {request.workspace!r}: {served} (WORKSPACES)"
        return SessionError(reason="no_workspace", text=text)
    return None


def explain_failed_open(error: Exception, request: OpenSession, trouble: str) -> SessionError:
    """Return the reply for a session that could not be opened; `trouble`: what is wrong with NATS, if known."""
    match error:
        case NatsError() | BusError() | TimeoutError():
            return SessionError(
                reason="busy", text=f"NATS does not answer the session host: {trouble or describe_error(error)}"
            )
        case CheckoutFailed():
            text = f"the workspace {request.workspace} cannot be opened: {error}"
            return SessionError(reason="invalid", text=text)
        case DeviceRefused():
            return SessionError(reason="invalid", text=f"the session's device cannot be opened: {error.text}")
        case _:
            text = f"the session could not be opened: {type(error).__name__}"
            return SessionError(reason="fault", text=text)


def make_row(request: OpenSession, host: str, now: float) -> SessionRow:
    """Return the row of a session that this host begins to open; `now` in Unix seconds."""
    return SessionRow(
        run=request.run,
        name=request.name,
        host=host,
        kind=request.device.kind if request.device else "web",
        opened_at=now,
        seen_at=now,
        instance=new_id("s"),
    )


def make_ready_row(row: SessionRow, session: LiveSession) -> SessionRow:
    """Return the session's row once it is open."""
    restored, after, missing = session.reopened
    return msgspec.structs.replace(
        row, capabilities=session.ref.capabilities, restored=restored, after=after, missing=missing
    )


def make_opened(session: LiveSession, *, fresh: bool) -> Opened:
    """Return the reply for a session that is open on this host."""
    restored, after, missing = session.reopened
    return Opened(session=session.ref, fresh=fresh, restored=restored, after=after, missing=missing)


def make_reply_of_other(claimed: SessionRow, row: SessionRow | None) -> Opened | SessionError:
    """Return the reply for a session that another host has `claimed`; `row`: its row once it is open, None: not yet."""
    if row is None:
        return SessionError(reason="busy", text=f"session host {claimed.host} has not opened the session yet")
    session = SessionRef(
        run=row.run,
        name=row.name,
        kind=row.kind,
        host=row.host,
        capabilities=row.capabilities,
        instance=row.instance,
    )
    return Opened(session=session, fresh=False, restored=row.restored, after=row.after, missing=row.missing)
