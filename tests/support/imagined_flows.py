"""Sites with one long way to a goal among much else: a shop, a wizard behind a log-in, a booking."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muster_exploration.screen_shape import Part
from muster_protocol.explorations import Move

HOST = "http://app.test"


class FlowVisit(NamedTuple):
    """Where a visitor is, and what is remembered of the visit."""

    path: str
    done: frozenset[str] = frozenset()
    """What was done: logged in, put into the cart, pages of the wizard that were sent."""
    ticked: bool = False
    """Of the present form."""


class FlowSite:
    """Pages with a header of links, articles that lead to one another, and a search; what else there is, is the flow's."""

    entry = "/"

    def begin(self, number: int) -> FlowVisit:
        """Return a new visit."""
        return FlowVisit(self.entry)

    def address(self, at: FlowVisit) -> str:
        """Return the address of what is shown."""
        return HOST + at.path

    def name(self, at: FlowVisit) -> str:
        """Return the title of what is shown."""
        return "Thank you" if at.path == "/thanks" else at.path

    def parts(self, at: FlowVisit) -> list[Part]:
        """Return what is shown."""
        return [*self._header(at), *self._search(), *self.body(at)]

    def go(self, at: FlowVisit, move: Move) -> FlowVisit:
        """Return where a move leads."""
        if move.address:
            return at._replace(path=self.gate(move.address.removeprefix(HOST), at), ticked=False)
        if move.do == "toggle":
            return at._replace(ticked=move.option != "off")
        if move.name == "Search":
            return at._replace(path="/found", ticked=False)
        return self.act(at, move)._replace(ticked=False)

    def gate(self, path: str, at: FlowVisit) -> str:
        """Return where a link leads for this visitor."""
        return path

    def act(self, at: FlowVisit, move: Move) -> FlowVisit:
        """Return where a button or a form leads."""
        return at

    def body(self, at: FlowVisit) -> list[Part]:
        """Return what a page shows of its own."""
        if at.path.startswith("/article"):
            topic = at.path.rpartition("/")[2]
            return [Part("heading", f"About {topic}", 0), *_links(f"/article/{topic}-{more}" for more in _more(topic))]
        return [Part("heading", at.path, 0)]

    def menu(self, at: FlowVisit) -> Sequence[str]:
        """Return the paths that each page links to."""
        return ("/help", "/terms", "/article/oaks", "/article/elms", "/press", "/jobs")

    def _header(self, at: FlowVisit) -> list[Part]:
        return _links(["/", *self.menu(at)])

    def _search(self) -> list[Part]:
        return [Part("search", "", 0), Part("searchbox", "Words", 1), Part("button", "Search", 1)]


class FlowShop(FlowSite):
    """A purchase: log-in, cart, check-out with terms to accept, review."""

    entry = "/login"
    goods = ("lamp", "rope", "tent", "boots")

    def menu(self, at: FlowVisit) -> Sequence[str]:
        """Return what a customer gets to see."""
        own = ("/goods", "/cart", "/orders", "/profile") if "in" in at.done else ()
        return (*own, *super().menu(at))

    def gate(self, path: str, at: FlowVisit) -> str:
        """Nobody checks out an empty cart."""
        return "/cart" if path == "/checkout" and "cart" not in at.done else path

    def act(self, at: FlowVisit, move: Move) -> FlowVisit:
        """Log in, add, check out, order."""
        match at.path, move.name:
            case "/login", _ if move.do == "fill":
                return FlowVisit("/goods", at.done | {"in"})
            case _, "Add to cart":
                return at._replace(done=at.done | {"cart"})
            case "/checkout", _ if move.do == "fill" and at.ticked:
                return at._replace(path="/review")
            case "/review", "Confirm":
                return at._replace(path="/thanks")
            case "/profile", _ if move.do == "fill":
                return at._replace(path="/profile/saved")
            case _:
                return at

    def body(self, at: FlowVisit) -> list[Part]:
        """Return forms and goods."""
        match at.path:
            case "/login":
                return _form("Log in", "User name", "Password")
            case "/goods":
                rows = [[Part("listitem", "", 1), *_links([f"/goods/{one}"], 2), _button(2)] for one in self.goods]
                badge = [Part("text", "", 0, text=f"{'cart' in at.done}")]
                return [*badge, Part("list", "", 0), *(part for row in rows for part in row)]
            case "/cart":
                empty = Part("paragraph", "Your cart is empty", 0, text="Your cart is empty")
                return _links(["/checkout"]) if "cart" in at.done else [empty]
            case "/checkout":
                return [*_form("Continue", "Full name", "E-mail", "Remarks", box="I accept the terms", at=at)]
            case "/profile":
                return _form("Save", "Nickname", "City")
            case "/review":
                return [Part("button", "Confirm", 0), *_links(["/checkout"])]
            case _:
                return super().body(at)


class FlowStore(FlowShop):
    """The shop with goods in many views, a page for each, and a part that has nothing to do with the purchase."""

    goods = ("lamp", "rope", "tent", "boots", "shirt", "bag")

    def menu(self, at: FlowVisit) -> Sequence[str]:
        """Everybody gets to see the games."""
        return (*super().menu(at), "/games")

    def body(self, at: FlowVisit) -> list[Part]:
        """Return views, goods and games."""
        page = at.path.partition("?")[0]
        if page == "/goods":
            views = [f"/goods?of={of}&by={by}" for of in ("bags", "clothes", "all") for by in ("name", "price")]
            return [*_links(views), *super().body(at._replace(path=page))]
        if page.startswith("/goods/"):
            return [Part("heading", page, 0), _button(0), *_links(["/goods"])]
        if page == "/games":
            return _links(f"/games/{game}" for game in "abcdefghijk")
        if page.startswith("/games/"):
            return [Part("heading", page, 0), Part("button", f"Play {page}", 0), Part("button", f"Score {page}", 0)]
        return super().body(at)


class FlowWizard(FlowSite):
    """An application on four pages behind a log-in, each of which can be asked for only after the one before."""

    def menu(self, at: FlowVisit) -> Sequence[str]:
        """Members get more."""
        own = ("/members", "/mail", "/news", "/apply") if "in" in at.done else ("/login",)
        return (*super().menu(at), *own)

    def act(self, at: FlowVisit, move: Move) -> FlowVisit:
        """Log in, and send one page after the other."""
        if move.do != "fill":
            return at
        match at.path:
            case "/login":
                return FlowVisit("/members", at.done | {"in"})
            case "/apply/4":
                return at._replace(path="/thanks")
            case "/mail":
                return at._replace(path="/mail/sent")
            case _:
                pass
        if at.path.startswith("/apply"):
            return at._replace(path=f"/apply/{int(at.path.rpartition('/')[2].replace('apply', '1')) + 1}")
        return at

    def body(self, at: FlowVisit) -> list[Part]:
        """Return the form of each page."""
        match at.path:
            case "/login":
                return _form("Log in", "User name", "Password")
            case "/apply":
                return _form("Next", "First name", "Last name")
            case "/apply/2":
                return [*_form("Next", "Street", "City"), *_links(["/apply"])]
            case "/apply/3":
                return [*_form("Next", "Employer", "Income"), *_links(["/apply/2"])]
            case "/apply/4":
                return [*_form("Finish", "Remarks"), *_links(["/apply/3"])]
            case "/mail":
                return _form("Post", "Subject", "Body")
            case _:
                return super().body(at)


class FlowBooking(FlowSite):
    """A booking of one of many rooms by date, which has to be confirmed."""

    def menu(self, at: FlowVisit) -> Sequence[str]:
        """Rooms are one section of several."""
        return (*super().menu(at), "/rooms", "/spa", "/dining")

    def act(self, at: FlowVisit, move: Move) -> FlowVisit:
        """Choose a date, then confirm."""
        if move.do == "fill" and at.path.startswith("/rooms/"):
            return at._replace(path="/summary")
        if move.do == "fill" and at.path == "/summary" and at.ticked:
            return at._replace(path="/thanks")
        return at

    def body(self, at: FlowVisit) -> list[Part]:
        """Return rooms, their calendars and the summary."""
        if at.path == "/rooms":
            rows = [[Part("listitem", "", 1), *_links([f"/rooms/{one}"], 2)] for one in ("oak", "elm", "ash", "yew")]
            return [Part("list", "", 0), *(part for row in rows for part in row)]
        if at.path.startswith("/rooms/"):
            return [*_form("Check", "Date", "Guests"), *_links(["/rooms"])]
        if at.path == "/summary":
            return [*_form("Confirm", "Name", "E-mail", box="I agree", at=at), *_links(["/rooms"])]
        return super().body(at)


def _more(topic: str) -> Sequence[str]:
    return () if topic.count("-") > 1 else ("leaves", "roots", "bark")


def _links(paths: Iterable[str], level: int = 0) -> list[Part]:
    return [Part("link", path.strip("/").replace("/", " ") or "Home", level, HOST + path) for path in paths]


def _button(level: int) -> Part:
    return Part("button", "Add to cart", level)


def _form(button: str, *fields: str, box: str = "", at: FlowVisit | None = None) -> list[Part]:
    boxes = [Part("checkbox", box, 1, checked=bool(at and at.ticked))] if box else []
    return [Part("form", "", 0), *(Part("textbox", one, 1) for one in fields), *boxes, Part("button", button, 1)]
