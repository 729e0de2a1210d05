"""Are verdicts true on pages built with component libraries that Muster was not written for?

Each page of `bench/wild/pages` shows the same team with another library; then there are applications of others. Every
case of `bench/wild/cases` has to pass where there is no fault, and fail with cause `product` where there is one that it
has to find. Exits 1 if a goal is missed: no false pass, at most 2 % false fails, at least 95 % of the causes right.
Needs Node.js; installs libraries and applications at its first run.

    python bench/wild.py                     all pages, by phrases
    python bench/wild.py --healthy           without faults
    python bench/wild.py --only antd         one page
    python bench/wild.py --only Django       the cases of one application
    python bench/wild.py --only add-dead     one fault on all pages
"""

import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import applications
from scoring import Trial
from trials import Bench, Options, only, parser, run_trials

from muster_protocol.causes import Cause

FOLDER = Path(__file__).parent / "wild"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Team</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{name}.css"></head>
<body><script src="{name}.js"></script></body></html>"""
FOUND_BY: Mapping[str, str] = {
    "The team is shown": (
        "add-always-enabled count-off count-transparent count-camouflaged count-clipped count-outside count-tiny "
        "count-covered"
    ),
    "A member is added": (
        "add-dead add-cuts-name add-only-says-so add-says-nothing add-names-another add-twice add-replaces "
        "add-keeps-text add-never-enabled count-stale"
    ),
    "A member is added with a role": "add-forgets-role add-forgets-active",
    "A member is removed": "remove-dead remove-another remove-without-asking remove-asks-about-another question-stays",
    "A member is kept": "cancel-removes",
    "Members are searched for": "search-ignored search-case search-finds-none",
    "Settings are saved": "tab-dead switch-dead save-loses-notes save-resets-switch save-says-nothing dialog-stays",
}
"""By the name of the case, the faults it has to find; `team.js` seeds them."""
APPLICATION_FAULTS: Mapping[str, Mapping[str, str]] = {
    "django": {
        "Django adds a member": (
            "save-lost save-cuts-name save-forgets-role save-forgets-active says-nothing says-wrong"
        ),
        "Django finds members": "search-ignored search-finds-none",
        "Django deletes a member": "delete-dead delete-another says-nothing",
    },
    "tiddlywiki": {
        "TiddlyWiki keeps a note": (
            "new-dead keep-dead keep-loses-text keep-cuts-text keep-renames text-faded text-covered"
        ),
        "TiddlyWiki drops a draft": "drop-dead",
        "TiddlyWiki closes a note": "close-dead search-dead",
    },
    "node-red": {
        "Node-RED filters its nodes": "filter-dead nodes-faded",
        "Node-RED renames a flow": "tab-dead done-dead rename-lost deploy-dead says-nothing says-in-white",
    },
}
"""By application and case, the faults that the case has to find; `wild/apps` seeds them."""


def page_names() -> list[str]:
    """Return the names of all pages."""
    return sorted(path.stem for path in (FOLDER / "pages").iterdir())


def trials() -> list[Trial]:
    """Return every case on every page and application, first without a fault, then with each that it has to find."""
    pages = [(page, "bug=", FOUND_BY) for page in page_names()]
    products = [*pages, *((name, "", faults) for name, faults in APPLICATION_FAULTS.items())]
    sound = [Trial(case, name) for name, _, cases in products for case in cases]
    faulty = [
        Trial(case, f"{name}?{key}{bug}", Cause.PRODUCT)
        for name, key, cases in products
        for case, bugs in cases.items()
        for bug in bugs.split()
    ]
    return [*sound, *faulty]


def build() -> None:
    """Install libraries and applications unless they are there, and bundle the pages.

    Raises:
        subprocess.CalledProcessError: npm or the bundler fails; its own words are on standard error.
    """
    if not (FOLDER / "node_modules").is_dir():
        print("installing the component libraries, once", file=sys.stderr)
        options = ("--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund")
        subprocess.run(["npm", "ci", *options], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["node", "build.mjs"], cwd=FOLDER, check=True)
    for name in page_names():
        (FOLDER / "built" / f"{name}.html").write_text(PAGE.format(name=name))
    applications.install()
    applications.build_tiddlywiki(FOLDER / "built")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of requests."""


@contextmanager
def served() -> Generator[str]:
    """Serve the pages and give their address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(FOLDER / "built")))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def serving(url: str) -> Callable[[Trial], AbstractAsyncContextManager[str]]:
    """Return what gives the address of a trial's page."""

    @asynccontextmanager
    async def serve(trial: Trial) -> AsyncGenerator[str]:
        name, _, fault = trial.bug.partition("?")
        if name in applications.APPLICATIONS:
            async with applications.running(name, fault) as address:
                yield address
        else:
            yield f"{url}/{name}.html?{fault}"

    return serve


def main() -> int:
    """Build the pages, run what was chosen and return the exit code."""
    arguments = parser(__doc__ or "")
    arguments.add_argument("--healthy", action="store_true", help="only the pages without a fault")
    given = arguments.parse_args()
    build()
    with served() as url:
        bench = Bench(FOLDER / "cases", serving(url))
        chosen = [trial for trial in only(trials(), given.only) if not (given.healthy and trial.cause)]
        return run_trials(bench, chosen, Options(given.by, given.at_once, given.json))


if __name__ == "__main__":
    sys.exit(main())
