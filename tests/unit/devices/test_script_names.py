"""The modules of the script in the page share one scope: a second function of a name would take the place of the first."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

from muster_devices.web import page_script

DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let) +(\w+)", re.MULTILINE)


def test_no_two_modules_of_the_page_declare_the_same_name() -> None:
    sources = [one.read_text("utf-8") for one in (files("muster_devices.web") / "js").iterdir()]
    used = [source for source in sources if source.strip() in page_script.SETTLE_SCRIPT]
    counts = Counter(name for source in used for name in DECLARED.findall(source))
    assert counts["textOf"] == 1
    assert [name for name, count in counts.items() if count > 1] == []


def test_the_readme_says_what_each_module_decides() -> None:
    table = re.findall(
        r"^\| (.*?) \|", (Path(__file__).parents[3] / "packages/devices/README.md").read_text(), re.MULTILINE
    )
    named = re.findall(r"`(\w+\.js)`", "".join(table))

    assert sorted(named) == sorted(one.name for one in (files("muster_devices.web") / "js").iterdir())
