"""Draw docs/packages.svg: the packages and services, and what each imports.

Boxes come from the members' pyproject.toml, arrows from their import statements. An arrow that other arrows imply is
left out. `--check` writes nothing and fails if the picture is out of date.
"""

import ast
import bisect
import itertools
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/packages.svg"
FOLDERS = ("protocol", "packages/*", "services/*", "cli", "integrations/*")
"""From bottom to top."""
BOX, HEIGHT, GAP, ROW, TEXT = 172, 66, 16, 108, 25
"""In pixels: a box, its height, the gap between two boxes, a row. In characters: a line of a box."""
STARTS, SWEEPS = 60, 24
STYLE = """
  .ground { fill: #fff } .box { stroke-width: 1.5 } .name { font-weight: 600; font-size: 14px; fill: #0f172a }
  .about { font-size: 11px; fill: #475569 } .import { fill: none; stroke: #64748b; stroke-width: 1.3 }
  .start { fill: none; stroke: #b45309; stroke-width: 1.3; stroke-dasharray: 5 4 } .tip { fill: #64748b }
  .start-tip { fill: #b45309 } .protocol { fill: #fef3c7; stroke: #b45309 } .packages { fill: #f1f5f9; stroke: #64748b }
  .services { fill: #dbeafe; stroke: #1d4ed8 } .cli, .integrations { fill: #dcfce7; stroke: #15803d }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .name { fill: #f1f5f9 } .about { fill: #cbd5e1 } .import { stroke: #94a3b8 }
    .tip { fill: #94a3b8 } .start { stroke: #f59e0b } .start-tip { fill: #f59e0b } .protocol { fill: #451a03 }
    .packages { fill: #1e293b } .services { fill: #172554 } .cli, .integrations { fill: #052e16 }
  }
"""


class Member(NamedTuple):
    """A distribution of the workspace, by import name."""

    name: str
    part: str
    """First part of its folder: `packages`, `services` …"""
    about: str
    imports: frozenset[str]
    starts: frozenset[str]
    """Members that it starts as processes without importing them."""


class Dot(NamedTuple):
    """A position in a row: a box, or a point where a long arrow crosses the row."""

    row: int
    name: str

    @property
    def width(self) -> int:
        """Width in the row, with its share of the gaps."""
        return BOX + GAP if "→" not in self.name else GAP


Arrow = tuple[str, str]
Route = tuple[Dot, ...]


def members() -> dict[str, Member]:
    """Return the members of the workspace by name."""
    found = [path for folder in FOLDERS for path in sorted(ROOT.glob(f"{folder}/pyproject.toml"))]
    projects = {path.parent: tomllib.loads(path.read_text(encoding="utf-8"))["project"] for path in found}
    names = {str(project["name"]).replace("-", "_") for project in projects.values()}
    return {member.name: member for member in (_member(at, project, names) for at, project in projects.items())}


def _member(folder: Path, project: Mapping[str, Any], names: set[str]) -> Member:
    name = str(project["name"]).replace("-", "_")
    asked: list[str] = project["dependencies"]
    depends = names & {wanted.partition("[")[0].replace("-", "_") for wanted in asked}
    imports = _imported(folder / "src" / name) & names - {name}
    part = folder.relative_to(ROOT).parts[0]
    return Member(name, part, str(project["description"]), frozenset(imports), frozenset(depends - imports))


def _imported(folder: Path) -> set[str]:
    """Return the top-level modules that the Python files of a folder import."""
    found = set[str]()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
    return found


def rows_of(known: Mapping[str, Member]) -> dict[str, int]:
    """Return the row of each member, 0 at the bottom: above everything it imports; services share a row."""

    def depth(name: str) -> int:
        return 1 + max((depth(other) for other in known[name].imports), default=-1)

    parts = [folder.partition("/")[0] for folder in FOLDERS]
    inner = {name: depth(name) for name, member in known.items() if member.part in ("protocol", "packages")}
    outer = {name: parts.index(member.part) - 1 for name, member in known.items() if name not in inner}
    return inner | {name: max(inner.values()) + row for name, row in outer.items()}


def arrows(known: Mapping[str, Member]) -> list[Arrow]:
    """Return the imports as (importer, imported), without transitive ones."""

    def below(name: str) -> set[str]:
        return set(known[name].imports).union(*(below(other) for other in known[name].imports))

    return sorted(
        (name, other)
        for name, member in known.items()
        for other in member.imports
        if not any(other in below(between) for between in member.imports)
    )


def route(arrow: Arrow, rows: Mapping[str, int]) -> Route:
    """Return the dots of an arrow from its start down to its end."""
    start, end = arrow
    between = (Dot(row, f"{start}→{end}") for row in range(rows[start] - 1, rows[end], -1))
    return (Dot(rows[start], start), *between, Dot(rows[end], end))


def placed(rows: Mapping[str, int], routes: Sequence[Route]) -> tuple[dict[Dot, float], float]:
    """Return the centre of each dot, chosen for short arrows with few crossings, and the width of the widest row."""
    dots = sorted({*(Dot(row, name) for name, row in rows.items()), *itertools.chain(*routes)})
    pairs = sorted({pair for way in routes for pair in itertools.pairwise(way)})
    near: dict[Dot, list[Dot]] = {dot: [] for dot in dots}
    for upper, lower in pairs:
        near[upper].append(lower)
        near[lower].append(upper)
    lines = [list(line) for _, line in itertools.groupby(dots, key=lambda dot: dot.row)]
    width = max(sum(dot.width for dot in line) for line in lines)
    tried = (_arranged(lines, near, width, Random(seed)) for seed in range(STARTS))
    return min(tried, key=lambda at: _tangle(at, pairs)), width


def _arranged(
    lines: Sequence[Sequence[Dot]], near: Mapping[Dot, Sequence[Dot]], width: float, random: Random
) -> dict[Dot, float]:
    """Return positions of dots: a random order, then each dot moves towards its neighbours."""
    shuffled = [random.sample(line, len(line)) for line in lines]
    at = {dot: width * index / len(line) for line in shuffled for index, dot in enumerate(line)}
    for sweep in range(SWEEPS):
        for line in shuffled if sweep % 2 else reversed(shuffled):
            wanted = {dot: fmean(at[other] for other in near[dot]) if near[dot] else at[dot] for dot in line}
            line.sort(key=lambda dot: (wanted[dot], dot))
            at |= zip(line, _spread(line, [wanted[dot] for dot in line], width), strict=True)
    return at


def _tangle(at: Mapping[Dot, float], pairs: Sequence[tuple[Dot, Dot]]) -> tuple[int, float]:
    """Return the number of crossings and the total horizontal distance."""
    crossings = sum(
        one[0].row == other[0].row and (at[one[0]] - at[other[0]]) * (at[one[1]] - at[other[1]]) < 0
        for one, other in itertools.combinations(pairs, 2)
    )
    return crossings, sum(abs(at[upper] - at[lower]) for upper, lower in pairs)


def _spread(line: Sequence[Dot], wanted: Sequence[float], width: float) -> list[float]:
    """Return positions closest to the wanted ones, in the same order, without overlap and within the row."""
    starts = [0.0, *itertools.accumulate((one.width + other.width) / 2 for one, other in itertools.pairwise(line))]
    blocks: list[tuple[float, int]] = []  # mean and length of what has to move together
    for place, start in zip(wanted, starts, strict=True):
        mean, length = place - start, 1
        while blocks and blocks[-1][0] >= mean:
            before, count = blocks.pop()
            mean, length = (before * count + mean * length) / (count + length), count + length
        blocks.append((mean, length))
    ends = list(itertools.accumulate(length for _, length in blocks))
    low, high = line[0].width / 2, width - starts[-1] - line[-1].width / 2
    return [
        start + min(max(blocks[bisect.bisect(ends, index)][0], low), max(low, high))
        for index, start in enumerate(starts)
    ]


def picture(known: Mapping[str, Member]) -> str:
    """Return the picture as SVG."""
    rows, drawn = rows_of(known), arrows(known)
    started = [(name, other) for name, member in known.items() for other in sorted(member.starts)]
    routes = [route(arrow, rows) for arrow in (*drawn, *started)]
    (at, width), top = placed(rows, routes), max(rows.values())
    height = (top + 1) * ROW + 34
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        'font-family="system-ui, sans-serif" role="img" aria-label="Packages and services, and what each imports">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="tip" d="M0 0L8 4L0 8z"/></marker><marker id="start-tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path class="start-tip" d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect class="ground" width="{width:.0f}" height="{height}"/>',
        *(_line(way, at, top, "import" if index < len(drawn) else "start") for index, way in enumerate(routes)),
        *itertools.chain.from_iterable(_box(known[name], at[Dot(row, name)], top - row) for name, row in rows.items()),
        *_legend(height - 14),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _line(way: Route, at: Mapping[Dot, float], top: int, style: str) -> str:
    """Return an arrow that leaves and enters boxes vertically."""
    points = [(at[dot], (top - dot.row) * ROW + GAP) for dot in way]
    path = f"M{points[0][0]:.0f} {points[0][1] + HEIGHT}"
    for (left, upper), (right, lower) in itertools.pairwise(points):
        begin, end = upper + HEIGHT, lower - (2 if (right, lower) == points[-1] else 0)
        middle = (begin + end) / 2
        path += f"C{left:.0f} {middle:.0f} {right:.0f} {middle:.0f} {right:.0f} {end}"
        path += f"L{right:.0f} {lower + HEIGHT}" if (right, lower) != points[-1] else ""
    tip = "tip" if style == "import" else "start-tip"
    return f'<path class="{style}" marker-end="url(#{tip})" d="{path}"/>'


def _box(member: Member, middle: float, row: int) -> Iterator[str]:
    x, y = middle - BOX / 2, row * ROW + GAP
    yield f'<rect class="box {member.part}" x="{x:.0f}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="7"/>'
    name = member.name.removeprefix("muster_").replace("_", "-")
    yield f'<text class="name" x="{x + 10:.0f}" y="{y + 20}">{escape(name)}</text>'
    for index, line in enumerate(textwrap.wrap(member.about.rstrip("."), TEXT, max_lines=3, placeholder=" …")):
        yield f'<text class="about" x="{x + 10:.0f}" y="{y + 36 + 13 * index}">{escape(line)}</text>'


def _legend(y: int) -> Iterable[str]:
    yield f'<path class="import" marker-end="url(#tip)" d="M20 {y - 4}H56"/>'
    yield f'<text class="about" x="64" y="{y}">imports; what follows from other arrows is left out</text>'
    yield f'<path class="start" marker-end="url(#start-tip)" d="M370 {y - 4}H406"/>'
    yield f'<text class="about" x="414" y="{y}">starts as a process</text>'
    yield f'<text class="about" x="570" y="{y}">Services import no service: they talk over NATS.</text>'


def main(check: bool) -> int:
    """Draw the picture; with `check`, only compare it. Return the exit code."""
    drawn = picture(members())
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == drawn:
        return 0
    if check:
        print(f"{PICTURE.relative_to(ROOT)} is out of date: run deploy/make_package_picture.py", file=sys.stderr)
        return 1
    PICTURE.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
