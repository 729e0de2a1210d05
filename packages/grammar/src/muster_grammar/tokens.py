"""Turns a sentence into words: literals taken out, articles dropped, synonyms folded into one word. Pure."""

import re
import textwrap
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from muster_grammar.element_kinds import ROLES
from muster_grammar.verbs import ACTIONS, NOUN_VERBS
from muster_grammar.vocabulary import GRAMMAR, IDLE_ADVERBS, IDLE_WORDS, JOINT, SHORT_NOT, SYNONYMS, Table
from muster_text.clauses import QUOTED, SHORTENED
from muster_text.key_names import KEYS, MODIFIERS
from muster_text.values import PLACEHOLDER, SECRET

LITERAL = '"'
"""The key of every literal, whatever its quotes."""
SELECTOR = "css"
"""The key of a CSS selector, written as `css=.cart` or `css="a > b"`."""
EXAMPLE = "such as"
"""The key of "e.g." before a literal."""
STRAY = "«quote»"
"""The key of a quote that has no partner."""

_ARROWS = frozenset(("→", "»", "›", ">"))
_HELD = "|".join(sorted(MODIFIERS, key=len, reverse=True))
"""Keys after which a "+" between blanks adds another: `Ctrl + S`, but not `Click on + Add`."""
_PLACEHOLDERS = rf"(?:{PLACEHOLDER.pattern}|{SECRET.pattern})"
ORNAMENT = re.compile(r"^[ \t]*(?![✗✘✖❌❎🚫⛔🛑⚠])[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]+[ \t]+(?=[A-Z\"'“‘`*])")
"""A picture before the first word: `📋 Copy button is visible`; a cross may say that something must not be so."""
STRESSED = re.compile(r"\*\*(?!\s)[^*\n]+\*\*|(?<![\w*])\*(?=\w)[^*\n]*[^*\s]\*(?![\w*])")
"""Bold or italic letters, as Markdown has them: `**Save**`, `*Save*`."""
_SCAN = re.compile(
    rf"""
    (?P<bullet>{ORNAMENT.pattern}
        |^[ \t]*(?:[-*•✅✔✓☐☑]|(?:[-*][ \t]+)?\[[ xX]?\]|(?:[Ss]tep[ \t]+)?\d+[.):]|[Ss]tep[ \t]+\d+[ \t]+[-–]
        |[Ee]xpected(?:[ \t](?:[Rr]esults?|[Oo]utcome))?:)[ \t]+)
    | (?P<emphasis>(?<![\w*])[*_](?=["“`])|(?<=["”`])[*_](?![\w*]))
    | (?P<block>:[ \t]*\n.+)
    | (?P<selector>\b(?:css|xpath)=(?:"[^"]+"|'[^']+'|`[^`]+`|[^\s"'`]+))
    | (?P<quoted>{QUOTED.pattern}|`[^`]*`)
    | (?P<bold>{STRESSED.pattern})
    | (?P<bare>[^\s"'“”‘’`,;]{{0,200}}{_PLACEHOLDERS}[^\s"'“”‘’`,;]*|\w+://[^\s"'“”‘’`,;]+|(?<!\S)/[^\s"'“”‘’`,;]*)
    | (?P<number>(?<![\w.])[-+]?[$€£]?\d+(?:[.,:]\d+)*(?:[%€£]|\b)(?![\w]))
    | (?P<example>\b(?:e\.g\.|for[ ]example|for[ ]instance),?(?=\s*["'“‘`\d]))
    | (?P<arrow>[-=]>|➜)
    | (?P<shortened>{SHORTENED})
    | (?P<word>(?i:{_HELD})(?:\s*\+\s*\w+)+|\w+(?:\+\w+)+|\w+(?:[-'’./:@]\w+)*)
    | (?P<possessive>['’]s\b)
    | (?P<joint>[,;.!]|\n)
    | (?P<other>\S)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_INLINE_COMMAND = re.compile(
    r"^((?:[\w,]+\s+){0,6}(?:run|runs|execute|executes|command)\s*:)[ \t]*(?=[^\s\"'“‘`])", re.IGNORECASE
)
_KEY_TAG = re.compile(r"(?<!click )(?<!tap )(?<!on )<kbd>\s*([^<>]+?)\s*</kbd>", re.IGNORECASE)
_BOLD_VERB = re.compile(r"^((?:\d+[.)]|[-*])?[ \t]*)\*\*([A-Za-z-]+):?\*\*:?(?=\s)")
_INNER_QUOTES = re.compile(r"""^(["'“‘])([^"'“”‘’]+)["'”’]$""")
"""A text that is both bold and in quotes."""
_ESCAPED = re.compile(r"\\([\"'\\])")
_FENCE = re.compile(r"^```\w*\n(.*?)\n?```$", re.DOTALL)
_SELECTED = re.compile(r"^(?:css|xpath)=([\"'`]?)(.*)\1$", re.DOTALL)
_NOT = {"won't": "will", "shan't": "shall"}
_CLIPPED = re.compile(SHORT_NOT)


class Token(NamedTuple):
    """One word of a sentence, or several that were folded into one."""

    key: str
    """What patterns see: lower case, folded; `LITERAL` for a literal."""
    text: str
    """As written; of a literal, what stands between its quotes."""
    before: str = " "
    """What stood between it and the word before: blanks, articles."""
    raw: str = ""
    """As written, quotes included."""


Words = tuple[Token, ...]


def words(sentence: str) -> Words:
    """Return the folded words of a sentence; joints ("and", "then", commas) never lead or follow each other."""
    return english(scan(sentence))


def english(tokens: Words) -> Words:
    """Return the folded words of a sentence that is in English."""
    return tidy(_folded(_with_names_whole(_without_last_article(_with_steps_parted(tokens)))))


def folded(text: str) -> Words:
    """Return the folded words of a part of a sentence, joints at its ends included."""
    return _folded(scan(text))


def _folded(tokens: Words) -> Words:
    return fold(fold(tokens, GRAMMAR), SYNONYMS)


def _with_steps_parted(tokens: Words) -> Words:
    """Put a joint in place of an arrow before another act; one before an entry is the way through a menu.

    A verb with a capital letter may be such an entry ("View > Select All"), unless an article or a quote follows.
    """
    return tuple(
        token._replace(key=JOINT) if token.key in _ARROWS and _is_act(tokens[at + 1 : at + 3]) else token
        for at, token in enumerate(tokens)
    )


def _is_act(some: Words) -> bool:
    if len(some) < 2 or SYNONYMS.keys.get(some[0].key, some[0].key) not in ACTIONS:
        return False
    return some[0].text.islower() or some[1].key in {LITERAL, "the", "a", "an", "on"}


def _without_last_article(tokens: Words) -> Words:
    """No sentence ends with an article: `Press A` is about the key."""
    if not tokens or tokens[-1].key != "a":
        return tokens
    return (*tokens[:-1], tokens[-1]._replace(key="A"))


def _with_names_whole(tokens: Words) -> Words:
    """Keep words that are else left out, where they are part of a name: "Start now button", "My account", "Plan A"."""
    return tuple(
        token._replace(key=token.text.capitalize()) if _is_named(tokens, at) else token
        for at, token in enumerate(tokens)
    )


def _is_named(tokens: Words, at: int) -> bool:
    token, before = tokens[at], tokens[at - 1] if at else None
    if before is None or token.key not in IDLE_WORDS:
        return False
    follower = tokens[at + 1].key if at + 1 < len(tokens) else ""
    if token.key == "a":
        return token.text == "A" and at > 1 and (before.text[:1].isupper() or (before.key, follower) == ("from", "to"))
    return token.text[:1].isupper() or (token.key in IDLE_ADVERBS and follower in ROLES)


def line(some: Sequence[Token]) -> str:
    """Return the keys with a blank before each: what patterns match."""
    return "".join(f" {token.key}" for token in some)


def first_word(some: Sequence[Token]) -> str:
    """Return the first word of the first key."""
    return some[0].key.partition(" ")[0]


def source(some: Sequence[Token]) -> str:
    """Return the words as they were written."""
    return "".join(f"{token.before}{token.raw}" for token in some).strip()


def name(some: Sequence[Token]) -> str:
    """Return the words as written, as a name on the page: articles between them stay, literals lose their quotes."""
    return "".join(f"{token.before}{token.text}" for token in some)[len(some[0].before) :] if some else ""


def fold(tokens: Sequence[Token], table: Table) -> Words:
    """Put one token in place of each run of words that the table knows, longest first; an empty one leaves them out."""
    folded: list[Token] = []
    at, dropped = 0, ""
    while at < len(tokens):
        size, key = _longest(tokens, at, table)
        if size == 2 and f"{tokens[at].key} {tokens[at + 1].key}" in NOUN_VERBS and _is_set(folded):
            size, key = 1, tokens[at].key
        run = tokens[at : at + size]
        before = dropped + run[0].before
        raw = run[0].raw + "".join(f"{token.before}{token.raw}" for token in run[1:])
        if key:
            folded.append(Token(key, name(run), before, raw))
            dropped = ""
        else:
            dropped = before + raw
        at += size
    return tuple(folded)


def _longest(tokens: Sequence[Token], at: int, table: Table) -> tuple[int, str]:
    longest = table.longest.get(tokens[at].key.partition(" ")[0], 0)
    for size in range(min(longest, len(tokens) - at), 0, -1):
        run = " ".join(token.key for token in tokens[at : at + size])
        if run in table.keys and (run not in table.solid or _unbroken(tokens[at + 1 : at + size])):
            return size, table.keys[run]
    return 1, tokens[at].key


def _is_set(folded: Sequence[Token]) -> bool:
    """Return whether a verb before still needs a "to": the value in "Set the loan amount to 600"."""
    part = takewhile(lambda token: token.key not in (JOINT, "to"), reversed(folded))
    return any(token.key in ("set", "adjust") for token in part)


def _unbroken(tokens: Sequence[Token]) -> bool:
    return not any(token.before.strip() for token in tokens)


def scan(sentence: str) -> Words:
    """Return the words of a sentence as written, literals taken out."""
    plain = _KEY_TAG.sub(_plain_key, sentence.strip())
    text = _BOLD_VERB.sub(_plain_verb, _INLINE_COMMAND.sub(r"\1\n", plain, count=1))
    tokens: list[Token] = []
    end = 0
    for match in _SCAN.finditer(text):
        before = text[end : match.start()]
        end = match.end()
        if match.lastgroup not in ("bullet", "emphasis"):
            tokens.extend(_tokens(match.lastgroup, match.group(), before))
    return tuple(token for at, token in enumerate(tokens) if not (_idle_colon(tokens, at) or _idle_hyphen(tokens, at)))


def _plain_key(match: re.Match[str]) -> str:
    """Leave out the tags around a key: `<kbd>Ctrl</kbd>`; "right" is an arrow there."""
    named = match[1].lower()
    if f"arrow{named}" in KEYS:
        return f"arrow {named}"
    known = named in KEYS or named in MODIFIERS or (len(named) == 1 and named.isascii()) or named.startswith("arrow")
    return match[1] if known else match[0]


def _plain_verb(match: re.Match[str]) -> str:
    """Leave out what stresses the verb that a sentence begins with: `**Verify** the title is "Home"`."""
    verb = match[2].lower()
    return f"{match[1]}{match[2]}" if SYNONYMS.keys.get(verb, verb) in ACTIONS else match[0]


def _tokens(kind: str | None, text: str, before: str) -> list[Token]:
    inner = text
    match kind:
        case "word":
            return _word(text, before)
        case "quoted":
            key, inner = LITERAL, text[1:-1] if text.startswith("`") else _ESCAPED.sub(r"\1", text[1:-1])
        case "bold":
            key, inner = LITERAL, _INNER_QUOTES.sub(r"\2", text.strip("*").strip())
        case "block":
            key, inner = LITERAL, _FENCE.sub(r"\1", textwrap.dedent(text.partition("\n")[2]).strip("\n"))
        case "selector":
            key, inner = SELECTOR, _SELECTED.sub(r"\2", text).rstrip(".,;!?")
        case "bare":
            key, inner = LITERAL, text.rstrip(".!?:")
        case "joint":
            key = JOINT
        case "arrow":
            key = "→"
        case "example":
            key = EXAMPLE
        case _:
            key = STRAY if text in "\"'“”‘’`" else text.lower().replace("’", "'")
    return [Token(key, inner, before, inner if kind == "bare" else text)]


def _word(text: str, before: str) -> list[Token]:
    key = text.lower().replace("’", "'")
    key = f"{key[:-2]}n't" if _CLIPPED.fullmatch(key) else key
    if key == "can't":
        return [Token("cannot", text, before, text)]
    if key.endswith("n't"):
        return [Token(_NOT.get(key, key[:-3]), text, before, text), Token("not", "", "", "")]
    if key.endswith("'s"):
        return [Token(key[:-2], text[:-2], before, text[:-2]), Token("'s", text[-2:], "", text[-2:])]
    return [Token(re.sub(r"\s*\+\s*", "+", key), text, before, text)]


def _idle_colon(tokens: Sequence[Token], at: int) -> bool:
    """A colon before a literal, or at the end, says nothing."""
    return tokens[at].key == ":" and (at + 1 == len(tokens) or tokens[at + 1].key == LITERAL)


def _idle_hyphen(tokens: Sequence[Token], at: int) -> bool:
    """A hyphen that joins a literal to its noun says nothing: `the "Save"-button`."""
    within = 0 < at < len(tokens) - 1 and tokens[at].key == "-" and tokens[at - 1].key == LITERAL
    return within and not tokens[at].before and not tokens[at + 1].before


def tidy(tokens: Words) -> Words:
    """Return words without joints that lead or follow each other."""
    kept: list[Token] = []
    for token in tokens:
        if token.key != JOINT or (kept and kept[-1].key != JOINT):
            kept.append(token)
    while kept and kept[-1].key == JOINT and not kept[-1].raw.strip().isalpha():
        kept.pop()
    return tuple(kept)
