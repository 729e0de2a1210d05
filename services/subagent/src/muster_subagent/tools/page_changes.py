"""What an action did to the page, in words. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from muster_protocol.causes import Failure
from muster_subagent.tools.page_health import Health
from muster_subagent.tools.targets import Control
from muster_subagent.tools.text_matching import listed, quote


class Changes(Struct, frozen=True):
    """What is different on a page that is still the same document."""

    url: bool
    title: bool
    scrolled: bool
    dialogs: tuple[str, ...]
    closed: bool
    """A dialog of the page (not of the browser) went away."""
    alerts: tuple[str, ...]
    headings: tuple[str, ...]
    lines: tuple[str, ...]
    gone: tuple[str, ...]
    touched: bool
    """A control has another value or state."""
    detached: bool
    """The element itself is gone or was replaced."""
    focused: bool
    requested: bool


class After(Struct, frozen=True):
    """The settled page after an action."""

    url: str
    title: str
    left: tuple[str, ...]
    """What was still pending when the time was up."""
    popups: int
    fresh: bool
    """The document is a new one, so there is nothing to compare."""
    target: Control | None
    changes: Changes | None
    headings: tuple[str, ...]
    alerts: tuple[str, ...]
    status: int = 0
    """HTTP status of the document; 0: no server has answered with it."""


class Acted(Struct, frozen=True):
    """What came of an action: the page after it, and what only the driver could see."""

    after: After
    before_url: str
    tab: str = ""
    """Title of a tab that it opened; that is the current one now."""
    closed: bool = False
    """It closed its own tab."""
    sent_late: bool = False
    """It was done, but what it started took longer than the action timeout."""

    @property
    def target(self) -> Control | None:
        """The element that was acted on, as it is now; None once it is gone."""
        return self.after.target

    @property
    def changed(self) -> bool:
        """Whether anything was seen to happen."""
        changes = self.after.changes
        if self.tab or self.closed or changes is None:
            return True
        quiet = Changes(
            url=False, title=False, scrolled=False, dialogs=(), closed=False, alerts=(), headings=(), lines=(), gone=(),
            touched=False, detached=False, focused=changes.focused, requested=False,
        )  # fmt: skip
        typable = self.target is not None and self.target.states.editable
        return changes != quiet or (changes.focused and typable)

    @property
    def failure(self) -> Failure | None:
        """Whose fault it is that the page it led to is none of the product, if so."""
        return self._page.failure

    @property
    def _page(self) -> Health:
        return Health(self.after.url, self.after.status)

    def words(self) -> str:
        """Return what changed, as sentences."""
        said = [self._place(), *self._news(), *self._notes()]
        return " ".join(sentence for sentence in said if sentence)

    def _place(self) -> str:
        after = self.after
        if self.closed:
            return f"The tab closed; the current one is {quote(after.title)} at {after.url}."
        if self.tab:
            return f"A new tab opened and is the current one: {quote(self.tab)} at {after.url}."
        if after.url != self.before_url or after.fresh:
            return f"The page is now {quote(after.title)} at {after.url}."
        return f"The title is now {quote(after.title)}." if after.changes and after.changes.title else ""

    def _news(self) -> list[str]:
        changes = self.after.changes
        if changes is None or self.tab or self.closed:
            return [_new("It shows", self.after.alerts or self.after.headings)]
        if not self.changed:
            return ["Nothing on the page was seen to change."]
        told = changes.dialogs or changes.alerts
        lines = [line for line in changes.lines if not any(line in text for text in told)]
        return [
            _new("A dialog opened:", [text[:120] for text in changes.dialogs]),
            "A dialog closed." if changes.closed else "",
            _new("Alert:", changes.alerts),
            _new("New on the page:", lines),
            _new("No longer there:", changes.gone if not lines else ()),
        ]

    def _notes(self) -> list[str]:
        waiting = f"Still loading: {listed(self.after.left, 3)}." if self.after.left else ""
        late = "It was done once and is not repeated; what it started took long." if self.sent_late else ""
        broken = f"But that is: {self._page.words}." if self.failure else ""
        return [waiting, late, broken]


def _new(lead: str, texts: Sequence[str]) -> str:
    return f"{lead} {listed(texts, 5)}." if texts else ""
