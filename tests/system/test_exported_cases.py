"""Exported cases run on their own: with Playwright alone, on a healthy shop and on one with a fault."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple

import pytest
from node import workplace
from playwright.sync_api import sync_playwright
from serving import serving

from muster_cli.subcommands.export import exported
from muster_devices.web.chromium import find_browser

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "examples/cases", ROOT / "examples/own-sentences"]
TYPED = Path(__file__).parents[1] / "support/typescript"
DRAWN_ANEW = "late_pages"
"""The one case that a plain Playwright test fails: a form is drawn anew after it was filled in, and only Muster waits."""
SECONDS = 240.0


@contextmanager
def shop(*bugs: str) -> Generator[str]:
    options = [part for bug in bugs for part in ("--bug", bug)]
    command = (sys.executable, str(ROOT / "examples/shop/server.py"), "--port", "0", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        try:
            yield serving.stdout.readline().split()[-1]
        finally:
            serving.terminate()


@pytest.fixture(scope="module")
def environment() -> Mapping[str, str]:
    """What exported tests read, but for the address."""
    with sync_playwright() as playwright:
        chromium = find_browser(playwright.chromium.executable_path, "", os.environ)
    own = {"SECRET_SHOP_PASSWORD": "swordfish", "BROWSER_EXECUTABLE": str(chromium)}
    return {**{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}, **own}


def ran(command: list[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)


def run_pytest(folder: Path, environment: Mapping[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    own = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *more, str(folder))
    return ran([*own], folder, environment)


@pytest.mark.slow
def test_all_example_cases_run_as_pytest_files_without_muster(tmp_path: Path, environment: Mapping[str, str]):
    made = exported(SOURCES, "pytest")
    assert len(made) == 7
    assert not [unsaid for one in made for unsaid in one.unsaid]
    for one in made:
        assert "muster" not in one.text.replace("muster export", ""), "it runs on its own"
        (tmp_path / one.name).write_text(one.text)
    with shop() as address:
        done = run_pytest(tmp_path, {**environment, "VAR_BASE_URL": address}, "-k", f"not {DRAWN_ANEW}")
    assert done.returncode == 0, done.stdout[-4000:]
    assert "6 passed, 1 deselected" in done.stdout


@pytest.mark.slow
def test_an_exported_case_fails_on_the_fault_that_it_is_to_find(tmp_path: Path, environment: Mapping[str, str]):
    [one] = exported([ROOT / "examples/cases/03-cart-total.yaml"], "pytest")
    (tmp_path / one.name).write_text(one.text)
    with shop("total") as address:
        done = run_pytest(tmp_path, {**environment, "VAR_BASE_URL": address})
    assert done.returncode == 1, done.stdout[-4000:]
    assert "$59.98" in done.stdout


@pytest.mark.slow
def test_a_script_says_which_cases_have_passed(tmp_path: Path, environment: Mapping[str, str]):
    [one] = exported([ROOT / "examples/cases/03-cart-total.yaml"], "playwright-py")
    (tmp_path / one.name).write_text(one.text)
    with shop() as address:
        done = ran([sys.executable, one.name], tmp_path, {**environment, "VAR_BASE_URL": address})
    assert (done.returncode, done.stdout) == (0, "passed: The cart total counts every piece.\n"), done.stderr[-3000:]


PAGES = {
    "/": """<!doctype html><title>Shop</title><h1>Checkout</h1><iframe src="/pay" title="Payment"></iframe>
<shop-total></shop-total><script>
customElements.define('shop-total', class extends HTMLElement { connectedCallback() {
  this.attachShadow({mode: 'open'}).innerHTML =
    '<dl><dt>Total</dt><dd>$59.98</dd></dl><ul><li>Mug <button>Drop</button></li><li>Cap <button>Drop</button></li></ul>';
  for (const one of this.shadowRoot.querySelectorAll('button')) one.onclick = () => one.parentElement.remove();
} });</script>""",
    "/pay": """<!doctype html><label>Card <input></label><button onclick="this.nextElementSibling.textContent =
'Paid with ' + document.querySelector('input').value">Pay</button><p></p>""",
}
FRAMED = """
name: Pay in a frame
variables: {base_url: "http://127.0.0.1:8000"}
steps:
  - action: Open "${base_url}/"
    expected: The "Total" is "$59.98" and the text "Paid" is not visible
  - action: Type "4711" into the "Card" field and click the "Pay" button
    expected: The text "Paid with 4711" is visible
  - action: Click the "Drop" button in "Cap"
    expected: The text "Cap" is not visible and the text "Mug" is visible
"""


class Paying(BaseHTTPRequestHandler):
    """Serves a page with a frame and a shadow root."""

    def do_GET(self) -> None:
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_elements_in_frames_and_shadow_roots_are_found(tmp_path: Path, environment: Mapping[str, str]):
    (tmp_path / "framed.yaml").write_text(FRAMED)
    [one] = exported([tmp_path / "framed.yaml"], "pytest", frames=True)
    assert not one.unsaid
    (tmp_path / one.name).write_text(one.text)
    with serving(Paying) as address:
        done = run_pytest(tmp_path, {**environment, "VAR_BASE_URL": address})
        (tmp_path / one.name).write_text(one.text.replace("Paid with 4711", "Paid with 4712"))
        other = run_pytest(tmp_path, {**environment, "VAR_BASE_URL": address})
    assert done.returncode == 0, done.stdout[-4000:]
    assert other.returncode == 1, "a text that is in no frame is missed"


EDIT, DROP = "<button>Edit</button>", "<button>Drop</button>"
OPENS = 'Open "${base_url}/"'
AGAIN = [('Open "${base_url}/fine"', 'The text "Shop" is visible')]


def people(*rows: tuple[str, str]) -> str:
    """Return a table, and a dialog with a button of the same name beside it."""
    lines = "".join(f"<tr><td>{name}</td><td>{what}</td></tr>" for name, what in rows)
    return f"<table aria-label=People><tr><th>Name</th><th>Do</th></tr>{lines}</table>"


class Claimed(NamedTuple):
    """What a case does and expects; a page where that holds, and pages where it does not, with their statuses."""

    steps: list[tuple[str, str]]
    sound: str
    faults: tuple[str, ...] = ()
    status: int = 200
    """Of the faults."""


CLAIMS = (
    Claimed(
        [(OPENS, 'There are 2 buttons in the row with "Ada"')],
        people(("Ada", EDIT + DROP), ("Bob", EDIT)),
        (people(("Ada", EDIT), ("Bob", EDIT + DROP)), people(("Bob", EDIT + DROP))),
    ),
    Claimed(
        [(OPENS, 'The "Drop" button is not visible in the row with "Ada"')],
        people(("Ada", EDIT), ("Bob", DROP)),
        (people(("Ada", EDIT + DROP), ("Bob", EDIT)), people(("Bob", EDIT)), people(("Ada", EDIT), ("Ada", DROP))),
    ),
    Claimed(
        [(OPENS, 'The "Drop" button is not visible in the dialog')],
        f"<dialog open>{EDIT}</dialog>{DROP}",
        (f"<dialog open>{EDIT}{DROP}</dialog>", EDIT),
    ),
    Claimed(
        [(OPENS, 'The "People" table has 2 rows')],
        people(("Ada", EDIT), ("Bob", EDIT)),
        (people(("Ada", EDIT)), "<p>Nobody</p>"),
    ),
    Claimed([(OPENS, ""), *AGAIN], "Shop", ("Shop",), 404),
    Claimed([(OPENS, 'The title is "Page"')], "Shop", ("Shop",), 500),
    Claimed([(OPENS, 'The text "Sorry" is not visible')], "Shop", ("Shop",), 404),
    Claimed([('Open "${base_url}/link"', ""), ('Click the "Go" link', ""), *AGAIN], "Shop", ("Shop",), 500),
)


class Claims(BaseHTTPRequestHandler):
    """Serves the page of a claim (`/3/`), or its first fault (`/3.1/`)."""

    def do_GET(self) -> None:
        _, which, name = self.path.split("/")
        number, _, fault = which.partition(".")
        claim = CLAIMS[int(number)]
        body = claim.faults[int(fault) - 1] if fault and not name else claim.sound
        link = f"<!doctype html><title>Page</title>{'<a href=./>Go</a>' if name == 'link' else ''}{body}".encode()
        self.send_response(claim.status if fault and not name else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(link)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_claims_about_parts_and_broken_pages_hold_where_those_of_a_run_do(
    tmp_path: Path, environment: Mapping[str, str]
):
    for number, claim in enumerate(CLAIMS):
        steps = [{"action": action, **({"expected": expected} if expected else {})} for action, expected in claim.steps]
        for place in (str(number), *(f"{number}.{fault + 1}" for fault in range(len(claim.faults)))):
            case = {"name": place, "variables": {"base_url": f"http://127.0.0.1:8000/{place}"}, "steps": steps}
            (tmp_path / f"{'faulty' if '.' in place else 'sound'}-{place}.yaml").write_text(json.dumps(case))
    made = exported([tmp_path], "pytest")
    assert not [unsaid for one in made for unsaid in one.unsaid]
    with serving(Claims) as address:
        for one in made:
            (tmp_path / one.name).write_text(one.text.replace("http://127.0.0.1:8000", address))
        sound = run_pytest(tmp_path, environment, "-k", "sound")
        faulty = run_pytest(tmp_path, environment, "-k", "faulty")
    assert f"{len(CLAIMS)} passed" in sound.stdout and sound.returncode == 0, sound.stdout[-4000:]
    faults = sum(len(claim.faults) for claim in CLAIMS)
    assert f"{faults} failed" in faulty.stdout and " passed" not in faulty.stdout, faulty.stdout[-4000:]


@pytest.mark.slow
def test_typescript_files_have_right_types_and_run(tmp_path: Path, environment: Mapping[str, str]):
    folder = workplace(TYPED)
    tests = folder / "tests"
    shutil.rmtree(tests, ignore_errors=True)
    tests.mkdir()
    for one in exported(SOURCES, "playwright-ts"):
        (tests / one.name).write_text(one.text)
    [framed] = exported([ROOT / "examples/cases/03-cart-total.yaml"], "playwright-ts", frames=True)
    (tests / f"framed-{framed.name}").write_text(framed.text)
    typed = ran(["npx", "--no-install", "tsc", "--noEmit", "-p", "."], folder, environment)
    assert typed.returncode == 0, typed.stdout[-4000:]
    with shop() as address:
        command = ["npx", "--no-install", "playwright", "test", "--grep-invert", "Late pages"]
        done = ran(command, folder, {**environment, "VAR_BASE_URL": address})
    assert done.returncode == 0, done.stdout[-4000:]
    assert "7 passed" in done.stdout
