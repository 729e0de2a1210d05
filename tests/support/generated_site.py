"""Sites that are made from a seed, and whose states are known: pages, forms, a log-in, endless lists and traps."""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from muster_exploration.screen_shape import Part
from muster_protocol.explorations import Move

HOST = "http://app.test"
FACETS: Mapping[str, Sequence[str]] = {"color": ("red", "blue"), "sort": ("price", "name"), "view": ("grid", "rows")}
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty")


class Visit(NamedTuple):
    """Where a visitor is, and what the site remembers of it."""

    path: str
    member: bool = False
    token: str = ""
    """Of the session, which stands in some addresses."""
    said: str = ""
    """What the page complains about."""


class GeneratedSite:
    """A site of about so many pages; a tenth of them are behind forms and a log-in, and the traps have no end."""

    def __init__(self, pages: int, seed: int) -> None:
        dice = random.Random(seed)
        self.topics = max(1, pages // 20)
        self.pages = max(4, pages - 3 * self.topics)
        self.across = [dice.sample(range(self.pages), min(3, self.pages)) for _ in range(self.pages)]

    def begin(self, number: int) -> Visit:
        """Return a new visit; each has a token of its own."""
        return Visit("/", token=hashlib.sha256(str(number).encode()).hexdigest()[:20])

    def address(self, at: Visit) -> str:
        """Return the address of what a visitor sees."""
        return f"{HOST}{at.path}"

    def states(self) -> frozenset[str]:
        """Return the names of all states that the site has."""
        facets = {f"shop {name}={value}" for name, values in FACETS.items() for value in values}
        topics = [self._topic(number) for number in range(self.topics)]
        behind = {f"{what} {topic}" for topic in topics for what in ("form", "complaint", "result", "member")}
        lists = {"next", "feed first", "feed", "archive first", "archive", "calendar", "deep", "session", "session two"}
        return frozenset(
            {"/", "login", "login complaint", "members", "shop"}
            | facets
            | behind
            | lists
            | {f"page {number}" for number in range(self.pages)}
        )

    def found(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of its states are among these; a combination of filters shows each of them."""
        told = {
            part for name in names for part in (name, *(f"shop {one}" for one in name.split(" ")[1:] if "=" in one))
        }
        return self.states() & told

    def name(self, at: Visit) -> str:
        """Return the name of the state that a visitor sees."""
        section, _, rest = at.path.removeprefix("/").partition("?")[0].partition("/")
        asked = dict(parse_qsl(urlsplit(at.path).query))
        if section == "p":
            return f"page {rest}"
        if section == "form":
            topic, _, done = rest.partition("/")
            return f"{'result' if done else 'complaint' if at.said else 'form'} {topic}"
        if section == "shop":
            return " ".join(["shop", *(f"{name}={asked[name]}" for name in sorted(asked))])
        if section == "members":
            return f"member {rest}" if rest else "members"
        if section in ("feed", "archive"):
            return f"{section} first" if asked.get("page", "1") == "1" else section
        if section == "s":
            return "session two" if rest.endswith("two") else "session"
        return {"login": f"login{' complaint' if at.said else ''}", "list": "next", "cal": "calendar", "": "/"}.get(
            section, section
        )

    def parts(self, at: Visit) -> list[Part]:
        """Return what a visitor sees."""
        section, _, rest = at.path.removeprefix("/").partition("?")[0].partition("/")
        body = getattr(self, f"_see_{section or 'home'}")(at, rest)
        home = _link("Contents", f"/s/{at.token}/one") if section == "s" else _link("Home", "/")
        return [home, *body]

    def go(self, at: Visit, move: Move) -> Visit:
        """Return where a move leads."""
        if move.address:
            there = at._replace(path=move.address.removeprefix(HOST), said="")
            closed = there.path.startswith("/members") and not there.member
            return there._replace(path="/login") if closed else there
        if move.do == "fill" and at.path == "/login":
            return at._replace(path="/members", member=True, said="")
        if move.do == "fill":
            return at._replace(path=f"{at.path}/done", said="")
        return at._replace(said="Please fill in all fields.")

    def _see_home(self, at: Visit, _rest: str) -> list[Part]:
        sections = (
            "/p/0",
            "/login",
            "/list/1",
            "/feed",
            "/archive",
            "/cal/2026/05",
            "/deep",
            "/shop",
            f"/s/{at.token}/one",
        )
        forms = [f"/form/{self._topic(number)}" for number in range(self.topics)]
        return [
            Part("heading", "Welcome", 0),
            *(
                _link(f"Go to {to.split('/')[1]} {to.split('/')[-1] if to in forms else ''}", to)
                for to in (*sections, *forms)
            ),
        ]

    def _see_p(self, _at: Visit, rest: str) -> list[Part]:
        number = int(rest)
        below = [one for one in (3 * number + 1, 3 * number + 2, 3 * number + 3) if one < self.pages]
        return [
            Part("heading", f"Page {number}", 0),
            *(_link(f"Page {one}", f"/p/{one}") for one in dict.fromkeys((*below, *self.across[number]))),
        ]

    def _see_form(self, at: Visit, rest: str) -> list[Part]:
        topic, _, done = rest.partition("/")
        if done:
            return [Part("heading", f"Thank you for {topic}", 0)]
        complaint = [Part("heading", at.said, 0)] if at.said else []
        fields = [Part("textbox", f"Your {topic}", 1), Part("textbox", "E-mail", 1), Part("button", "Continue", 1)]
        return [Part("heading", f"Questions about {topic}", 0), *complaint, Part("form", topic, 0), *fields]

    def _see_login(self, at: Visit, _rest: str) -> list[Part]:
        complaint = [Part("heading", at.said, 0)] if at.said else []
        fields = [Part("textbox", "User name", 1), Part("textbox", "Password", 1), Part("button", "Log in", 1)]
        return [Part("heading", "Log in", 0), *complaint, Part("form", "Log in", 0), *fields]

    def _see_members(self, _at: Visit, rest: str) -> list[Part]:
        if rest:
            return [Part("heading", f"Member's {rest}", 0)]
        topics = [self._topic(number) for number in range(self.topics)]
        return [Part("heading", "Members", 0), *(_link(f"Your {topic}", f"/members/{topic}") for topic in topics)]

    def _see_list(self, _at: Visit, rest: str) -> list[Part]:
        return [Part("heading", f"Part {rest}", 0), _link("More", f"/list/{int(rest) + 1}")]

    def _see_feed(self, at: Visit, _rest: str) -> list[Part]:
        page = _page(at)
        near = [("Newer", page - 1), ("Older", page + 1)]
        return [Part("heading", "News", 0), *(_link(name, f"/feed?page={to}") for name, to in near if to > 0)]

    def _see_archive(self, at: Visit, _rest: str) -> list[Part]:
        page = _page(at)
        shown = dict.fromkeys((1, *range(max(1, page - 2), page + 3), 5000))
        rows = [(Part("listitem", "", 1), _link(f"{to}", f"/archive?page={to}", 2)) for to in shown if to != page]
        before = [_link("Previous", f"/archive?page={page - 1}")] if page > 1 else []
        return [Part("heading", "Archive", 0), *before, Part("list", "", 0), *(part for row in rows for part in row)]

    def _see_cal(self, _at: Visit, rest: str) -> list[Part]:
        year, month = map(int, rest.split("/"))
        near = [date(year + (month + by - 1) // 12, (month + by - 1) % 12 + 1, 1) for by in (-1, 1)]
        links = zip(("Before", "After", "Today"), (*near, date(2026, 5, 1)), strict=True)
        return [Part("heading", "Calendar", 0), *(_link(name, f"/cal/{to.year}/{to.month:02d}") for name, to in links)]

    def _see_deep(self, at: Visit, _rest: str) -> list[Part]:
        return [Part("heading", "Folder", 0), _link("Down", f"{at.path}/deep")]

    def _see_shop(self, at: Visit, _rest: str) -> list[Part]:
        asked = dict(parse_qsl(urlsplit(at.path).query))
        ways = [(f"Only {value}", {**asked, name: value}) for name, values in FACETS.items() for value in values]
        return [
            Part("heading", "Shop", 0),
            *(_link(name, f"/shop?{urlencode(sorted(to.items()))}") for name, to in ways),
        ]

    def _see_s(self, at: Visit, rest: str) -> list[Part]:
        token, here = rest.split("/")
        other = "two" if here == "one" else "one"
        return [Part("heading", f"Session {here}", 0), _link(f"Chapter {other}", f"/s/{token}/{other}")]

    @staticmethod
    def _topic(number: int) -> str:
        return "-".join((WORDS[number % 10], WORDS[number // 10 % 10], WORDS[number // 100 % 10]))


def _link(name: str, path: str, level: int = 0) -> Part:
    return Part("link", name.strip(), level, f"{HOST}{path}")


def _page(at: Visit) -> int:
    return int(dict(parse_qsl(urlsplit(at.path).query)).get("page", "1"))
