"""Hosts, origins and header values."""

import pytest

from muster_gateway.security.access import (
    build_access,
    content_disposition,
    content_type,
    cookie_name,
    find_refusal,
    is_trusted,
    parse_bearer,
    parse_cookies,
)


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"])
def test_on_loopback_the_names_of_loopback_are_answered(host: str):
    assert find_refusal(build_access("127.0.0.1"), "GET", host, None) is None


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[broken", "localhost.evil:8080"])
def test_on_loopback_any_other_name_is_refused_even_for_reading(host: str):
    refused = find_refusal(build_access("127.0.0.1"), "GET", host, None)
    assert refused is not None
    assert refused.status == 421


def test_on_a_network_any_name_is_answered_unless_names_are_listed():
    assert find_refusal(build_access("0.0.0.0"), "GET", "gateway:8080", None) is None
    named = build_access("0.0.0.0", "muster.example, Gateway")
    assert find_refusal(named, "GET", "gateway:8080", None) is None
    assert find_refusal(named, "GET", "localhost:8080", None) is None
    assert find_refusal(named, "GET", "other", None) is not None


@pytest.mark.parametrize(
    ("method", "origin", "allowed"),
    [
        ("POST", None, True),
        ("POST", "http://localhost:8080", True),
        ("POST", "http://localhost:9090", False),
        ("POST", "null", False),
        ("WEBSOCKET", "http://evil.example", False),
        ("WEBSOCKET", "https://ci.example", True),
        ("GET", "http://evil.example", True),
    ],
)
def test_pages_may_post_and_follow_only_from_the_gateways_own_origin_or_a_listed_one(
    method: str, origin: str | None, allowed: bool
):
    rules = build_access("127.0.0.1", allowed_origins="https://CI.example")
    assert (find_refusal(rules, method, "localhost:8080", origin) is None) == allowed


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("r1/a/page.png", "attachment; filename=\"page.png\"; filename*=UTF-8''page.png"),
        ('r1/a"; x=\\.png', "attachment; filename=\"a__ x=_.png\"; filename*=UTF-8''a%22%3B%20x%3D%5C.png"),
        ("r1/\r\nX: 1", "attachment; filename=\"__X_ 1\"; filename*=UTF-8''%0D%0AX%3A%201"),
        ("r1/über.txt", "attachment; filename=\"_ber.txt\"; filename*=UTF-8''%C3%BCber.txt"),
        ("r1/", "attachment; filename=\"file\"; filename*=UTF-8''file"),
    ],
)
def test_a_file_name_stays_within_its_header_value(name: str, value: str):
    assert content_disposition(name) == value


@pytest.mark.parametrize("claimed", ["", "text", "text/html\r\nX: 1", "a/b; x=y", "tëxt/html", "text/html\n"])
def test_what_is_no_content_type_is_sent_as_plain_bytes(claimed: str):
    assert content_type(claimed) == "application/octet-stream"


def test_a_content_type_with_a_charset_is_kept():
    assert content_type("text/plain; charset=utf-8") == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("site", "allowed"),
    [("", True), ("none", True), ("same-origin", True), ("same-site", False), ("cross-site", False)],
)
def test_a_post_without_an_origin_is_judged_by_its_site(site: str, allowed: bool):
    rules = build_access("127.0.0.1")
    assert (find_refusal(rules, "POST", "localhost:8080", None, site) is None) == allowed
    assert find_refusal(rules, "GET", "localhost:8080", None, site) is None


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://", "http://localhost:8080@evil.example", "//x"])
def test_an_origin_that_is_none_is_foreign(origin: str):
    for host in ("localhost:8080", ""):
        refused = find_refusal(build_access("0.0.0.0"), "POST", host, origin)
        assert refused is not None
        assert refused.status == 403
    assert not is_trusted(build_access("127.0.0.1", allowed_origins="https://ci.example"), origin)


@pytest.mark.parametrize(
    ("host", "name"),
    [("localhost:8080", "muster-8080"), ("muster.example", "muster"), ("[::1]:80", "muster-80"), ("a:x\r\n", "muster")],
)
def test_the_cookie_is_named_by_the_port_and_by_nothing_else_a_client_sends(host: str, name: str):
    assert cookie_name(host) == name


def test_all_cookies_of_a_name_are_looked_at_but_not_any_number_of_them():
    assert parse_cookies("a=1; muster=x.y=; muster-80=z;muster=2", "muster") == ("x.y=", "2")
    assert parse_cookies("", "muster") == ()
    assert len(parse_cookies("muster=1;" * 1000, "muster")) < 10


@pytest.mark.parametrize(
    ("header", "key"),
    [(None, None), ("", None), ("Basic eDp5", None), ("bearer  k ", "k"), ("Bearer", ""), ("Bearer a b", "a b")],
)
def test_a_key_is_read_from_a_bearer_header_alone(header: str | None, key: str | None):
    assert parse_bearer(header) == key


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("muster.example:443", "https://muster.example", True),
        ("Muster.example", "https://muster.example:443", True),
        ("muster.example:80", "http://muster.example", True),
        ("muster.example:443", "http://muster.example", False),
        ("muster.example:8443", "https://muster.example", False),
        (":443", "https://", False),
        ("", "null", False),
    ],
)
def test_the_usual_port_of_an_origin_may_be_named_in_the_host_or_not(host: str, origin: str, own: bool):
    assert (find_refusal(build_access("0.0.0.0"), "POST", host, origin) is None) == own
