"""Helpers that an exported Python file includes if it uses them. Data."""

from typing import NamedTuple


class Helper(NamedTuple):
    """A piece of a file, known by the name that it defines."""

    source: str
    imports: tuple[str, ...] = ()


PYTHON: dict[str, Helper] = {
    "whole": Helper(
        '''def whole(text: str) -> re.Pattern[str]:
    """A text as it is written, but no part of a number: "6" is not in "16", nor "$59" in "$59.98"."""
    assert text.strip(), "an empty text is everywhere"
    before = r"(?<!\\d)(?<!\\d[.,'])" if text[:1].isdigit() else ""
    after = r"(?![.,']?\\d)" if text[-1:].isdigit() else ""
    return re.compile(before + r"\\s+".join(map(re.escape, text.split())) + after)
''',
        ("import re",),
    ),
    "phrase": Helper(
        '''def phrase(text: str) -> re.Pattern[str]:
    """A text as `whole` has it, but no part of a word either: "Ada" is not in "Adam"."""
    before = r"(?<![^\\W_])" if text[:1].isalnum() else ""
    after = r"(?![^\\W_])" if text[-1:].isalnum() else ""
    return re.compile(before + whole(text).pattern + after)
''',
        ("import re",),
    ),
    "containing": Helper(
        '''def containing(text: str) -> re.Pattern[str]:
    """A text as it is written, anywhere."""
    assert text, "an empty text is everywhere"
    return re.compile(re.escape(text))
''',
        ("import re",),
    ),
    "ending": Helper(
        '''def ending(text: str) -> re.Pattern[str]:
    """The end of an address as it is written, but no part of a number; a query may follow a path."""
    before = r"(?<!\\d)" if text[:1].isdigit() else ""
    end = before + containing(text).pattern
    return re.compile(f"{end}$" if set(text) & set("?#=&") else rf"^[^?]*{end}/?([?#].*)?$")
''',
        ("import re",),
    ),
    "having": Helper(
        '''def having(found: Locator, text: Locator) -> Locator:
    """Those that are or hold an element with a text."""
    return found.filter(has=text).or_(found.and_(text))
''',
    ),
    "PARTS": Helper(
        '''PARTS = """tr, li, ul, ol, article, section, fieldset, form, dialog, table,
[role=row], [role=listitem], [role=article], [role=region], [role=form],
[role=group], [role=dialog], [role=alertdialog], [role=tabpanel], [role=table]"""
'''
    ),
    "part_of": Helper(
        '''def part_of(page: Page | Frame, name: str) -> Locator:
    """The smallest row, item, card or section that has a text or is called so."""
    parts = page.locator(PARTS)
    named = having(parts, page.get_by_text(phrase(name))).or_(parts.and_(page.get_by_label(phrase(name))))
    return named.filter(has_not=named)
''',
    ),
    "expect_no_text": Helper(
        '''SHOWN = """() => {
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const all = [...document.querySelectorAll("*")].filter(seen);
  const said = (el) => ["aria-label", "alt", "title", "placeholder"].map((name) => el.getAttribute(name));
  const drawn = (el) => ["::before", "::after"].map((part) => getComputedStyle(el, part).content);
  const field = (el) => (el.matches("input, textarea") ? el.value : "");
  const held = (el) => (el.matches("select") ? el.selectedOptions[0]?.label : field(el));
  const texts = all.flatMap((el) => [...said(el), ...drawn(el), held(el), el.shadowRoot?.textContent]);
  return [document.body?.innerText, ...texts];
}"""


def expect_no_text(page: Page, text: str, timeout: int = 5000) -> None:
    """Expect that a text appears in no frame, field or accessible name, ignoring case."""
    ends = time.monotonic() + timeout / 1000
    plain = re.compile(r"\\s+".join(map(re.escape, text.split())), re.IGNORECASE)
    while True:
        said = [one for frame in page.frames for one in frame.evaluate(SHOWN) if one]
        seen = [one for one in said if plain.search(re.sub("[\\u00ad\\u200b-\\u200d\\ufeff]", "", one))]
        if not seen:
            return
        assert time.monotonic() < ends, f"{text!r} is in {seen[0][:200]!r}"
        page.wait_for_timeout(50)
''',
        ("import re", "import time"),
    ),
    "expect_answer": Helper(
        '''ANSWER = "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"


def expect_answer(page: Page, wrong: int, *missing: int) -> None:
    """Expect that the page came with no status from `wrong` up, and with none of these."""
    page.wait_for_load_state("domcontentloaded")
    status = page.evaluate(ANSWER)
    assert status < wrong and status not in missing, f"{page.url} answered {status}"
''',
    ),
    "inside": Helper(
        '''def inside(page: Page | Frame, name: str, target: Locator) -> Locator:
    """What stands in the smallest row, card or section that has a text."""
    parts = page.locator(PARTS)
    parts = having(parts, page.get_by_text(phrase(name))).filter(has=target)
    return parts.filter(has_not=parts).locator(target)
''',
    ),
    "labelled": Helper(
        '''def labelled(page: Page | Frame, name: str) -> Locator:
    """The field of this label, or what stands beside it in a list or table."""
    label = page.locator("dt, th").filter(has_text=re.compile(rf"^\\s*{re.escape(name)}\\s*:?\\s*$"))
    return page.get_by_label(phrase(name)).or_(label.locator("xpath=following-sibling::*[self::dd or self::td][1]"))
''',
        ("import re",),
    ),
    "framed": Helper(
        '''def framed(page: Page, find: Callable[[Page | Frame], Locator], timeout: int = 5000) -> Locator:
    """What is found in the page, or else in one of its frames; what can be seen counts first."""
    ends = time.monotonic() + timeout / 1000
    while True:
        found = [find(place) for place in page.frames]
        there = [2 if one.filter(visible=True).count() else min(one.count(), 1) for one in found]
        if any(there) or time.monotonic() > ends:
            return found[there.index(max(there))]
        page.wait_for_timeout(50)
''',
        ("import time", "from collections.abc import Callable"),
    ),
    "expect_count": Helper(
        '''def expect_count(
    page: Page, find: Callable[[Page | Frame], Locator], count: int, timeout: int = 5000
) -> None:
    """Expect so many elements, in the page and its frames together."""
    ends = time.monotonic() + timeout / 1000
    while (seen := sum(find(place).count() for place in page.frames)) != count:
        assert time.monotonic() < ends, f"{seen} elements, not {count}"
        page.wait_for_timeout(50)
''',
        ("import time", "from collections.abc import Callable"),
    ),
    "value_of": Helper(
        '''def value_of(target: Locator) -> str:
    """The value of a field, or the text of anything else; it must not be empty."""
    value = target.evaluate("el => (el.matches('input, textarea') ? el.value : el.innerText).trim()")
    assert value, f"{target} is empty"
    return value
''',
    ),
    "expect_value": Helper(
        '''def expect_value(target: Locator, value: str) -> None:
    """Expect the value of a field, the chosen option of a list, or the text of anything else."""
    expect(target).to_be_visible()
    if target.evaluate("el => el.matches('select')"):
        expect(target.locator("option:checked")).to_have_text(value)
    elif target.evaluate("el => el.matches('input, textarea')"):
        expect(target).to_have_value(value)
    else:
        expect(target).to_have_text(value, use_inner_text=True)
''',
    ),
    "type_keys": Helper(
        '''def type_keys(field: Locator, text: str) -> None:
    """Empty a field and press a key for each letter."""
    field.clear()
    field.press_sequentially(text)
''',
    ),
    "type_behind": Helper(
        '''def type_behind(field: Locator, text: str) -> None:
    """Type behind what a field holds."""
    field.press("End")
    field.press_sequentially(text)
''',
    ),
    "dismiss_if_shown": Helper(
        '''def dismiss_if_shown(page: Page, target: Locator) -> None:
    """Click what closes a banner or tour, whenever it is in the way."""
    page.add_locator_handler(target, lambda: target.click())
''',
    ),
    "dialogs": Helper("dialogs: list[str] = []\n"),
    "answer_next_dialog": Helper(
        '''def answer_next_dialog(page: Page, accept: bool, text: str = "") -> None:
    """Answer the dialog that the next action opens."""
    dialogs.clear()

    def answer(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        if accept:
            dialog.accept(text or dialog.default_value)
        else:
            dialog.dismiss()

    page.once("dialog", answer)
''',
    ),
    "expect_dialog": Helper(
        '''def expect_dialog(page: Page, text: str) -> None:
    """Expect that the last dialog said a text."""
    ends = time.monotonic() + 5
    while not dialogs and time.monotonic() < ends:
        page.wait_for_timeout(50)
    assert dialogs and dialogs[-1] == text, f"dialogs: {dialogs}"
''',
        ("import time",),
    ),
    "folder": Helper(
        '''@cache
def folder() -> Path:
    """The folder of the files of this test; it is removed in the end."""
    made = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)
''',
        (
            "import atexit",
            "import shutil",
            "import tempfile",
            "from functools import cache",
            "from pathlib import Path",
        ),
    ),
    "fresh_folder": Helper(
        '''def fresh_folder() -> None:
    """Begin with an empty folder: what another test wrote does not count."""
    folder.cache_clear()
''',
    ),
    "write_file": Helper(
        '''def write_file(path: str, content: str) -> None:
    """Write a file in the folder."""
    file = folder() / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")
''',
    ),
    "expect_file": Helper(
        '''def expect_file(path: str, *texts: str) -> None:
    """Expect a file in the folder, with texts in it."""
    held = (folder() / path).read_text("utf-8")
    for text in texts:
        assert whole(text).search(held), f"{text!r} is not in {path}"
''',
    ),
    "expect_no_file": Helper(
        '''def expect_no_file(path: str) -> None:
    """Expect that there is no such file in the folder."""
    assert not (folder() / path).exists(), f"{path} exists"
''',
    ),
    "SHELL": Helper(
        """SHELL = '[ -f "$2" ] && . "$2" && cd "$PWD"; eval "$1"; code=$?; export -p > "$2"; exit $code'
finished: list[subprocess.CompletedProcess[str]] = []
""",
        ("import subprocess",),
    ),
    "run": Helper(
        '''def run(command: str) -> None:
    """Run a command in the folder, which is its HOME; exported variables last until the next one."""
    call = ["bash", "-c", SHELL, "bash", command, str(folder() / ".shell")]
    environment = {**os.environ, "HOME": str(folder())}
    finished.append(subprocess.run(call, cwd=folder(), env=environment, capture_output=True, text=True))
''',
        ("import os", "import subprocess"),
    ),
    "expect_exit_code": Helper(
        '''def expect_exit_code(code: int) -> None:
    """Expect how the last command ended."""
    assert finished[-1].returncode == code, f"exit code {finished[-1].returncode}: {finished[-1].stderr}"
''',
    ),
    "expect_output": Helper(
        '''def expect_output(text: str) -> None:
    """Expect a text in what the last command put out."""
    said = finished[-1].stdout + finished[-1].stderr
    assert whole(text).search(said), f"{text!r} is not in {said!r}"
''',
    ),
    "expect_status": Helper(
        '''def expect_status(response: APIResponse | Response | None, status: int) -> None:
    """Expect the status of an answer."""
    assert response is not None and response.status == status, f"status {response and response.status}"
''',
    ),
    "expect_body": Helper(
        '''def expect_body(response: APIResponse | Response | None, text: str) -> None:
    """Expect a text in the body of an answer."""
    assert response is not None and whole(text).search(response.text()), f"{text!r} is not in the answer"
''',
    ),
}
"""By name, each after those that it uses."""
PLAYWRIGHT_NAMES = ("APIResponse", "Dialog", "Frame", "Locator", "Page", "Response", "expect", "sync_playwright")
"""What may be imported from Playwright."""
