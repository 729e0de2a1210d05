"""`muster keys`: the file it keeps, and what it shows."""

import os
import stat
import tempfile
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster_cli.subcommands.key_admin import add_key, keys, parse_life
from muster_gateway.security.api_keys import HEADER, derive_proof, find_key, parse_keys
from muster_protocol.errors import InvalidRequest


def muster_keys(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(keys, [*arguments, "--file", str(file)])


def test_a_key_is_shown_once_and_kept_as_a_hash_in_a_file_of_the_owner_alone(tmp_path: Path):
    file = tmp_path / "new" / "keys"
    made = muster_keys(file, "add", "ci", "--role", "runner", "--expires", "90d")
    assert made.exit_code == 0
    key = made.stdout.strip()
    assert key.startswith("muster_")
    assert "not shown again" in made.stderr
    assert key not in made.stderr + file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().startswith(HEADER)
    found = find_key(parse_keys(file.read_text()), derive_proof(key))
    assert found is not None
    assert (found.name, found.role) == ("ci", "runner")
    assert abs(found.expires_at - time.time() - 90 * 86400) < 60
    listed = muster_keys(file, "list").stdout
    assert "ci" in listed and "runner" in listed
    assert key not in listed and found.digest not in listed


def test_a_name_is_given_once_and_revoking_takes_that_key_alone(tmp_path: Path):
    file = tmp_path / "keys"
    first = muster_keys(file, "add", "ci", "--role", "runner").stdout.strip()
    file.write_text(f"# for the night\n{file.read_text()}")
    second = muster_keys(file, "add", "ci-2", "--role", "viewer").stdout.strip()
    again = muster_keys(file, "add", "ci", "--role", "admin")
    assert (again.exit_code, "key 'ci' exists" in again.stderr) == (2, True)
    assert muster_keys(file, "revoke", "ci").exit_code == 0
    kept = parse_keys(file.read_text())
    assert find_key(kept, derive_proof(first)) is None
    assert find_key(kept, derive_proof(second)) is not None
    assert "# for the night" in file.read_text()
    none = muster_keys(file, "revoke", "ci")
    assert (none.exit_code, "there is no key 'ci'" in none.stderr) == (2, True)


def test_keys_made_at_the_same_time_are_all_kept(tmp_path: Path):
    file = tmp_path / "keys"
    adding = [threading.Thread(target=add_key, args=(file, f"key-{n}", "viewer", 0), daemon=True) for n in range(8)]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join(30)
    assert {key.name for key in parse_keys(file.read_text())} == {f"key-{number}" for number in range(8)}


def test_a_link_to_the_file_stays_one(tmp_path: Path):
    real, link = tmp_path / "real", tmp_path / "link"
    muster_keys(real, "add", "one", "--role", "viewer")
    link.symlink_to(real)
    muster_keys(link, "add", "two", "--role", "viewer")
    assert link.is_symlink()
    assert len(parse_keys(real.read_text())) == 2


@pytest.mark.parametrize("name", ["a b", "\x1b[31m", "../x", "API_KEY"])
def test_a_name_that_cannot_be_is_refused_in_words(tmp_path: Path, name: str):
    refused = muster_keys(tmp_path / "keys", "add", name, "--role", "viewer")
    assert refused.exit_code == 2
    assert "invalid key name" in refused.stderr
    assert "\x1b" not in refused.stderr


def test_a_file_that_is_none_is_left_as_it_is(tmp_path: Path):
    file = tmp_path / "keys"
    file.write_text("not keys\n")
    refused = muster_keys(file, "add", "ci", "--role", "viewer")
    assert (refused.exit_code, "line 1" in refused.stderr) == (2, True)
    assert file.read_text() == "not keys\n"
    assert "there is no such file" in muster_keys(tmp_path / "none", "list").stderr


@pytest.mark.parametrize(("text", "seconds"), [("12h", 43200), ("90d", 7776000), ("8w", 4838400)])
def test_a_life_is_written_with_its_unit(text: str, seconds: int):
    assert parse_life(text) == seconds


@pytest.mark.parametrize("text", ["", "90", "d", "0d", "-1d", "1.5d", "9999999d", "4000d", "1y", "١d"])
def test_a_life_that_is_none_is_refused(text: str):
    with pytest.raises(InvalidRequest, match="such as 90d"):
        parse_life(text)


def test_a_group_that_may_read_the_file_still_may_and_nobody_else(tmp_path: Path):
    file = tmp_path / "keys"
    add_key(file, "ci", "runner", 0)
    file.chmod(0o644)
    assert muster_keys(file, "revoke", "ci").exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_file_of_somebody_else_is_left_as_it_is():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        file = Path(folder, "keys")
        add_key(file, "ci", "runner", 0)
        file.chmod(0o644)
        Path(folder, ".keys.lock").unlink()
        before = file.read_text()
        os.seteuid(65534)
        try:
            with pytest.raises(InvalidRequest, match="it belongs to user 0"):
                add_key(file, "other", "viewer", 0)
        finally:
            os.seteuid(0)
        assert file.read_text() == before
        assert {path.name for path in Path(folder).iterdir()} == {"keys", ".keys.lock"}
