"""Renders the HTML pages of a report: an index and a page per run. Pure."""

from muster_views.html.render import render_index, render_run
from muster_views.html.report_index import build_index
from muster_views.html.run_page import RunPage, build_page
from muster_views.html.showing import Fact, File

__all__ = ["Fact", "File", "RunPage", "build_index", "build_page", "render_index", "render_run"]
