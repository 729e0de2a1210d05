"""Names of subjects, streams and buckets, all under one prefix."""

import re
from typing import NamedTuple

from muster_protocol.ids import is_token
from muster_protocol.requests import DeviceKind, Priority

_NO_TOKEN = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)


class Names(NamedTuple):
    """Every name that Muster uses on a NATS server. With different prefixes, teams and tests can share one."""

    prefix: str = "muster"

    @classmethod
    def under(cls, prefix: str) -> "Names":
        """Return the names under a prefix, which must be one subject token."""
        if not is_token(prefix):
            raise ValueError(f"prefix {prefix!r} must be one subject token (letters, digits, - and _)")
        return cls(prefix)

    def stream(self, name: str) -> str:
        """Return the server's name of a stream: `RUNS` with the default prefix, else `TEAM_RUNS`."""
        return name if self.prefix == "muster" else f"{self.prefix.upper()}_{name}"

    def plain(self, stream: str) -> str:
        """Return the name of a stream without the prefix, for people and metrics: `RUNS`, `KV_WORKERS`."""
        return stream if self.prefix == "muster" else stream.replace(f"{self.prefix.upper()}_", "", 1)

    def bucket(self, name: str) -> str:
        """Return the server's name of a key-value or object bucket."""
        return self.stream(name)

    @property
    def submit(self) -> str:
        """Run requests, answered with `Accepted` or `Rejected`."""
        return f"{self.prefix}.submit"

    @property
    def fleet_calls(self) -> str:
        """Calls of the API by agents of conversations, answered by any gateway."""
        return f"{self.prefix}.fleet-calls"

    @property
    def dead_letters(self) -> str:
        """Requests to replay or drop a dead letter, answered by any orchestrator."""
        return f"{self.prefix}.dead-letters"

    def request(self, run: str) -> str:
        """The queued request of a run, stored until the run has ended."""
        return f"{self.prefix}.requests.{run}"

    def events(self, run: str) -> str:
        """The run's log."""
        return f"{self.prefix}.runs.{run}.events"

    def tasks(self, pool: str, priority: Priority) -> str:
        """The work queue of a pool."""
        return f"{self.prefix}.tasks.{pool}.{priority}"

    def tasks_consumer(self, pool: str, priority: Priority) -> str:
        """The durable consumer that all workers of a pool share."""
        return f"{pool}-{priority}"

    def journal(self, task: str) -> str:
        """The journal of a sub-task; the id has the form `<run>.<node>.<attempt>`."""
        return f"{self.prefix}.journal.{task}"

    def control(self, run: str) -> str:
        """The controls of a run."""
        return f"{self.prefix}.control.{run}"

    def log(self, run: str, source: str) -> str:
        """The log lines of one source about a run."""
        return f"{self.prefix}.logs.{run}.{source}"

    def webhook(self, run: str, target: str = "") -> str:
        """A verdict to send as a webhook: to all receivers of a run, or to one."""
        return f"{self.prefix}.webhooks.{run}.{target}" if target else f"{self.prefix}.webhooks.{run}"

    def cloud_event(self, type: str) -> str:
        """Events of a type, for triggers and whoever else listens; characters that a subject cannot have become `_`."""
        return f"{self.prefix}.events.{type if type == '>' else _as_tokens(type)}"

    def dead(self, stream: str) -> str:
        """The dead letters from a stream."""
        return f"{self.prefix}.dead.{stream}"

    def verdict(self, run: str) -> str:
        """The verdict of a run, published once it is reached; not stored."""
        return f"{self.prefix}.live.verdicts.{run}"

    def live(self, subject: str) -> str:
        """The subject on which the server republishes what it stores on a subject."""
        return f"{self.prefix}.live.{subject.removeprefix(self.prefix + '.')}"

    @property
    def sessions_open(self) -> str:
        """Requests to open a session, or to close one on an unknown host, answered by any host."""
        return f"{self.prefix}.sessions.open"

    @property
    def sessions_ready(self) -> str:
        """Notices that a session host has opened what a run waited for, answered by any orchestrator."""
        return f"{self.prefix}.sessions.ready"

    def opening(self, kind: DeviceKind, priority: Priority, run: str, name: str) -> str:
        """A run's place in the line for sessions, the first of which has this name."""
        return f"{self.prefix}.openings.{kind}.{priority}.{run}.{name}"

    def openings_consumer(self, kind: DeviceKind, priority: Priority) -> str:
        """The durable consumer that all session hosts for a kind of device share."""
        return f"{kind}-{priority}"

    def session_host(self, host: str) -> str:
        """Requests to one session host."""
        return f"{self.prefix}.sessions.host.{host}"

    def session_events(self, run: str, name: str) -> str:
        """Events of a session for its holder: dialogs, command output."""
        return f"{self.prefix}.sessions.events.{run}.{name}"


def _as_tokens(text: str) -> str:
    """Return a text as subject tokens, one for each part between dots."""
    return ".".join(_NO_TOKEN.sub("_", part) or "_" for part in text.split("."))
