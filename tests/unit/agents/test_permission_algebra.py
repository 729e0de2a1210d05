"""Permissions: what is left of several is allowed by each of them, in whatever order they come."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_agents.permissions import (
    EVERYTHING,
    Devices,
    Paths,
    Permissions,
    covers,
    domain_overlap,
    intersection,
    path_overlap,
)

PARTS = st.sampled_from(["src", "tests", "docs", "a", "srcs"])
PATHS = st.lists(PARTS, min_size=0, max_size=3).map(lambda parts: "/".join(parts) or ".")
LABELS = st.lists(st.sampled_from(["shop", "test", "api"]), min_size=1, max_size=3).map(".".join)
HOSTS = st.tuples(LABELS, st.sampled_from(["", ":80", ":8080"])).map("".join)
FLAT = st.sampled_from(["read", "grep", "click", "act", "web", "TOKEN"])


def names(of: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...] | None]:
    return st.none() | st.lists(of, max_size=4).map(tuple)


PERMISSIONS = st.builds(
    Permissions,
    tools=names(FLAT),
    effects=names(FLAT),
    paths=st.builds(Paths, read=names(PATHS), write=names(PATHS)),
    domains=names(HOSTS),
    devices=st.builds(Devices, read=names(FLAT), control=names(FLAT)),
    secrets=names(FLAT),
    approvals=st.lists(FLAT, max_size=3).map(tuple),
)


def allowed(it: Permissions, path: str, host: str, name: str) -> list[bool]:
    """Return what is allowed of one path, host and name, by every part of a permission."""
    flat = (it.tools, it.effects, it.devices.read, it.devices.control, it.secrets)
    return [
        *(covers(paths, path, path_overlap) for paths in (it.paths.read, it.paths.write)),
        covers(it.domains, host, domain_overlap),
        *(covers(names, name) for names in flat),
    ]


@given(PERMISSIONS, PERMISSIONS)
def test_the_order_of_two_does_not_matter(one: Permissions, other: Permissions):
    assert one & other == other & one


@given(PERMISSIONS, PERMISSIONS, PERMISSIONS)
def test_the_grouping_of_three_does_not_matter(first: Permissions, second: Permissions, third: Permissions):
    assert (first & second) & third == first & (second & third)


@given(PERMISSIONS)
def test_one_with_itself_or_with_everything_is_the_same(one: Permissions):
    assert one & one == one == one & EVERYTHING


@given(PERMISSIONS, PERMISSIONS)
def test_what_is_left_is_never_wider_than_either(one: Permissions, other: Permissions):
    left = one & other

    assert left.within(one)
    assert left.within(other)


@given(PERMISSIONS, PERMISSIONS, PATHS, HOSTS, FLAT)
def test_exactly_what_both_allow_is_allowed(one: Permissions, other: Permissions, path: str, host: str, name: str):
    left = one & other
    assert allowed(left, path, host, name) == [
        mine and yours
        for mine, yours in zip(allowed(one, path, host, name), allowed(other, path, host, name), strict=True)
    ]


@given(st.lists(PERMISSIONS, min_size=1, max_size=6))
def test_no_child_skill_page_or_file_ends_with_more_than_its_parent_had(chain: list[Permissions]):
    held = [intersection(chain[: depth + 1]) for depth in range(len(chain))]

    assert all(child.within(parent) for parent, child in pairwise(held))
    assert all(held[-1].within(each) for each in chain)


@given(PERMISSIONS, PERMISSIONS, FLAT)
def test_what_a_person_has_to_allow_for_either_has_to_be_allowed_for_both(
    one: Permissions, other: Permissions, name: str
):
    assert (name in (one & other).approvals) == (name in one.approvals or name in other.approvals)


@given(PERMISSIONS, PATHS)
def test_nothing_is_written_that_may_not_be_read(one: Permissions, path: str):
    assert covers(one.paths.read, path, path_overlap) or not covers(one.paths.write, path, path_overlap)


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        (("src",), ("src/shop", "docs"), ("src/shop",)),
        (("src",), ("srcs",), ()),
        ((".",), ("docs",), ("docs",)),
        (None, ("docs/", "docs/a"), ("docs",)),
        ((), None, ()),
    ],
)
def test_a_path_stands_for_all_below_it(one: tuple[str, ...], other: tuple[str, ...], left: tuple[str, ...]):
    assert (Paths(read=one) & Paths(read=other)).read == left


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        (("shop.test",), ("*.API.shop.test",), ("api.shop.test",)),
        (("shop.test:8080",), ("api.shop.test",), ("api.shop.test:8080",)),
        (("shop.test:80",), ("shop.test:81",), ()),
        (("shop.test",), ("myshop.test",), ()),
        (("[::1]",), ("[::1]:80",), ("[::1]:80",)),
    ],
)
def test_a_host_stands_for_all_below_it(one: tuple[str, ...], other: tuple[str, ...], left: tuple[str, ...]):
    assert (Permissions(domains=one) & Permissions(domains=other)).domains == left


@pytest.mark.parametrize("path", ["", "/etc", "a/../../b", "..", "a\\b", "a\0b", "*.py", ".git", "sub/.GIT/hooks"])
def test_a_path_outside_or_of_the_repository_is_refused(path: str):
    with pytest.raises(ValueError, match=r"workspace|wildcard|repository"):
        Paths(write=(path,))
