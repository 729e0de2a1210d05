"""The HTML pages of a report: an index, and a page for each run. Pure."""

from muster_views.html.render import index_page, run_page
from muster_views.html.report_index import index_of
from muster_views.html.run_page import RunPage, page_of
from muster_views.html.showing import Fact, File

__all__ = ["Fact", "File", "RunPage", "index_of", "index_page", "page_of", "run_page"]
