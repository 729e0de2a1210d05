"""The HTML pages of a report: an index, and a page for each run. Everything in here but `material` is pure."""

from muster_reports.pages.index import index_of
from muster_reports.pages.render import index_page, run_page
from muster_reports.pages.view import page_of

__all__ = ["index_of", "index_page", "page_of", "run_page"]
