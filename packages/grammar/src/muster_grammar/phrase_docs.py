"""The page about phrases, written from `PHRASES`, so that it cannot say anything else than the code."""

from collections.abc import Iterable

from muster_grammar.element_kinds import CONTAINERS, ROLES
from muster_grammar.engine import Parameter, Phrase
from muster_grammar.pattern_parameters import PARAMETERS
from muster_grammar.phrase_catalogue import CONDITIONS, PHRASES
from muster_grammar.vocabulary import ACTIONS, KINDS, SIGHTS, THINGS

_HEAD = """\
# Phrases

<!-- Written from the code: change the phrases, then run `python -m muster_grammar.phrase_docs > docs/phrases.md`. -->

Steps written in these phrases run without a model. All steps of a case are read before the first is done: a sentence
that is not known, or that can mean several things, fails the case with the closest phrases named, nothing touched.

- **Quotes** are `"…"`, `'…'`, `“…”`, `‘…’` or backticks. A quote inside a text of the same kind is written `\\"`.
- **Values** stand in quotes or in place of them: `Type ${secret:SHOP_PASSWORD} into "Password"`,
  `The text "${order}" is visible`.
- **Free** are upper and lower case, articles, "I" and "the user", "please", "should" and "must", plural, tense, and the
  words listed below as meaning the same.
- **Several actions** in one sentence are joined by "and", "then", commas or lines; a verb need not be repeated:
  `Type "a" into "X" and "b" into "Y"`.
- **Several expectations** are joined by "and", "but" or commas; each clause needs evidence of its own. Subject and verb
  need not be repeated: `The "Save" button is visible but disabled`.
- **Without quotes** a name is understood only where the kind of element follows (`the Login button`), or a value is
  compared or remembered (`the order number`). In quotes it always is.
- **Long commands and contents** may follow a colon, on as many lines as needed.
- **There is no** "or", "if", "all", "never", and no counting as in "the first button". What is not visible, not equal
  or not contained can be said with "not".

In the patterns, `{…}` is one of the [parameters](#parameters), `a/b` means either word, `(a)` one that may be missing.
"""

_TITLES = {"action": "Actions", "expectation": "Expectations", "precondition": "Preconditions"}
_NOTES = {
    "action": "What a step does. An expectation may stand among actions as `Verify that …`.",
    "expectation": "What must be so after the actions of a step.",
    "precondition": "What must be so before the first step. Actions and expectations can stand here, too.",
}


def markdown() -> str:
    """Return the page as Markdown, with a line end at its end."""
    parts = [_HEAD]
    for kind, title in _TITLES.items():
        phrases = [phrase for phrase in PHRASES if phrase.kind == kind]
        parts.append(f"## {title}\n\n{_NOTES[kind]}\n\n{_phrases(phrases)}")
    parts.append(f"## Parameters\n\n{_parameters(PARAMETERS | CONDITIONS)}")
    parts.append(f"## Kinds of elements\n\n{_kinds()}")
    parts.append(f"## Words that mean the same\n\n{_synonyms()}")
    return "\n".join(parts)


def _phrases(phrases: Iterable[Phrase]) -> str:
    rows = "".join(
        f"| {_code(phrase.pattern)} | {phrase.description} | {'<br>'.join(map(_code, phrase.examples))} |\n"
        for phrase in phrases
    )
    return f"| pattern | meaning | examples |\n|---|---|---|\n{rows}"


def _parameters(parameters: dict[str, Parameter]) -> str:
    rows = "".join(f"| `{{{name}}}` | {_cell(parameters[name].description)} |\n" for name in sorted(parameters))
    return f"| parameter | what it takes |\n|---|---|\n{rows}"


def _kinds() -> str:
    elements = ", ".join(sorted(ROLES))
    containers = ", ".join(sorted(CONTAINERS))
    return f"- elements: {elements}\n- containers: {containers}\n"


def _synonyms() -> str:
    rows = "".join(f"| {word} | {_cell(same)} |\n" for word, same in (ACTIONS | SIGHTS | THINGS | KINDS).items())
    return f"| word | same as |\n|---|---|\n{rows}"


def _code(text: str) -> str:
    """Return text as code in a table cell; a line end would end the row."""
    fence = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    shown = text.replace("\n", " ⏎ ")
    return _cell(f"{fence}{pad}{shown}{pad}{fence}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(markdown(), end="")
