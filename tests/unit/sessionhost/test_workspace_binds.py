"""Path rules as binds: what is not named is not shown or read-only, and no link is bound."""

from pathlib import Path

import pytest

from muster_protocol.sessions import PathRules
from muster_sessionhost.workspace_binds import BindRefused, workspace_binds


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for folder in (".git", "src/shop", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "notes.md").write_text("")
    (tmp_path / "link").symlink_to("/etc")
    return tmp_path


def binds(workspace: Path, rules: PathRules) -> list[tuple[str, str]]:
    """Return the binds as (how, path in the workspace)."""
    parts = list(workspace_binds(workspace, rules))
    shown: list[tuple[str, str]] = []
    while parts:
        how, place = parts.pop(0), parts.pop(0)
        if how != "--dir":
            assert parts.pop(0) == place
        shown.append((how, str(Path(place).relative_to(workspace))))
    return shown


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (PathRules(), [("--bind", ".")]),
        (PathRules(write=()), [("--ro-bind", ".")]),
        (PathRules(write=("tests",)), [("--ro-bind", "."), ("--bind", "tests"), ("--bind", ".git")]),
        (PathRules(read=("src",), write=()), [("--dir", "."), ("--ro-bind", "src")]),
        (PathRules(read=("src",)), [("--dir", "."), ("--ro-bind", "src"), ("--bind", "src")]),
        (PathRules(read=("src", "tests"), write=("tests",)), [("--dir", "."), ("--ro-bind", "src"), ("--ro-bind", "tests"), ("--bind", "tests")]),
        (PathRules(read=(), write=()), [("--dir", ".")]),
        (PathRules(write=("notes.md",)), [("--ro-bind", "."), ("--bind", "notes.md"), ("--bind", ".git")]),
        (PathRules(write=("gone.md",)), [("--ro-bind", "."), ("--bind", ".git")]),
    ],
)  # fmt: skip
def test_rules_become_binds(workspace: Path, rules: PathRules, wanted: list[tuple[str, str]]):
    assert binds(workspace, rules) == wanted


def test_a_folder_that_may_be_written_is_made(workspace: Path):
    assert ("--bind", "new/deep") in binds(workspace, PathRules(write=("new/deep",)))
    assert (workspace / "new/deep").is_dir()


@pytest.mark.parametrize("path", ["link", "link/passwd", "src/to-etc"])
def test_a_link_is_refused(workspace: Path, path: str):
    (workspace / "src" / "to-etc").symlink_to("/etc")

    for rules in (PathRules(read=(path,), write=()), PathRules(write=(path,))):
        with pytest.raises(BindRefused, match="is or leads through a link"):
            workspace_binds(workspace, rules)
