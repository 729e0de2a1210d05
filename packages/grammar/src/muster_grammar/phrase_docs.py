"""The page about phrases, generated from `PHRASES`, so that it always matches the code."""

from collections.abc import Iterable

from muster_grammar.element_kinds import ADJECTIVES, CONTAINERS, ROLES, UNNAMED
from muster_grammar.engine import Parameter, Phrase
from muster_grammar.phrase_catalogue import ALL_PARAMETERS, CONDITIONS, PHRASES
from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.vocabulary import KINDS, THINGS

_HEAD = """\
# Phrases

<!-- Written from the code: change the phrases, then run `python -m muster_grammar.phrase_docs > docs/phrases.md`. -->

```
Type "tester" into the "User name" field and click the "Log in" button
The text "Hello, tester" is visible and the URL contains "/products"
```

Steps in these phrases run without a model. `muster phrases WORD` searches them. Muster reads all steps of a case before
the first action: an unknown or ambiguous sentence fails the case, names the closest phrases, and touches nothing.

## How sentences are read

### Writing sentences

- **Quotes** are `"…"`, `'…'`, `“…”`, `‘…’`, backticks, or bold or italic as in Markdown, `**…**` and `*…*`.
  Escape a quote inside a text of the same kind: `\\"`.
- **Placeholders** can replace a quoted text or be part of it: `Type ${secret:SHOP_PASSWORD} into "Password"`,
  `The text "${order}" is visible`.
- **Ignored**: upper and lower case, articles, "I", "the user" and other people who act, "please", "should" and "must",
  plural and tense. [Synonyms](#words-that-mean-the-same) are listed below.
- **Asides** that do not change an action are ignored: its purpose (`… to close the dialog`), its page, a rough place
  (`at the top of the page`), `as usual`. A place may come first: `In the dialog, click "OK"`.
- **Several actions**: join them with "and", "then", commas or line breaks. You need not repeat the verb:
  `Type "a" into "X" and "b" into "Y"`.
- **Several expectations**: join them with "and", "but" or commas; each clause needs evidence of its own. You need not
  repeat subject and verb: `The "Save" button is visible but disabled`.
- **Time**: a check waits a few seconds until it holds. `… within 30 seconds` at the end of an expectation, or
  `Wait up to 30 seconds until …`, gives it longer.
- **All of a kind**: `Each row … contains …`, `All checkboxes are checked`, `None of the buttons is enabled`. At
  least one must exist, because otherwise such a claim would prove nothing.
- **Dates and generated values**: `today's date`, `tomorrow`, `today + 3 days`, `a random e-mail address`, `a unique
  name`. They are kept as `${date}`, `${random_email}` and so on, and stay the same when a step is tried again.
- **Long commands and contents** can follow a colon, on several lines.
- **Not available**: "or", "if" and "never". Use "not": `is not visible`, `is not`, `does not contain`. Vague words
  ("correctly", "as expected") are refused.
- **German**: the most frequent verbs and claims also work in German, with names in quotes:
  `Gib "tester" in das Feld "Benutzername" ein`, `Der Button "Weiter" ist deaktiviert`. A sentence with an unknown word
  is refused.

### Naming elements

| by | examples |
|---|---|
| name and kind | `the "Save" button` |
| ordinal | `the first "Remove" button`, `the last row`, `row 3` |
| kind alone, if the page has only one | `the table`, `the search field`, `the submit button` |
| what contains it | `in`, `of` or `for` a row, list, table, dialog, header, footer, navigation, section, calendar or \
pagination; `under the heading "X"`; `in the "Email" column` |
| a neighbour | `next to`, `below`, `above`, `after` or `before` another element |
| several texts of a row, item or card, which must have them all | `the row with "Ada" and "Admin"` |
| markup | `the element with test id "cart"`, `css=.cart` (or `css="ul > li"`), `xpath="//ul/li"`, as in \
`Type "Ada" into the field with test id "name"` |

Places nest: `the "Edit" link in the row with "Ada" in the "Users" table`. A target that fits several elements of the
page is refused, and the error lists them. A report shows a call by markup with `role="test id"`, `role="css"` or
`role="xpath"`.

### Names without quotes

Quoted names always work. A name without quotes works

- before the kind of element: `the Login button`;
- after `Click`, by its whole name: `click login`;
- if a value is compared or remembered: `the order number`;
- elsewhere, if it begins with a capital letter, or holds a digit or a sign: `Write "Hi" into Bio`, `The size of
  notes.txt is 120 KB`.

It ends before a verb, a preposition, a state or a kind of element; if that leaves two meanings, the sentence is refused
and the error shows both.

To claim that something is absent, use quotes or a capital letter: `There are no broken images` is refused, because
"broken" may be a description, and no image has that name. A claim about something that the page may never have had is
refused, too: `The third row is not visible`. `There is no checkbox` counts all of a kind.

## How to read the patterns

In the patterns, `{…}` is a [parameter](#parameters), `a/b` means either word, and `(a)` is optional.
"""

_TITLES = {"action": "Actions", "expectation": "Expectations", "precondition": "Preconditions"}
_NOTES = {
    "action": "What a step does. To check something between actions, write `Verify that …`.",
    "expectation": "What must be true after the actions of a step.",
    "precondition": "What must be true before the first step. You can also use actions and expectations here.",
}


def markdown() -> str:
    """Return the page as Markdown, with a line end at its end."""
    parts = [_HEAD]
    for kind, title in _TITLES.items():
        phrases = [phrase for phrase in PHRASES if phrase.kind == kind]
        parts.append(f"## {title}\n\n{_NOTES[kind]}\n\n{_phrases(phrases)}")
    parts.append(f"## Parameters\n\n{_parameters(ALL_PARAMETERS | CONDITIONS)}")
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
    unnamed, types = ", ".join(sorted(UNNAMED)), ", ".join(sorted(ADJECTIVES))
    return (
        f"- elements: {elements}\n- containers: {containers}\n- containers that need no name: {unnamed}\n"
        f"- types of fields and buttons: {types}\n"
    )


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
