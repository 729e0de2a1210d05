"""Token buckets, and who counts as one caller."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_gateway.http.connections import Bounds, exceeds_bounds, parse_networks
from muster_gateway.security.rate_limits import Limiter, caller_network, is_worth_logging


def test_a_burst_is_let_through_and_then_the_rate():
    limiter = Limiter(rate=2.0, burst=3)
    assert [limiter.take("a", 0.0).seconds for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.take("b", 0.0).seconds == 0
    assert limiter.take("a", 0.4).seconds == pytest.approx(0.1)
    assert limiter.take("a", 0.5).seconds == 0
    assert [limiter.take("a", 100.0).seconds for _ in range(4)] == [0, 0, 0, 0.5]


def test_refusals_in_a_row_are_counted_and_the_count_starts_anew():
    limiter = Limiter(rate=1.0, burst=1)
    assert [limiter.take("a", 0.0).refused for _ in range(3)] == [0, 1, 2]
    assert [limiter.take("a", 1.0).refused for _ in range(2)] == [0, 1]
    assert [n for n in range(1, 2000) if is_worth_logging(n)] == [1, 10, 100, 1000]


def test_a_rate_of_zero_limits_nothing():
    limiter = Limiter(rate=0.0, burst=1)
    assert {limiter.take("a", 0.0).seconds for _ in range(1000)} == {0.0}


def test_no_more_callers_are_remembered_than_there_is_room_for():
    limiter = Limiter(rate=1.0, burst=1, most=3)
    for number in range(1000):
        limiter.take(f"caller {number}", 0.0)
    assert limiter.take("caller 999", 0.0).seconds > 0
    assert limiter.take("caller 0", 0.0).seconds == 0


@given(st.lists(st.floats(0, 5), max_size=60), st.floats(0.5, 5), st.integers(1, 5))
def test_never_more_than_the_burst_and_the_rate_is_let_through(gaps: list[float], rate: float, burst: int):
    limiter, now, let = Limiter(rate, burst), 0.0, 0
    for gap in gaps:
        now += gap
        let += not limiter.take("a", now).seconds
    assert let <= burst + rate * now + 1e-6


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_addresses_that_one_host_has_plenty_of_are_one_caller(address: str, network: str):
    assert caller_network(address) == network


def test_connections_are_bounded_in_all_and_by_address_but_for_proxies():
    bounds = Bounds(10.0, 60.0, most=4, most_of_peer=2, proxies=parse_networks("10.0.0.0/8, 192.0.2.1"))
    assert not exceeds_bounds(bounds, "a", ["a", "a"])
    assert exceeds_bounds(bounds, "a", ["a", "a", "a"])
    assert not exceeds_bounds(bounds, "10.1.1.1", ["10.1.1.1"] * 3)
    assert exceeds_bounds(bounds, "10.1.1.1", ["10.1.1.1"] * 5)
    assert exceeds_bounds(bounds, "b", ["a", "a", "c", "d", "b"])
    with pytest.raises(ValueError, match="appear to be an IPv4 or IPv6"):
        parse_networks("proxy.example")
