"""API keys as they are kept, found and stood for by cookies."""

import base64
import hashlib
import inspect
import os
import resource
from pathlib import Path

import pytest

from muster_gateway.problem_details import Refusal
from muster_gateway.security.api_keys import (
    HEADER,
    BadKeys,
    Role,
    StoredKey,
    build_stored_key,
    check_name,
    derive_proof,
    find_key,
    format_line,
    from_environment,
    make_cookie,
    make_key,
    parse_keys,
    read_cookie,
)
from muster_gateway.security.gate import Caller
from muster_gateway.security.keyring import Keyring
from muster_gateway.security.login import read_key

NOW = 1_796_000_000


def made(name: str = "ci", role: Role = "runner", expires_at: int = 0) -> tuple[str, StoredKey]:
    key = make_key()
    return key, build_stored_key(name, role, key, NOW, expires_at)


def test_a_key_has_256_random_bits_and_no_two_are_alike():
    keys = {make_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(len(base64.urlsafe_b64decode(key.removeprefix("muster_") + "=")) == 32 for key in keys)


def test_what_is_stored_is_read_back_as_it_was_and_holds_neither_the_key_nor_its_proof():
    (key, first), (_, second) = made(expires_at=NOW + 60), made("mia", "admin")
    text = f"{HEADER}\n\n{format_line(first)}\n  # said by a person\n{format_line(second)}\n"
    assert parse_keys(text) == (first, second)
    for secret in (
        key,
        key.removeprefix("muster_"),
        derive_proof(key).hex(),
        base64.b64encode(derive_proof(key)).decode(),
    ):
        assert secret not in text
    assert first.digest == hashlib.sha256(derive_proof(key)).hexdigest()


def test_a_key_is_found_by_its_proof_alone():
    (key, kept), (other, _) = made(), made()
    (_, third) = made("third")
    assert find_key((third, kept), derive_proof(key)) == kept
    assert find_key((third, kept), derive_proof(other)) is None
    assert find_key((), derive_proof(key)) is None
    assert find_key((kept,), derive_proof(key.upper())) is None


def test_secrets_are_compared_in_constant_time_and_to_the_end_of_the_list():
    assert "compare_digest" in inspect.getsource(find_key)
    assert "break" not in inspect.getsource(find_key)
    assert "compare_digest(_decode(seal)" in inspect.getsource(read_cookie)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ci runner", "six or seven fields"),
        ("ci boss {digest} {seal} - -", "role must be one of viewer, runner, admin"),
        ("ci runner {digest}0 {seal} - -", "hex"),
        ("ci runner {digest} zz - -", "hex"),
        ("ci runner {digest} {seal} yesterday -", "write a time as"),
        ("../x runner {digest} {seal} - -", "invalid key name"),
        ("API_KEY runner {digest} {seal} - -", "invalid key name"),
    ],
)
def test_a_line_that_is_no_key_is_named_by_its_number_and_not_quoted(line: str, told: str):
    written = line.format(digest="0" * 64, seal="1" * 32)
    with pytest.raises(BadKeys, match=f"line 2: .*{told}") as refused:
        parse_keys(f"{HEADER}\n{written}\n")
    assert "0" * 64 not in str(refused.value)


def test_a_name_that_is_there_twice_is_refused():
    with pytest.raises(BadKeys, match="line 2: duplicate key 'ci'"):
        parse_keys(f"{format_line(made()[1])}\n{format_line(made()[1])}\n")


@pytest.mark.parametrize("name", ["", "-x", "a b", "a\n", "x" * 65, "ü", "API_KEY", "\x1b[31m"])
def test_a_name_that_could_write_more_than_itself_is_no_name(name: str):
    with pytest.raises(BadKeys):
        check_name(name)


def test_a_cookie_stands_for_its_key_until_it_ends():
    key, kept = made()
    cookie = make_cookie(kept, derive_proof(key), NOW + 60)
    found = read_cookie((made()[1], kept), cookie, NOW)
    assert found is not None
    assert (found.key, found.until) == (kept, NOW + 60)
    assert read_cookie((kept,), cookie, NOW + 60) is None
    assert read_cookie((), cookie, NOW) is None
    assert key not in cookie
    assert key.removeprefix("muster_") not in cookie


def test_a_cookie_cannot_be_made_to_last_longer_nor_be_used_as_a_key():
    key, kept = made()
    expires, proof, seal = make_cookie(kept, derive_proof(key), NOW + 60).split(".")
    assert read_cookie((kept,), f"{NOW + 9999}.{proof}.{seal}", NOW) is None
    assert read_cookie((kept,), f"{int(expires):012d}.{proof}.{seal}", NOW) is None
    for part in (proof, seal, f"{expires}.{proof}.{seal}"):
        assert find_key((kept,), derive_proof(part)) is None


def test_whoever_reads_the_keys_file_can_make_no_cookie():
    _, kept = made()
    for guess in (bytes.fromhex(kept.digest), bytes.fromhex(kept.seal), kept.digest.encode(), b""):
        assert read_cookie((kept,), make_cookie(kept, guess, NOW + 60), NOW) is None


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        ".",
        "..",
        "1.2.3",
        "9" * 300,
        f"{NOW + 9}.é.ü",
        f"{NOW + 9}. . ",
        "²9.a.b",
        "-1.YQ.YQ",
        f"{NOW + 9}.YQ==.YQ==",
    ],
)
def test_what_is_no_cookie_stands_for_nobody(cookie: str):
    assert read_cookie((made()[1],), cookie, NOW) is None


def test_the_key_of_the_environment_is_the_same_in_every_gateway():
    key = "k" * 30
    one, two = from_environment(key), from_environment(key)
    assert (one, one.role) == (two, "admin")
    assert read_cookie((two,), make_cookie(one, derive_proof(key), NOW + 9), NOW) is not None
    with pytest.raises(BadKeys, match="22 to 200 characters"):
        from_environment("short")


def test_a_file_that_could_not_be_read_for_a_moment_is_read_again_though_it_did_not_change(tmp_path: Path):
    file = tmp_path / "keys"
    (first, one), (second, two) = made("one"), made("two")
    file.write_text(f"{HEADER}\n{format_line(one)}\n{format_line(two)}\n")
    keyring = Keyring(file=str(file))
    file.write_text(f"{HEADER}\n{format_line(one)}\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    next_free = os.dup(0)
    os.close(next_free)
    # No file can be opened then; with a limit of 0, threads that poll the open ones would fail as well.
    resource.setrlimit(resource.RLIMIT_NOFILE, (next_free, hard))
    try:
        keyring.refresh()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "open files" in keyring.problem and keyring.key(second) is not None
    keyring.refresh()
    assert not keyring.problem and keyring.key(first) is not None and keyring.key(second) is None


def test_a_login_form_has_one_field_and_what_else_is_sent_is_refused():
    form = "application/x-www-form-urlencoded"
    assert read_key(form, b"key=abc%20") == "abc"
    assert read_key("application/json", b'{"key": " abc"}') == "abc"
    for kind, body, status in ((form, b"a=&" * 20, 400), (form, b"", 400), ("text/plain", b"key=abc", 415)):
        with pytest.raises(Refusal) as refused:
            read_key(kind, body)
        assert refused.value.status == status


def test_a_key_that_is_bound_to_a_team_labels_what_it_submits_and_older_lines_have_none():
    bound = build_stored_key("ci", "runner", make_key(), 1, team="checkout")
    free = build_stored_key("mia", "admin", make_key(), 1)
    lines = f"{format_line(bound)}\n{format_line(free)}\n"

    assert parse_keys(lines) == (bound, free)
    assert [len(line.split()) for line in lines.splitlines()] == [7, 6]
    assert Caller("ci", "runner", "key", key=bound, chain={"trigger_chain": "a"}).labels == {
        "team": "checkout",
        "trigger_chain": "a",
    }
    assert Caller("mia", "admin", "key", key=free).labels == {}
    with pytest.raises(BadKeys, match="invalid name of a team"):
        parse_keys(f"{format_line(free)} <x>")
