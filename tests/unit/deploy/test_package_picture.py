"""docs/packages.svg shows the packages and their imports as they are today."""

import itertools
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[3]
DRAWING = runpy.run_path(str(ROOT / "deploy/make_package_picture.py"))
SVG = (ROOT / "docs/packages.svg").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def members() -> dict[str, Any]:
    return DRAWING["members"]()


def member(name: str, *imports: str, part: str = "packages") -> Any:
    return DRAWING["Member"](name, part, "", frozenset(imports), frozenset())


def test_the_picture_is_up_to_date(members: dict[str, Any]) -> None:
    assert DRAWING["picture"](members) == SVG, "run deploy/make_package_picture.py"


def test_the_picture_changes_with_an_import(members: dict[str, Any]) -> None:
    more = members["muster_cases"]._replace(imports=frozenset({"muster_agents"}))

    assert DRAWING["picture"](members | {"muster_cases": more}) != SVG


def test_every_package_is_drawn_once_with_all_of_its_description(members: dict[str, Any]) -> None:
    root = ET.fromstring(SVG)
    names = [it.text for it in root.iter("{http://www.w3.org/2000/svg}text") if it.get("class") == "name"]

    assert sorted(str(name) for name in names) == sorted(
        name.removeprefix("muster_").replace("_", "-") for name in members
    )
    assert "…" not in SVG


def test_the_drawn_arrows_imply_every_import_and_no_other(members: dict[str, Any]) -> None:
    drawn: list[tuple[str, str]] = DRAWING["arrows"](members)

    def reached(name: str) -> set[str]:
        direct = {end for start, end in drawn if start == name}
        return direct.union(*map(reached, direct))

    def imported(name: str) -> set[str]:
        direct = set(members[name].imports)
        return direct.union(*map(imported, direct))

    assert {name: reached(name) for name in members} == {name: imported(name) for name in members}


def test_an_arrow_that_two_others_imply_is_left_out() -> None:
    known = {"a": member("a", "b", "c"), "b": member("b", "c"), "c": member("c")}

    assert DRAWING["arrows"](known) == [("a", "b"), ("b", "c")]


def test_services_share_a_row_above_all_packages(members: dict[str, Any]) -> None:
    rows: dict[str, int] = DRAWING["rows_of"](members)
    services = {rows[name] for name, one in members.items() if one.part == "services"}
    packages = [rows[name] for name, one in members.items() if one.part in ("packages", "protocol")]

    assert services == {max(packages) + 1}


def test_every_box_is_inside_the_picture(members: dict[str, Any]) -> None:
    root = ET.fromstring(SVG)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    boxes = [it.attrib for it in root.iter("{http://www.w3.org/2000/svg}rect") if it.get("class") != "ground"]

    assert len(boxes) == len(members)
    for box in boxes:
        assert 0 <= float(box["x"]) <= width - float(box["width"])
        assert 0 <= float(box["y"]) <= height - float(box["height"])


@pytest.mark.parametrize("wanted", [[500.0] * 4, [900.0, 100.0, 500.0, 500.0], [0.0, 0.0, 999.0, 999.0]])
def test_boxes_of_a_row_neither_overlap_nor_leave_the_picture(wanted: list[float]) -> None:
    line = [DRAWING["Dot"](0, name) for name in "abcd"]
    half = DRAWING["BOX"] / 2

    places: list[float] = DRAWING["_spread"](line, wanted, 1000)

    assert all(right - left >= DRAWING["BOX"] for left, right in itertools.pairwise(places))
    assert places[0] >= half
    assert places[-1] <= 1000 - half
