"""The console's files: what is served, what is not, and what holds for all of them."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from muster_gateway.console import FILES, TYPES, find_file, respond
from muster_gateway.http.ranges import client_has
from muster_gateway.security.access import CONSOLE_CSP
from muster_protocol.causes import Cause, Failure

PAGE = (FILES / "index.html").read_bytes()
OWN = sorted(path for path in FILES.rglob("*.js") if "vendor" not in path.parts)
IMPORTED = re.compile(r"""(?:\bfrom ?|\bimport\()["']([\w./-]+)["']""")


@pytest.mark.parametrize("path", ["", "/", "/runs/run-1", "/suites", "/cases/a/b.yaml", "/new", "/nowhere.js"])
def test_an_address_without_a_file_is_the_page(path: str) -> None:
    assert find_file(path).content == PAGE


@pytest.mark.parametrize("path", ["a" * 252 + ".js", "a/" * 2500 + "a.js", "a" * 5000 + ".js"])
def test_a_path_too_long_for_the_file_system_is_the_page(path: str) -> None:
    assert find_file(path).content == PAGE


def test_a_file_is_served_with_its_type_and_the_policy() -> None:
    served = respond("/vendor/preact.js")
    assert served.media_type == "text/javascript"
    assert served.content == (FILES / "vendor" / "preact.js").read_bytes()
    assert served.headers["Content-Security-Policy"] == CONSOLE_CSP


@pytest.mark.parametrize(
    "path",
    [
        "/../console.py",
        "/../../muster_gateway/app.py",
        "//etc/passwd",
        "/..%2fapp.py",
        "/vendor/../../app.py",
        "/vendor/../app.js",
        "/.hidden.js",
        "/app.js\x00",
        "\\..\\app.py",
        "/app.js\n",
        "/vendor",
        "/VENDOR/LICENSE-preact",
    ],
)
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    assert find_file(path).content == PAGE


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page")
    (tmp_path / "real.js").write_text("1")
    (tmp_path / "link.js").symlink_to("/etc/passwd")
    assert find_file("/real.js", tmp_path).content == b"1"
    assert find_file("/link.js", tmp_path).content == b"the page"


def test_who_has_the_file_is_told_so() -> None:
    etag = find_file("/app.js").etag
    assert respond("/app.js", etag).status_code == 304
    assert respond("/app.js", '"another"').content == find_file("/app.js").content
    assert client_has(f'"x", W/{etag}', etag)
    assert not client_has("", etag)


def test_vendored_files_are_those_the_readme_names() -> None:
    told = (FILES / "vendor" / "README.md").read_text()
    for name, digest in re.findall(r"\| `([\w.]+)` \|.*`([0-9a-f]{64})` \|", told):
        assert hashlib.sha256((FILES / "vendor" / name).read_bytes()).hexdigest() == digest, name
    assert all(f"`{path.name}`" in told for path in (FILES / "vendor").glob("*.js"))


def test_every_module_and_style_that_is_named_is_there() -> None:
    for path in FILES.rglob("*.js"):
        for name in IMPORTED.findall(path.read_text()):
            assert name.startswith("."), f"{path}: {name} is not a relative path"
            address = (path.parent / name).resolve().relative_to(FILES)
            assert find_file(str(address)).media_type == "text/javascript", f"{path}: {name} is missing"
    for name in re.findall(r'(?:href|src)="/console/([^"]+)"', PAGE.decode()):
        assert (FILES / name).is_file(), name


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(FILES)))
def test_what_comes_from_outside_can_only_become_text(path: Path) -> None:
    source = path.read_text()
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in source, way


def test_the_console_has_its_words_from_where_reports_have_theirs() -> None:
    served = find_file("/words.js")
    assert served.media_type == "text/javascript"
    lines = [line.partition(" = ") for line in served.content.decode().splitlines()]
    words = {name.removeprefix("export const "): json.loads(text.rstrip(";")) for name, _, text in lines}
    assert words["STATES"]["skipped"] == {"name": "Skipped", "word": "not run", "mark": "○", "tone": "skipped"}
    assert words["CAUSES"].keys() == set(Cause)
    assert words["FAILURES"].keys() == set(Failure)


def test_every_class_of_the_pages_has_a_rule_or_is_looked_for() -> None:
    css = " ".join(path.read_text() for path in FILES.rglob("*.css"))
    sources = " ".join(path.read_text() for path in OWN)
    known = {*re.findall(r"\.([a-zA-Z][\w-]*)", css), *re.findall(r"""["'`]\.([a-zA-Z][\w-]*)""", sources)}
    named = re.findall(r'class="((?:[^"$]|\$\{[^}]*\})*)"', sources)
    fixed = {name for classes in named for name in re.sub(r"\S*\$\{[^}]*\}\S*", " ", classes).split()}
    assert len(fixed) > 200
    assert sorted(fixed - known) == []


def test_every_kind_of_file_has_a_type() -> None:
    served = {path.suffix for path in FILES.rglob("*") if path.is_file() and not path.name.startswith("LICENSE")}
    assert served <= TYPES.keys()


def test_text_stands_out_from_its_ground_in_both_themes() -> None:
    for theme in _themes((FILES / "base.css").read_text()):
        for text in ("text", "dim", "accent-text", "pass", "fail", "warn", "wait"):
            for ground in ("bg", "surface", "raised", "hover"):
                assert _contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
        for text in ("pass", "fail", "warn", "wait"):
            assert _contrast(theme[text], theme[f"{text}-soft"]) >= 4.5, text
            assert _contrast(theme["text"], theme[f"{text}-soft"]) >= 4.5, text
        assert _contrast(theme["on-accent"], theme["accent"]) >= 4.5
        assert _contrast(theme["text"], theme["accent-soft"]) >= 4.5


def test_the_dark_theme_is_the_same_by_system_and_by_switch() -> None:
    _, switched, system = _themes((FILES / "base.css").read_text())
    assert switched == system


def _themes(css: str) -> list[dict[str, str]]:
    """Return the colours of each block that sets a ground: light, dark by switch, dark by system."""
    blocks = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in re.findall(r"\{([^{}]*--bg:[^{}]*)\}", css)
    ]
    assert len(blocks) == 3
    return blocks


def _contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours after WCAG 2, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
