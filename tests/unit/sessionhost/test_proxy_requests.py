"""What commands may ask of the proxy that keeps them to their domains."""

import pytest

from muster_sessionhost.proxy_requests import NoProxyRequest, read_request


def test_a_tunnel_is_asked_for_by_host_and_port() -> None:
    asked = read_request(b"CONNECT Shop.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n")
    assert asked == ("Shop.test", 443, b"")
    assert read_request(b"CONNECT [::1]:8443 HTTP/1.0\r\n\r\n")[:2] == ("::1", 8443)


def test_a_request_goes_on_to_the_host_of_its_address_alone_and_ends_the_connection() -> None:
    asked = read_request(
        b"POST HTTP://me:pw@shop.test/cart?a=b#part HTTP/1.1\r\nHost: other.test\r\nProxy-Connection: keep-alive\r\n"
        b"connection: upgrade\r\nUpgrade: websocket\r\nX-Kept: a: b\r\nContent-Length: 2\r\n\r\n"
    )
    assert asked[:2] == ("shop.test", 80)
    assert asked.head == (
        b"POST /cart?a=b HTTP/1.1\r\nHost: shop.test\r\nX-Kept: a: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
    )
    asked = read_request(b"GET http://127.0.0.1:5000?q HTTP/1.1\r\n\r\n")
    assert asked.head.startswith(b"GET /?q HTTP/1.1\r\nHost: 127.0.0.1:5000\r\n")


@pytest.mark.parametrize(
    "line",
    [
        "GET / HTTP/1.1",
        "GET //shop.test/ HTTP/1.1",
        "GET ftp://shop.test/ HTTP/1.1",
        "GET https://shop.test/ HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET http:/shop.test/ HTTP/1.1",
        "GET http:///path HTTP/1.1",
        "GET http://evil.test\\@shop.test/ HTTP/1.1",
        "GET http://shop.test\\.evil.test/ HTTP/1.1",
        "GET http://shop.test:0/ HTTP/1.1",
        "GET http://shop.test:99999/ HTTP/1.1",
        "GET http://shop test/ HTTP/1.1",
        "GET http://shop%2etest/ HTTP/1.1",
        "GET http://sh\u00f6p.test/ HTTP/1.1",
        "GET http://[::1/ HTTP/1.1",
        "GET http://shop.test/\nHost: evil.test HTTP/1.1",
        "CONNECT shop.test HTTP/1.1",
        "CONNECT me@shop.test:443 HTTP/1.1",
        "CONNECT http://shop.test:443 HTTP/1.1",
        "CONNECT shop.test:443/path HTTP/1.1",
        "get http://shop.test/ HTTP/1.1",
        "GET http://shop.test/",
        "PRI * HTTP/2.0",
        "",
        "\x05\x01",
    ],
)
def test_whatever_else_is_asked_is_refused(line: str) -> None:
    with pytest.raises(NoProxyRequest):
        read_request(f"{line}\r\nHost: shop.test\r\n\r\n".encode("latin-1"))
