"""Where commands and files are confined to, and which browser is started how."""

import os
from pathlib import Path

import pytest

from muster_devices.web.chromium import BrowserMissing, find_browser, launch_arguments
from muster_devices.web.web_host import advertised
from muster_protocol import codec
from muster_protocol.session_responses import ExecDone, FileContent, FileEntry, SessionError
from muster_protocol.sessions import REPLY_LIMIT
from muster_sessionhost.sandbox import Folders, Sandbox, hidden_folders
from muster_sessionhost.service import MESSAGE_LIMIT, fit_message
from muster_sessionhost.session_files import FileRefused, list_files, read_file, write_file

FOLDERS = Folders(Path("/srv/sessions/one"))
SANDBOX = Sandbox("/usr/bin/bwrap", hidden=(Path("/home"), Path("/root")), visible=(Path("/home/ada/tools"),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("outside")
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "data").mkdir()
    (folder / "data" / "file").write_text("inside")
    (folder / "to-parent").symlink_to("..")
    (folder / "to-file").symlink_to(tmp_path / "secret")
    (folder / "alias").symlink_to("data")
    (folder / "dangling").symlink_to(tmp_path / "made")
    return folder


@pytest.mark.parametrize(
    "path", ["../secret", "/etc/passwd", "to-parent/secret", "to-file", "data/../../secret", "dangling", "", "\0"]
)
def test_a_path_that_leads_outside_is_refused_and_nothing_is_touched(root: Path, path: str) -> None:
    for use in (lambda: read_file(root, path), lambda: write_file(root, path, b"x"), lambda: list_files(root, path)):
        with pytest.raises(FileRefused) as raised:
            use()
        assert raised.value.error.reason == "invalid"
    assert (root.parent / "secret").read_text() == "outside"
    assert not (root.parent / "made").exists()


def test_links_within_the_directory_are_followed(root: Path) -> None:
    assert read_file(root, "alias/file").content == b"inside"
    write_file(root, "alias/deep/er/new", b"made")
    assert (root / "data" / "deep" / "er" / "new").read_bytes() == b"made"
    assert read_file(root, f"{root}/data/../alias/file").content == b"inside"
    listed = list_files(root, "alias").entries
    assert listed == (FileEntry(name="deep", size=0, folder=True), FileEntry(name="file", size=6))


def test_what_is_missing_is_not_found_and_what_is_no_file_is_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for path, reason in (
        ("gone", "not_found"),
        ("gone/deeper", "not_found"),
        ("pipe", "invalid"),
        ("data", "invalid"),
        (".", "invalid"),
        ("data/file/below", "invalid"),
    ):
        with pytest.raises(FileRefused) as raised:
            read_file(root, path)
        assert raised.value.error.reason == reason, path
    with pytest.raises(FileRefused):
        write_file(root, "data", b"")
    with pytest.raises(FileRefused):
        list_files(root, "data/file")


def test_a_file_is_cut_at_what_a_reply_carries(root: Path) -> None:
    (root / "large").write_bytes(b"x" * (REPLY_LIMIT + 1))
    content = read_file(root, "large")
    assert (len(content.content), content.size, content.truncated) == (REPLY_LIMIT, REPLY_LIMIT + 1, True)


def test_the_sandbox_shows_the_system_read_only_and_of_sessions_its_own_alone() -> None:
    arguments = " ".join(SANDBOX.prefix(FOLDERS))
    assert arguments.startswith("/usr/bin/bwrap --ro-bind-try /usr /usr ")
    assert "--remount-ro /" in arguments
    bound = {part for part in arguments.split() if part.startswith("/etc")}
    assert "/etc" not in bound
    assert not any("shadow" in part or "private" in part for part in bound)
    hidden, shown = arguments.index("--tmpfs /home"), arguments.index("--bind /srv/sessions/one/work")
    assert hidden < arguments.index("--ro-bind-try /home/ada/tools /home/ada/tools") < shown
    assert "--ro-bind /srv/sessions/one/control" in arguments
    assert "/srv/sessions/one/records" not in arguments
    for flag in ("--unshare-pid", "--cap-drop ALL", "--die-with-parent", "--new-session"):
        assert flag in arguments
    assert "--unshare-net" not in arguments
    assert Sandbox().prefix(FOLDERS) == ()


def test_a_sandbox_with_a_network_of_its_own_shows_no_socket_that_looks_up_names() -> None:
    arguments = " ".join(SANDBOX.prefix(FOLDERS, info=7))
    assert "--unshare-net --info-fd 7" in arguments
    assert "--ro-bind /srv/sessions/one/control/resolv.conf /etc/resolv.conf" in arguments
    assert "/run/systemd" not in arguments


def test_the_environment_holds_nothing_of_the_host_but_the_folders_of_its_path_that_can_be_seen() -> None:
    path = "/opt/bin:/home/ada/.local/bin:/home/ada/tools/bin:relative:/usr/bin"
    made = SANDBOX.environment(FOLDERS, path)
    assert made["PATH"].split(":")[:4] == [
        "/srv/sessions/one/work/home/.local/bin",
        "/opt/bin",
        "/home/ada/tools/bin",
        "/usr/bin",
    ]
    assert "/home/ada/.local/bin" not in made["PATH"]
    assert (made["HOME"], made["TMPDIR"]) == ("/srv/sessions/one/work/home", "/tmp")
    assert set(made) == {"PATH", "HOME", "LANG", "TERM", "TMPDIR"}
    plain = Sandbox().environment(FOLDERS, path)
    assert "/home/ada/.local/bin" in plain["PATH"]
    assert plain["TMPDIR"] == "/srv/sessions/one/tmp"


def test_homes_the_hosts_own_folder_and_sessions_are_hidden_but_not_the_system(tmp_path: Path) -> None:
    home, project, sessions = tmp_path / "home", tmp_path / "project", tmp_path / "project" / "sessions"
    for folder in (home, sessions):
        folder.mkdir(parents=True)
    hidden = hidden_folders(home, project, sessions)
    assert {home, project} <= set(hidden)
    assert sessions not in hidden  # it lies in one that is
    for system in (Path("/"), Path("/usr")):
        assert system not in hidden_folders(home, system, sessions)


def test_only_allowed_domains_are_resolved() -> None:
    assert "MAP * ~NOTFOUND" not in launch_arguments(())[-1]
    rules = launch_arguments(("shop.example", "127.0.0.1"))[-1]
    assert rules.endswith("MAP * ~NOTFOUND, EXCLUDE shop.example, EXCLUDE *.shop.example, EXCLUDE 127.0.0.1")
    assert "--disable-background-networking" in launch_arguments(("shop.example",))


def test_a_browser_is_advertised_under_the_name_workers_reach() -> None:
    assert advertised("ws://0.0.0.0:4711/abc", "sessions-1") == "ws://sessions-1:4711/abc"
    assert advertised("ws://127.0.0.1:4711/abc", "fd00::1") == "ws://[fd00::1]:4711/abc"


def test_the_browser_is_the_one_named_else_playwrights_own_else_one_on_the_path(tmp_path: Path) -> None:
    own = tmp_path / "ms" / "chromium-1" / "chrome-linux" / "chrome"
    on_path = tmp_path / "bin" / "chromium"
    on_path.parent.mkdir()
    on_path.write_text("#!/bin/sh\n")
    on_path.chmod(0o755)
    environ = {"PATH": str(on_path.parent)}
    assert find_browser(str(own), str(on_path), {}, tmp_path) == on_path
    assert find_browser(str(own), "", environ, tmp_path) == on_path
    shell = tmp_path / "ms" / "chromium_headless_shell-1" / "chrome-linux" / "headless_shell"
    shell.parent.mkdir(parents=True)
    shell.touch()
    assert find_browser(str(own), "", environ, tmp_path) is None
    installed = tmp_path / "chromium-headless-shell"
    installed.touch()
    assert find_browser(str(own), "", environ, tmp_path) == installed


def test_a_missing_browser_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(BrowserMissing, match="playwright install chromium"):
        find_browser(str(tmp_path / "a" / "b" / "c" / "chrome"), "", {"PATH": str(tmp_path)}, tmp_path)
    with pytest.raises(BrowserMissing, match="BROWSER_EXECUTABLE names /nowhere"):
        find_browser("", "/nowhere", {}, tmp_path)


def test_a_reply_that_grows_when_encoded_is_cut_to_one_message() -> None:
    long = ExecDone(exit_code=0, stdout="\x1b" * 300_000 + "end", stderr="x")
    cut = fit_message(long, 2 * MESSAGE_LIMIT)
    assert isinstance(cut, ExecDone)
    assert cut.truncated
    assert cut.stdout.endswith("end")
    assert 6 * len(cut.stdout) < MESSAGE_LIMIT
    short = ExecDone(exit_code=0, stdout="fine")
    assert fit_message(short, MESSAGE_LIMIT) is short


def test_a_reply_fits_a_server_that_takes_little_or_says_why_there_is_none() -> None:
    cut = fit_message(ExecDone(exit_code=0, stdout="x" * 300_000), 60_000)
    assert isinstance(cut, ExecDone)
    assert len(codec.encode(cut)) <= 60_000
    told = fit_message(FileContent(content=b"x" * 300_000, size=300_000), 60_000)
    assert isinstance(told, SessionError), "whoever asks would wait for an answer that NATS does not take"
    assert "NATS takes 60000 (max_payload)" in told.text


def test_a_program_below_the_temporary_folder_is_still_shown_to_what_works_on_a_workspace():
    arguments = SANDBOX.apart(FOLDERS, (), (Path("/tmp/checkout/tools"),))
    assert arguments.index("/tmp/checkout/tools") > arguments.index("/tmp")
