"""The pytest plugin: options and collection of case files. Loads the rest of Muster only if there is a case."""

from __future__ import annotations

import warnings
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from muster_protocol.errors import MusterError

if TYPE_CHECKING:
    from pytest_muster.case_items import CaseFile
    from pytest_muster.fleet_access import Runner

SUFFIXES = frozenset({".yaml", ".yml", ".feature", ".md", ".markdown"})
RUNNER: pytest.StashKey[Runner] = pytest.StashKey()
FAILURE: pytest.StashKey[MusterError] = pytest.StashKey()
VARIABLES: pytest.StashKey[dict[str, str]] = pytest.StashKey()


class Hooks:
    """Hooks that a conftest.py can implement."""

    @pytest.hookspec
    def pytest_muster_variables(self, config: pytest.Config) -> dict[str, str] | None:
        """Return variables of the cases, such as the address of a product just started; called once."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the hooks."""
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("muster", "test cases in plain language (Muster)")
    group.addoption("--muster-nats", metavar="URL", help="run cases on the fleet at this NATS server")
    group.addoption(
        "--muster-gateway",
        metavar="URL",
        help="run cases through this gateway, with the key in MUSTER_KEY. Without either option, cases run on "
        "a private fleet, started at the first case",
    )
    group.addoption("--muster-workers", type=int, default=2, metavar="N", help="workers of a private fleet (2)")
    group.addoption(
        "--muster-var", action="append", default=[], metavar="NAME=VALUE", help="set a variable of the cases"
    )
    group.addoption("--muster-suite", default="", metavar="ID", help="suite of all runs, instead of the cases' own")
    group.addoption(
        "--muster-timeout", type=float, default=600.0, metavar="SECONDS", help="cancel a case after this time (600)"
    )
    parser.addini("muster_cases", "folders with case files, relative to rootdir", "args", ["cases"])


def pytest_configure(config: pytest.Config) -> None:
    """Check the options, and register the marker of all cases."""
    config.addinivalue_line("markers", "muster: a test case in plain language, run by Muster")
    _timeout(config)
    if config.getoption("--muster-nats") and config.getoption("--muster-gateway"):
        raise pytest.UsageError("--muster-nats and --muster-gateway exclude each other: use one of them")
    for text in _given(config):
        if not text.partition("=")[0] or "=" not in text:
            raise pytest.UsageError(f"--muster-var {text}: write NAME=VALUE")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Collect a case file below a folder of `muster_cases` or named on the command line."""
    if file_path.suffix.lower() not in SUFFIXES:
        return None
    named = parent.session.isinitpath(file_path)
    if not named and not any(folder in file_path.parents for folder in _folders(parent.config)):
        return None
    from pytest_muster.case_items import CaseFile  # noqa: PLC0415 - loads the whole of Muster

    return CaseFile.from_parent(parent, path=file_path, named=named)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the private fleet, if there is one."""
    runner = config.stash.get(RUNNER, None)
    if runner is not None:
        runner.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Warn about variables that no case uses, which are probably misspelt."""
    if not _given(config):
        return
    from pytest_muster.case_items import Case  # noqa: PLC0415 - see above

    cases = [item for item in items if isinstance(item, Case)]
    known = {name for case in cases for name in case.variables}
    for name in dict(map(_pair, _given(config))):
        if cases and name not in known:
            warnings.warn(pytest.PytestWarning(f"--muster-var {name}: no case defines or uses it"), stacklevel=1)


def find_runner(session: pytest.Session) -> Runner:
    """Return the runner of a session; create it for the first case.

    Raises:
        MusterError: the fleet does not start or is unreachable.
    """
    config = session.config
    if FAILURE in config.stash:
        raise config.stash[FAILURE]
    if RUNNER not in config.stash:
        from pytest_muster.fleet_access import Place, runner  # noqa: PLC0415

        place = Place(
            nats=config.getoption("--muster-nats") or "",
            gateway=config.getoption("--muster-gateway") or "",
            workers=int(config.getoption("--muster-workers") or 2),
            timeout=_timeout(config),
        )
        try:
            config.stash[RUNNER] = runner(place)
        except MusterError as error:  # the other cases fail at once
            config.stash[FAILURE] = error
            raise
    return config.stash[RUNNER]


def read_variables(config: pytest.Config) -> dict[str, str]:
    """Return the variables from conftest files and the command line, which takes precedence."""
    if VARIABLES not in config.stash:
        hook: Any = config.hook
        found: dict[str, str] = {}
        for given in hook.pytest_muster_variables(config=config):
            found.update(given or {})
        config.stash[VARIABLES] = found | dict(map(_pair, _given(config)))
    return config.stash[VARIABLES]


def _given(config: pytest.Config) -> list[str]:
    return list(config.getoption("--muster-var") or ())


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _folders(config: pytest.Config) -> list[Path]:
    return [(config.rootpath / folder).resolve() for folder in config.getini("muster_cases")]


def _timeout(config: pytest.Config) -> float:
    seconds = config.getoption("--muster-timeout")
    if not isinstance(seconds, float) or not 0 < seconds < inf:
        raise pytest.UsageError("--muster-timeout is a number of seconds, above 0")
    return seconds
