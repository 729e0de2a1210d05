"""Which role may do what, and that every address says which one it needs."""

from typing import cast, get_args

import pytest
from litestar.routes import HTTPRoute, WebSocketRoute

from muster_bus import Bus
from muster_bus.nats_client import Client
from muster_gateway.app import create_application
from muster_gateway.context import Gateway
from muster_gateway.security.access_roles import Needed, find_role_refusal, is_allowed, required_role
from muster_gateway.security.gate import OpenToAll
from muster_gateway.settings import GatewaySettings

SIGNED = "/events/{sender:str}"
"""Its handler asks for a key of role runner or a signature (tests/integration/gateway/test_incoming_events.py)."""
OPEN = {"/", "/healthz", "/readyz", "/whoami", "/login", "/logout", "/console", "/console/{path:path}", SIGNED}


def gateway(**settings: object) -> Gateway:
    loaded = GatewaySettings(**settings)  # pyright: ignore[reportArgumentType]
    return Gateway(Bus(Client(), loaded), loaded)


def routes() -> list[tuple[str, str, dict[str, object]]]:
    """Return method, address and options of every handler."""
    found: list[tuple[str, str, dict[str, object]]] = []
    for route in create_application(gateway()).routes:
        if isinstance(route, WebSocketRoute):
            found.append(("WEBSOCKET", route.path, route.route_handler.opt))
        elif isinstance(route, HTTPRoute):
            found += [
                (str(method), route.path, handler.opt) for method, (handler, _) in route.route_handler_map.items()
            ]
    return [(method, path, opt) for method, path, opt in found if method != "OPTIONS"]


def test_every_address_says_which_role_it_needs():
    assert [f"{method} {path}" for method, path, opt in routes() if opt.get("role") not in get_args(Needed)] == []
    assert len(routes()) > 30


def test_only_what_holds_nothing_of_a_run_needs_no_key():
    assert {path for _, path, opt in routes() if required_role(opt) == "open"} <= OPEN


def test_whatever_changes_something_needs_more_than_a_viewer():
    changing = [(path, opt) for method, path, opt in routes() if method not in ("GET", "HEAD", "WEBSOCKET")]
    talk = {path for path, _ in changing if path.startswith("/conversations")}  # whose agent only looks for a viewer
    checked_inside = {"/login", "/logout", SIGNED, *talk}
    weak = {path for path, opt in changing if is_allowed("viewer", required_role(opt))} - checked_inside
    assert weak == set()


def test_dead_letters_are_settled_by_admins_alone():
    settling = [opt for method, path, opt in routes() if path.startswith("/dead") and method != "GET"]
    assert len(settling) == 2
    assert {required_role(opt) for opt in settling} == {"admin"}


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        ("", {"open"}),
        ("viewer", {"open", "viewer"}),
        ("runner", {"open", "viewer", "runner"}),
        ("admin", {"open", "viewer", "runner", "admin"}),
        ("boss", {"open"}),
    ],
)
def test_each_role_may_do_what_those_before_it_may(role: str, allowed: set[str]):
    assert {needed for needed in get_args(Needed) if is_allowed(role, cast("Needed", needed))} == allowed


def test_an_address_that_says_nothing_is_for_admins():
    assert required_role({}) == required_role({"role": "everybody"}) == "admin"


def test_a_refusal_says_whether_a_key_is_missing_or_its_role_is_not_enough():
    unknown, stale = find_role_refusal("", "viewer"), find_role_refusal("", "viewer", problem="log in again")
    lesser = find_role_refusal("viewer", "runner", "ci")
    assert unknown is not None
    assert stale is not None
    assert lesser is not None
    assert (unknown.status, stale.reasons, lesser.status) == (401, ("log in again",), 403)
    assert lesser.reasons == ("this needs a key of role runner; 'ci' has role viewer",)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "gateway.example", ""])
def test_without_keys_no_address_but_loopback_is_listened_on(host: str):
    with pytest.raises(OpenToAll, match=r"API_KEYS_FILE, or set ALLOW_OPEN=1"):
        gateway(http_host=host)
    assert gateway(http_host=host, allow_open=True).gate.keys.open
    assert not gateway(http_host=host, api_key="k" * 32).gate.keys.open
