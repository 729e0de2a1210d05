"""The library that audits pages is the one that its README names."""

import hashlib
import re
from importlib.resources import files


def test_the_vendored_file_has_the_sum_that_the_readme_names() -> None:
    folder = files("muster_devices.web") / "vendor"
    (told,) = re.findall(r"\| `axe\.js` \|.*`([0-9a-f]{64})` \|", (folder / "README.md").read_text())
    assert hashlib.sha256((folder / "axe.js").read_bytes()).hexdigest() == told
    assert (folder / "LICENSE-axe-core").is_file()
