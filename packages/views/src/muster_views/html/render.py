"""From the parts of a page to its HTML: templates that escape whatever they are given. Pure."""

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from muster_views.html.report_index import Index
from muster_views.html.run_page import RunPage
from muster_views.html.showing import cost_of, decided, duration, numbers
from muster_views.texts import count, plain, shortened, spent, took
from muster_views.words import look


def index_page(index: Index) -> str:
    """Return the index page."""
    return _environment().get_template("index.html").render(index=index, alone=False)


def run_page(page: RunPage, *, alone: bool = False) -> str:
    """Return the page of a run; `alone`: there is no index it could lead to, and it may have its pictures inside."""
    return _environment().get_template("run.html").render(page=page, show=page.show, alone=alone)


@cache
def _environment() -> Environment:
    """Return the templates' environment; every text goes through `plain` and is escaped."""
    environment = Environment(
        loader=PackageLoader("muster_views.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_controls,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _resource("report.css"), _resource("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    known: dict[str, object] = {
        "style": Markup(style),
        "script": Markup(script),
        "script_hash": digest,
        "look": look,
        "took": took,
        "spent": spent,
        "count": count,
        "shortened": shortened,
        "decided": decided,
        "numbers": numbers,
        "duration": duration,
        "cost_of": cost_of,
    }
    cast("dict[str, object]", environment.globals).update(known)
    return environment


def _without_controls(value: object) -> object:
    """Return a text that may neither colour nor turn around what follows; `Markup` is our own."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _resource(name: str) -> str:
    return resources.files("muster_views.html").joinpath("templates", name).read_text(encoding="utf-8")
