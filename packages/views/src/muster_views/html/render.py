"""Renders pages as HTML with templates that escape all text. Pure."""

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from muster_views.html.report_index import Index
from muster_views.html.run_page import RunPage
from muster_views.html.showing import find_decision, format_attempt_duration, format_cost, list_numbers
from muster_views.texts import format_count, format_duration, format_usage, shorten, strip_controls
from muster_views.words import look

QUOTED = re.compile(r'("[^"\n]*"|“[^”\n]*”|«[^»\n]*»)')
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def render_index(index: Index) -> str:
    """Return the index page."""
    return _environment().get_template("index.html").render(index=index, alone=False)


def render_run(page: RunPage, *, alone: bool = False) -> str:
    """Return the page of a run as HTML; `alone`: without a link to an index."""
    return _environment().get_template("run.html").render(page=page, show=page.show, alone=alone)


@cache
def _environment() -> Environment:
    """Return the Jinja environment; every text is stripped of controls and escaped."""
    environment = Environment(
        loader=PackageLoader("muster_views.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_strip_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _read_resource("report.css"), _read_resource("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    known: dict[str, object] = {
        "style": Markup(style),
        "script": Markup(script),
        "script_hash": digest,
        "look": look,
        "took": format_duration,
        "spent": format_usage,
        "count": format_count,
        "shortened": shorten,
        "decided": find_decision,
        "numbers": list_numbers,
        "duration": format_attempt_duration,
        "cost_of": format_cost,
    }
    cast("dict[str, object]", environment.globals).update(known)
    environment.filters["isolated"] = isolate
    return environment


def isolate(text: str) -> Markup:
    """Return a text as HTML in which each quoted part has its own direction.

    Else a number after right-to-left words would change places with them.
    """
    clean = strip_controls(text)
    parts = QUOTED.split(clean) if RIGHT_TO_LEFT.search(clean) else [clean]
    return Markup("").join(Markup("<bdi>{}</bdi>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _strip_text(value: object) -> object:
    """Return a text without control characters; `Markup` is trusted."""
    return strip_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _read_resource(name: str) -> str:
    return resources.files("muster_views.html").joinpath("templates", name).read_text(encoding="utf-8")
