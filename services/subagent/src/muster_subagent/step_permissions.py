"""What a step's own words allow a model to do. Pure.

    Get rid of the banner                        -> the device alone
    Run the script "build.sh" and open the cart  -> also commands and addresses

Pages, files and outputs are no words of the step, so nothing that they say opens anything.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple, get_args
from urllib.parse import urljoin, urlsplit

from muster_devices.domains import allowed
from muster_protocol.kinds import ExploreInput
from muster_protocol.tasks import SubTask
from muster_text.clauses import QUOTED, literals
from muster_text.named_hosts import hosts_in
from muster_text.values import secret_names

Channel = Literal["device", "addresses", "requests", "search", "commands", "files", "transfers", "nothing"]
"""By what a call reaches something: `transfers` are uploads and downloads; `nothing`: it says not what it does."""
CHANNELS: tuple[Channel, ...] = get_args(Channel)

OPENED_BY: dict[Channel, str] = {
    "addresses": r"open|opens|go to|goes to|navigate|visit|browse|web address|address bar|url",
    "requests": r"http|https|api|endpoint|webhook|web service|(?:get|post|put|patch|delete|head) request"
    r"|send (?:a|an|the) request",
    "search": r"search the web|web search|on the internet",
    "commands": r"command|command line|terminal|shell|bash|script|scripts|curl|executable|install|compile"
    r"|(?:run|runs|execute|executes) (?:the )?⟦",
    "files": r"file|files|folder|folders|directory",
    "transfers": r"file|files|upload|attach|download|import|export",
}
"""Words of an action that open a channel. Of texts in quotes only addresses and file names do."""
OPENED_BY_EXPECTATION: dict[Channel, str] = {"commands": r"output|exit code|prints|stdout|stderr"}
"""Words of an expectation that open one."""
HINTS: dict[Channel, str] = {
    "addresses": '"open" or "go to" with the address',
    "requests": '"HTTP", "API" or "endpoint"',
    "search": '"search the web"',
    "commands": '"command", "script", or "run" with the command in quotes',
    "files": '"file" or "folder"',
    "transfers": '"upload", "download" or "file"',
}


_HERE = "http://page.invalid/"
_SCHEMED = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d)", re.IGNORECASE)
_HALF = re.compile(r"\s*https?:(?!//)(?!\d)", re.IGNORECASE)
_FILE = re.compile(r"[\w ./-]{1,200}\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)


class Permission(NamedTuple):
    """What one sub-task may do; by default act on the device and look."""

    channels: frozenset[Channel] = frozenset({"device"})
    secrets: frozenset[str] = frozenset()
    """Names of the secrets that its words name."""
    hosts: tuple[str, ...] = ()
    """Hosts that may be asked, and given secrets; empty: none."""


LEAST = Permission()


def permission_of(task: SubTask) -> Permission:
    """Return what the words of a person allow: of the written steps that a sub-task is about, and no other's.

    A tour may go to addresses of the hosts that its exploration may visit.
    A recovery may do what the step may that it is for. How a planner or an evaluator words it opens nothing. For an
    assignment, no words count: its agent's file and the rights it was given decide which tools it has at all.
    """
    if task.by_rights:
        given = task.assigned
        return Permission(frozenset(CHANNELS), frozenset(given.secrets), given.domains or given.hosts)
    if isinstance(task.input, ExploreInput):
        tour = task.input
        return Permission(frozenset({"device", "addresses"}), frozenset(tour.secrets), tour.domains)
    actions, expectations = _words(task)
    return Permission(
        channels=opened(actions, expectations),
        secrets=frozenset(name for text in (*actions, *expectations) for name in secret_names(text)),
        hosts=task.domains or task.step.hosts,
    )


def _words(task: SubTask) -> tuple[tuple[str, ...], tuple[str, ...]]:
    step = task.step
    if step.covers or step.precondition:
        return step.written or (task.description,), (step.expected_result,)
    if step.mended is not None:
        return (step.mended.action,), (step.mended.expected,)
    return (), ()


@lru_cache(maxsize=1024)
def opened(actions: tuple[str, ...], expectations: tuple[str, ...]) -> frozenset[Channel]:
    """Return the channels that written words open. Pure."""
    said = "\n".join(QUOTED.sub("⟦⟧", text) for text in actions)
    expected = "\n".join(QUOTED.sub("⟦⟧", text) for text in expectations)
    found: set[Channel] = {"device"}
    found |= {channel for channel, words in OPENED_BY.items() if _says(words, said)}
    found |= {channel for channel, words in OPENED_BY_EXPECTATION.items() if _says(words, expected)}
    found |= {"addresses"} if hosts_in(actions) else set()
    found |= {"transfers"} if any(_FILE.fullmatch(text) for action in actions for text in literals(action)) else set()
    return frozenset(found)


def _says(words: str, text: str) -> bool:
    return re.search(rf"(?<![\w/.-])(?:{words})(?![\w:/-])", text, re.IGNORECASE) is not None


def reaches_only(address: str, hosts: tuple[str, ...]) -> bool:
    """Return whether an address is one of these hosts, or of the page that is open.

    What is not a web address is an app's own; a browser opens none.
    """
    if "\\" in address or _HALF.match(address):
        return False  # which host that is, browsers and libraries read differently
    try:
        full = urljoin(_HERE, address if _SCHEMED.match(address) or address[:1] in "/?#." else f"http://{address}")
        scheme, netloc = urlsplit(full)[:2]
    except ValueError:
        return False
    own = scheme not in ("http", "https") or netloc == urlsplit(_HERE).netloc
    return own or (bool(hosts) and allowed(full, hosts))
