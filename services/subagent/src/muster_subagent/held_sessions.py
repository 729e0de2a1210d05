"""The sessions that a worker process is or was attached to, each with its connection to a browser while that stays."""

import contextlib
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from msgspec import DecodeError
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_agents import EVERYTHING, Permissions
from muster_bus import Bus
from muster_devices.web.browser_driver import BrowserDriver
from muster_devices.web.browser_link import BrowserError, Link
from muster_devices.web.web_device import WebDevice
from muster_protocol import codec
from muster_protocol.session_requests import Attach
from muster_protocol.session_responses import Attached, SessionEvent, SessionGone
from muster_protocol.sessions import Holder, PathRules
from muster_protocol.tasks import SubTask
from muster_subagent.attachment import EXEC_TRY_SECONDS, Attachment
from muster_subagent.secrets import Secrets
from muster_subagent.session_client import HostClient
from muster_subagent.tool_context import SessionLost
from muster_subagent.tools.agent_permission import domains_within

KNOWN_SESSIONS = 16


class Attachments:
    """The sessions one worker process is or was attached to."""

    def __init__(self, bus: Bus, *, exec_try_seconds: float = EXEC_TRY_SECONDS) -> None:
        self._bus, self._exec_try_seconds = bus, exec_try_seconds
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._driver = BrowserDriver()

    @asynccontextmanager
    async def attach(
        self,
        sub_task: SubTask,
        delivery: int,
        secrets: Secrets,
        worker_id: str,
        permissions: Permissions = EVERYTHING,
    ) -> AsyncGenerator["Attachment"]:
        """Attach to the sub-task's session and shut out whoever was; leaving it in order asks for a checkpoint.

        Raises:
            SessionLost: the session or its host is gone, or a newer holder has it; also in place of the browser's error
                where that is the reason for it.
        """
        holder = Holder(dispatch=sub_task.dispatch, delivery=delivery, worker=worker_id)
        client = HostClient(self._bus, sub_task.host, sub_task.run, sub_task.session, holder)
        known = await self._listening(client)
        paths = PathRules(read=permissions.paths.read, write=permissions.paths.write)
        attached = await client.ask(client.mine(Attach, secrets=secrets.values(), paths=paths), Attached)
        await known.link.use(attached.endpoint)
        attachment = Attachment(known.link, client, attached, self._exec_try_seconds)
        attachment.web = WebDevice(attachment, domains_within(sub_task.domains, permissions.domains))
        known.lend(attachment)
        done = False
        try:
            yield attachment
            done = True
        except (BrowserError, SessionLost) as error:
            if not (isinstance(error, SessionLost) and error.fenced):
                await attachment.verify()
            raise
        finally:
            known.take_back(attachment)
            await attachment.leave(checkpoint=done)

    async def close(self) -> None:
        """Let go of every session; they stay as they are."""
        while self._known:
            await self._known.popitem()[1].drop(SessionLost("this worker is stopping"))
        await self._driver.stop()

    async def _listening(self, client: HostClient) -> "_Known":
        """Return what is known of a session, its events arriving: those that come before the attachment is made too."""
        key = f"{client.run}.{client.name}"
        known = self._known.get(key)
        if known is None or known.dropped:
            known = self._known[key] = _Known(client.host, self._driver)
            await known.listen(self._bus, self._bus.names.session_events(client.run, client.name))
        known.host = client.host
        self._known.move_to_end(key)
        unused = [key for key, known in self._known.items() if not known.lent]
        for old in unused[: max(0, len(self._known) - KNOWN_SESSIONS)]:
            await self._known.pop(old).drop(SessionLost("this worker had not used the session for long"))
        return known


class _Known:
    """One session as this process knows it: its browser, its events, and which attachment uses it now."""

    def __init__(self, host: str, driver: BrowserDriver) -> None:
        self.link = Link(driver)
        self.dropped, self.host = False, host
        self._user: Attachment | None = None
        self._subscription: Subscription | None = None

    @property
    def lent(self) -> bool:
        return self._user is not None

    async def listen(self, bus: Bus, subject: str) -> None:
        self._subscription = await bus.nc.subscribe(subject, cb=self._on_event)

    def lend(self, attachment: "Attachment") -> None:
        """Give the session to one user; another one in this process has lost it."""
        if self._user is not None:
            self._user.lose(SessionLost("a newer sub-task of this worker holds the session", fenced=True))
        self._user = attachment

    def take_back(self, attachment: "Attachment") -> None:
        if self._user is attachment:
            self._user = None

    async def drop(self, why: SessionLost) -> None:
        self.dropped = True
        if self._user is not None:
            self._user.lose(why)
        if self._subscription is not None:
            with contextlib.suppress(NatsError):
                await self._subscription.unsubscribe()
        await self.link.close()

    async def _on_event(self, message: Msg) -> None:
        try:
            event = cast("SessionEvent", codec.decode(message.data, cast("Any", SessionEvent)))
        except DecodeError:
            return  # told by a newer host; nothing this worker waits for
        if event.host not in {"", self.host}:
            return  # it had the session before, and was cut off when that was opened anew
        if isinstance(event, SessionGone):
            await self.drop(SessionLost(f"the session is over: {event.reason}"))
        elif self._user is not None:
            self._user.on_event(event)
