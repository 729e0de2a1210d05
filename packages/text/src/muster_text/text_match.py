"""Compares, ranks and quotes texts. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from unicodedata import normalize

_UNDRAWN = "\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""They only say how text is laid out: soft hyphens, spaces without width, directions."""
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-"} | dict.fromkeys(_UNDRAWN, ""))
_END = re.compile(r"\s*(\((required|optional)\)|[:*…▲▼△▽▴▾↑↓↕⇅⬆⬇]|\.\.\.)+$")
_POINTERS = re.compile(r"^([‹«←]\s*|<\s+)+|(\s*[›»→]|\s+>)+$")
"""Arrows at the ends of a name, which only point where it leads: "Next day ›" is called Next day."""
_DECIMAL = re.compile(r"\d\.\d+$")
"""A number with decimals; one more point makes it a version or a grouped number."""
_RUNS_INTO = re.compile(r"\d[.,']?$")
_MORE = r"[kKMB](?![^\W\d_])|[eE][-+]?\d|[\u00bc-\u00be\u2150-\u215e]"
"""What makes another number of the digits before it: thousands, millions, a power of ten, a fraction."""
_RUNS_ON = re.compile(rf"[.,']?\d|{_MORE}")
_DECIMAL_RUNS_ON = re.compile(rf"[,']?\d|\.\d{{3}}(?!\d)|{_MORE}")
_CURRENCY = r"[$¢£¤¥\u20a0-\u20cf]"
_AMOUNT = re.compile(rf"({_CURRENCY}\s?)?\d")
_SIGNED = re.compile(rf"(?<![^\W_])(?<![)\].,%°\"'/])(?<!\d{_CURRENCY})[-–]({_CURRENCY}\s?)?$")
"""A minus sign directly before a number, but no dash between two words or numbers."""
_OPENS = re.compile(rf"(?:^|[:=|]\s?)\(({_CURRENCY}\s?)?$")
_CLOSES = re.compile(rf"(?:\s?{_CURRENCY})?\)")
_MONEY = re.compile(rf"{_CURRENCY}|[.,]\d\d\)")
"""With the two above: brackets around an amount of money that stands alone; so books write that it is negative."""
_OTHER_FORM = re.compile(r"(?:s|es|d|ed|ing|n|en|e|er|r)(?![^\W\d_])", re.IGNORECASE)
"""What a word ends in where it is the same word in another form, as in "Errors" or "deleted"."""

FAR = 0.35
"""How much less similar than the best name one may be that is still worth naming."""


def squash(text: str) -> str:
    """Return the text as one reads it: white space collapsed, plain quotes, composed letters, no marks of layout."""
    return " ".join(normalize("NFC", text.translate(_PLAIN)).split())


def place_without(place: str, name: str) -> str:
    """Return what names the part that an element is in; where that is only the words inside, those of the others."""
    return squash(re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", " ", place)) if name else place


def plain(text: str) -> str:
    """Return the text squashed and in lower case, for comparing names."""
    return squash(text).lower()


def bare(text: str) -> str:
    """Return the text without the marks at the end of labels, such as `:`, `(required)` or an arrow."""
    have = _END.sub("", plain(text))
    return _POINTERS.sub("", have) or have


def has_whole(have: str, want: str) -> bool:
    """Return whether a text contains another without cutting a number: "6" is not in "16", "$59" not in "$59.98".

    The script in the page has the same helper (`hasWhole`).
    """
    return next(_whole_hits(have, want), None) is not None


def has_words(have: str, want: str) -> bool:
    """Return whether a text contains another without cutting a number or a word: "Ada" is not in "Adam"."""
    return next(word_hits(have, want), None) is not None


def count_words(have: str, want: str) -> int:
    """Return how often a text contains another without cutting a number or a word."""
    return sum(1 for _ in word_hits(have, want))


def word_hits(have: str, want: str) -> Iterator[int]:
    """Yield where a text has another in it whose numbers and words are whole there."""
    return (at for at in _whole_hits(have, want) if not _run_on(have, at) and not _run_on(have, at + len(want)))


def other_form(have: str, want: str) -> str:
    """Return the word of a text that may be the wanted one in another form, as "Errors" for "Error"; "" if none is."""
    for at in _whole_hits(have, want):
        end = at + len(want)
        if not _run_on(have, at) and _run_on(have, end) and (more := _OTHER_FORM.match(have, end)):
            return have[at : more.end()]
    return ""


def _run_on(text: str, at: int) -> bool:
    """Return whether a word goes on at an index. Only scripts with capitals part every two words by a blank."""
    return 0 < at < len(text) and all(one.lower() != one.upper() for one in text[at - 1 : at + 1])


def _whole_hits(have: str, want: str) -> Iterator[int]:
    """Yield where a text has another in it whose numbers are whole there."""
    at = have.find(want)
    while at >= 0:
        if whole_at(have, want, at):
            yield at
        at = have.find(want, at + 1) if want else -1


def whole_at(have: str, want: str, at: int) -> bool:
    """Return whether `want`, found at index `at` of `have`, cuts off no part of a number, its sign included."""
    if want[:1].isdecimal() and _RUNS_INTO.search(have[max(0, at - 3) : at]):
        return False
    if _is_signed(have, want, at):
        return False
    after = have[at + len(want) :][:9]
    return not want[-1:].isdecimal() or not (_DECIMAL_RUNS_ON if _DECIMAL.search(want) else _RUNS_ON).match(after)


def _is_signed(have: str, want: str, at: int) -> bool:
    if not _AMOUNT.match(want):
        return False
    return _SIGNED.search(have[max(0, at - 6) : at]) is not None or _bracket_end(have, want, at) > 0


def _bracket_end(have: str, want: str, at: int) -> int:
    """Return where the brackets end that make an amount of money a negative one; 0 if there are none."""
    opens, closes = _OPENS.search(have, max(0, at - 6), at), _CLOSES.match(have, at + len(want))
    if not (opens and closes and _MONEY.search(have, opens.start(), closes.end())):
        return 0
    return closes.end()


def begins_negative(line: str, want: str) -> bool:
    """Return whether a line begins with the wanted amount in brackets that make it a negative one."""
    at = line.find(want)
    return line.startswith("(") and _AMOUNT.match(want) is not None and 0 < at < 4 and _bracket_end(line, want, at) > 0


def signed_form(have: str, want: str) -> str:
    """Return the wanted number with the sign that it has in a text, as "-5 °C" for "5 °C"; "" if it has none."""
    at = have.find(want)
    while at >= 0 and want:
        if _is_signed(have, want, at) and next(word_hits(have[at:], want), -1) == 0:
            return have[have.rfind(" ", 0, at - 1) + 1 : _bracket_end(have, want, at) or at + len(want)]
        at = have.find(want, at + 1)
    return ""


def match_tier(text: str, want: str) -> int | None:
    """Return how well a text matches: 0 equal, 1 starts with `want`, 2 contains it as words, 3 as part of a word.

    None: no match. A part of a number never matches.
    """
    have, wanted = plain(text), plain(want)
    if not have or not wanted:
        return None
    if have == wanted or bare(have) == bare(wanted):
        return 0
    at = have.find(wanted)
    while at >= 0:
        edges = have[at - 1 : at] + have[at + len(wanted) : at + len(wanted) + 1]
        if not any(edge.isalnum() for edge in edges) and whole_at(have, wanted, at):
            return 1 if at == 0 else 2
        at = have.find(wanted, at + 1)
    return 3 if has_whole(have, wanted) else None


def nearest(want: str, names: Iterable[str], limit: int = 4, least: float = 0.45) -> list[str]:
    """Return the names most similar to `want`, best first; none that is far less similar than the best."""
    wanted = plain(want)
    scored = [(_likeness(wanted, plain(name)[:200]), name) for name in dict.fromkeys(names)]
    least = max([least, *(score - FAR for score, _ in scored)])
    return [name for score, name in sorted(scored, key=lambda pair: -pair[0]) if score >= least][:limit]


def _likeness(want: str, have: str) -> float:
    if not have or not want:
        return 0.0
    if want in have or have in want:
        return min(0.9 * min(len(want), len(have)) / max(len(want), len(have)) + 0.4, 1.0)
    return SequenceMatcher(None, want, have).ratio()


def lines_like(want: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a page most similar to a text that is missing."""
    return nearest(want, (line for line in lines if len(line) <= 300), limit=3, least=0.4)


def quote(text: str, limit: int = 200) -> str:
    """Return the text in quotes on one line, cut at `limit` characters."""
    flat = squash(text)
    return f'"{flat if len(flat) <= limit else flat[: limit - 1] + "…"}"'


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Return a comma-separated list of quoted names, with the number of names beyond `limit`."""
    items = list(dict.fromkeys(names))
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(quote(item, 60) for item in items[:limit]) + more


def both_ends(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text, from its beginning and its end."""
    half = (limit - 3) // 2
    return text if len(text) <= limit else f"{text[:half]} … {text[-half:]}"


def shorten(text: str, limit: int = 4000) -> str:
    """Return head and tail of a long text, with a note of how much is left out between them."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[len(text) - limit // 3 :]
    left = text[len(head) : len(text) - len(tail)]
    return f"{head}\n… {len(left)} characters ({left.count(chr(10))} lines) left out …\n{tail}"
