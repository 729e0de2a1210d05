"""Write the Grafana dashboards of deploy/grafana/dashboards/ from the queries in dashboards.py.

`--check` writes nothing and fails if the files are out of date. Import one by hand, or let Grafana read the folder:
deploy/grafana/provisioning/ is what docker-compose's profile `grafana` gives it.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from dashboards import DASHBOARDS, Dashboard, Panel

FOLDER = Path(__file__).resolve().parent / "grafana/dashboards"
SOURCE = {"type": "prometheus", "uid": "${source}"}
WIDTH, HEIGHT, STAT_HEIGHT = 24, 8, 4


class Place(NamedTuple):
    """Position of a panel in Grafana's grid of 24 columns."""

    x: int
    y: int


def places(panels: tuple[Panel, ...]) -> list[Place]:
    """Return positions of panels: in rows, from left to right. Pure."""
    found = [Place(0, 0)]
    for before, panel in pairwise(panels):
        x, y = found[-1].x + before.width, found[-1].y
        fits = x + panel.width <= WIDTH and before.stat == panel.stat
        found.append(Place(x, y) if fits else Place(0, y + (STAT_HEIGHT if before.stat else HEIGHT)))
    return found


def panel_json(number: int, panel: Panel, at: Place) -> dict[str, Any]:
    """Return a panel as Grafana JSON."""
    custom = {"fillOpacity": 20 if panel.stacked else 5, "showPoints": "never"}
    custom |= {"stacking": {"mode": "normal"}} if panel.stacked else {}
    return {
        "id": number,
        "title": panel.title,
        "description": panel.meaning,
        "type": "stat" if panel.stat else "timeseries",
        "datasource": SOURCE,
        "gridPos": {"x": at.x, "y": at.y, "w": panel.width, "h": STAT_HEIGHT if panel.stat else HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit} | ({} if panel.stat else {"custom": custom}), "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + n), "datasource": SOURCE, "expr": query.expr, "legendFormat": query.legend}
            for n, query in enumerate(panel.queries)
        ],
    }


def dashboard_json(board: Dashboard) -> str:
    """Return the JSON file of a dashboard."""
    located = zip(board.panels, places(board.panels), strict=True)
    whole = {
        "uid": f"muster-{board.name}",
        "title": board.title,
        "tags": ["muster"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {
            "list": [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}]
        },
        "links": [{"title": "Muster", "type": "dashboards", "tags": ["muster"], "asDropdown": True}],
        "panels": [panel_json(number, panel, at) for number, (panel, at) in enumerate(located, 1)],
    }
    return json.dumps(whole, indent=1) + "\n"


def main(check: bool) -> int:
    """Write the files that are out of date; with `check`, only report them. Return the exit code."""
    made = {FOLDER / f"{board.name}.json": dashboard_json(board) for board in DASHBOARDS}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.name} is out of date: run deploy/make_dashboards.py", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[path], encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
