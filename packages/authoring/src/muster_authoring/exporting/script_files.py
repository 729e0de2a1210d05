"""Writes scripts as files: imports, the helpers that they use, and the cases as tests. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from muster_authoring.exporting.python_helpers import PLAYWRIGHT_NAMES, PYTHON
from muster_authoring.exporting.script_parts import (
    Claim,
    Do,
    Download,
    Keep,
    Note,
    Script,
    Statement,
    Unsaid,
)
from muster_authoring.exporting.script_words import (
    PythonWords,
    TypeScriptWords,
    camel,
    environment_name,
    quoted,
    secret_variable,
    variable,
)
from muster_authoring.exporting.typescript_helpers import IMPORTS, PLAYWRIGHT_TYPES, TYPESCRIPT
from muster_text.text_match import squash

Format = Literal["playwright-py", "playwright-ts", "pytest"]
_PY, _TS = PythonWords(), TypeScriptWords()


class _Form(NamedTuple):
    """How files of a format are called."""

    before: str
    after: str
    between: str


_NAMES: Mapping[Format, _Form] = {
    "playwright-py": _Form("case_", ".py", "_"),  # without it, `email.yaml` would hide a module of Python
    "pytest": _Form("test_", ".py", "_"),
    "playwright-ts": _Form("", ".spec.ts", "-"),
}


def file_name(source: str, form: Format) -> str:
    """Return the name of the file for the cases of a source file's stem."""
    before, after, between = _NAMES[form]
    stem = re.sub(r"[\W_]+", between, source.lower()).strip(between) or "cases"
    return f"{before}{stem}{after}"


def file_of(scripts: Sequence[Script], source: str, form: Format) -> str:
    """Return the text of the file that holds the scripts of a source file."""
    return _typescript(scripts, source) if form == "playwright-ts" else _python(scripts, source, form)


# ---- Python


def _python(scripts: Sequence[Script], source: str, form: Format) -> str:
    names = _distinct([_identifier(script.name) or "case" for script in scripts])
    names = [f"test_{name}" if form == "pytest" else f"case_{name}" for name in names]
    tests = [_python_test(script, name, source) for script, name in zip(scripts, names, strict=True)]
    runs = _FIXTURE if form == "pytest" else _main(names)
    body = [runs, *tests] if form == "pytest" else [*tests, runs]
    used = _closure("\n".join(body), {name: one.source for name, one in PYTHON.items()})
    helpers = [PYTHON[name].source for name in used]
    text = "\n".join((*helpers, *body))
    imports = {line for name in used for line in PYTHON[name].imports}
    imports |= {f"import {name}" for name in ("os", "re") if re.search(rf"\b{name}\.", text)}
    third = ["import pytest"] if form == "pytest" else []
    third.append(f"from playwright.sync_api import {', '.join(it for it in PLAYWRIGHT_NAMES if _uses(text, it))}")
    imports |= {"from collections.abc import Iterator"} if form == "pytest" else set()
    standard = sorted(imports, key=lambda line: (not line.startswith("import"), line))
    head = _docstring(f"Exported from {source} by `muster export`")
    return "\n\n".join((head, "\n".join(standard), "\n".join(third))) + "\n\n\n" + "\n\n".join((*helpers, *body))


_FIXTURE = '''@pytest.fixture
def page() -> Iterator[Page]:
    """A page of its own; leave this out to use that of pytest-playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("BROWSER_EXECUTABLE"))
        yield browser.new_page()
        browser.close()
'''


def _main(names: Sequence[str]) -> str:
    return f'''def main() -> None:
    """Run all cases, each on a page of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("BROWSER_EXECUTABLE"))
        for case in ({", ".join(names)},):
            case(browser.new_page())
            print("passed:", case.__doc__)
        browser.close()


if __name__ == "__main__":
    main()
'''


def _python_test(script: Script, name: str, source: str) -> str:
    lines = [f"def {name}(page: Page) -> None:", f"    {_docstring(script.name)}"]
    for key, default in script.variables.items():
        environment = quoted(environment_name(key))
        given = f"os.environ[{environment}]" if default is None else f"os.environ.get({environment}, {quoted(default)})"
        lines.append(f"    {variable(key)} = {given}")
    lines += [f"    {secret_variable(key)} = os.environ[{quoted(f'SECRET_{key}')}]" for key in script.secrets]
    said = [f"    {line}" for statement in script.statements for line in _in_python(statement, source)]
    if "folder" in _closure("\n".join(said), {name: one.source for name, one in PYTHON.items()}):
        lines.append("    fresh_folder()")
    lines += said
    return "\n".join(lines) + "\n"


def _identifier(text: str) -> str:
    """Return a text as the rest of an identifier, in the form in which Python compares them."""
    plain = unicodedata.normalize("NFKC", text.lower())
    return "_".join("".join(one if f"_{one}".isidentifier() else " " for one in plain).replace("_", " ").split())


def _docstring(text: str) -> str:
    plain = squash(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{plain}."""'


def _in_python(statement: Statement, source: str) -> list[str]:
    match statement:
        case Note(text=text):
            return [f"# {text}"]
        case Do(chain=chain):
            return [_PY.chain(chain)]
        case Claim(subject=subject, matcher=matcher, denied=denied):
            negated = matcher._replace(name=f"not_{matcher.name}") if denied else matcher
            return [f"expect({_PY.chain(subject)}).{_PY.called(negated)}"]
        case Keep(name=name, chain=chain):
            return [f"{'response' if name == 'response' else _PY.name(name)} = {_PY.chain(chain)}"]
        case Download(chain=chain, path=path):
            return ["with page.expect_download() as started:", f"    {_PY.chain(chain)}", _saved(_PY.value(path))]
        case Unsaid():
            return [f"raise NotImplementedError({quoted(_told(statement, source))})"]


def _saved(path: str) -> str:
    return f"started.value.save_as({path})"


# ---- TypeScript


def _typescript(scripts: Sequence[Script], source: str) -> str:
    titles = _distinct([script.name for script in scripts], " ")
    tests = [_typescript_test(script, title, source) for script, title in zip(scripts, titles, strict=True)]
    used = _closure("\n".join(tests), TYPESCRIPT)
    helpers = [TYPESCRIPT[name] for name in used]
    text = "\n".join((*helpers, *tests))
    imports = [line for pattern, line in IMPORTS.items() if re.search(pattern, text)]
    types = [f"type {name}" for name in PLAYWRIGHT_TYPES if _uses("\n".join(helpers), name)]
    imports.append(f"import {{ {', '.join(['expect', 'test', *types])} }} from '@playwright/test';")
    head = f"// Exported from {squash(source)} by `muster export`."
    return "\n\n".join((head, "\n".join(imports), *(part.rstrip() for part in (*helpers, *tests)))) + "\n"


def _typescript_test(script: Script, title: str, source: str) -> str:
    lines = [f"test({quoted(title)}, async ({{ page }}) => {{"]
    for key, default in script.variables.items():
        name = environment_name(key)
        value = f"given({quoted(name)})" if default is None else f"process.env.{name} ?? {quoted(default)}"
        lines.append(f"  const {camel(variable(key))} = {value};")
    lines += [f"  const {camel(secret_variable(key))} = given({quoted(f'SECRET_{key}')});" for key in script.secrets]
    kept: set[str] = set()
    said = [f"  {line}" for statement in script.statements for line in _in_typescript(statement, source, kept)]
    if "folder" in _closure("\n".join(said), TYPESCRIPT):
        lines.append("  freshFolder();")
    lines += said
    return "\n".join((*lines, "});"))


def _in_typescript(statement: Statement, source: str, kept: set[str]) -> list[str]:
    match statement:
        case Note(text=text):
            return [f"// {text}"]
        case Do(chain=chain):
            return [f"await {_TS.chain(chain)};"]
        case Claim(subject=subject, matcher=matcher, denied=denied):
            return [f"await expect({_TS.chain(subject)}){'.not' if denied else ''}.{_TS.called(matcher)};"]
        case Keep(name=name, chain=chain):
            own = "response" if name == "response" else _TS.name(name)
            first = "" if own in kept else "let "
            kept.add(own)
            return [f"{first}{own} = await {_TS.chain(chain)};"]
        case Download(chain=chain, path=path):
            return [
                "{",
                "  const started = page.waitForEvent('download');",
                f"  await {_TS.chain(chain)};",
                f"  await (await started).saveAs({_TS.value(path)});",
                "}",
            ]
        case Unsaid():
            return [f"throw new Error({quoted(_told(statement, source))});"]


# ---- both


def _told(unsaid: Unsaid, source: str) -> str:
    return f"{source}:{unsaid.line}: {unsaid.what}: {unsaid.why}"


def _closure(text: str, helpers: Mapping[str, str]) -> list[str]:
    """Return the helpers that a text uses, and those that these use, in the order of the table."""
    found: set[str] = set()
    waiting = [name for name in helpers if _uses(text, name)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in helpers if other != name and _uses(helpers[name], other)]
    return [name for name in helpers if name in found]


def _uses(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){name}\b(?! =)", text) is not None


def _distinct(names: Sequence[str], between: str = "_") -> list[str]:
    """Return names that are all different: of two tests of one name, only the last would run."""
    taken, made = set(names), list[str]()
    for name in names:
        own, number = name, 1
        while own in made or (number > 1 and own in taken):
            number += 1
            own = f"{name}{between}{number}"
        made.append(own)
    return made
