"""Literals come through as they were written, whatever is in them; and no sentence makes the parser fail otherwise."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muster_grammar import PHRASES, PhraseError, parse_action, parse_expectation, parse_precondition
from muster_text.clauses import split_clauses

WORDS = st.sampled_from(
    [
        *(
            "and",
            "then",
            " and ",
            ", ",
            ". ",
            "or",
            "not",
            "the",
            "button",
            "is visible",
            "Log in",
            "29.99",
            "as",
            "into",
        ),
        *(
            "${order}",
            "${secret:NAME}",
            "{x}",
            "'",
            '"',
            "“",
            "”",
            "‘",
            "’",
            "`",
            "\\",
            "/",
            ":",
            "(",
            "  ",
            "ß",
            "日本",
        ),
    ]
)
TEXTS = st.one_of(
    st.lists(WORDS, min_size=1, max_size=8).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
).filter(str.strip)
ONE_LINE = TEXTS.filter(
    lambda text: len(text.splitlines()) == 1 and not text.endswith(tuple("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
)


def _double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _single(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _curly(text: str) -> str:
    return "“" + text.replace("\\", "\\\\").replace("”", "") + "”"


def _backtick(text: str) -> str:
    return f"`{text.replace('`', '')}`"


@given(TEXTS)
@example('a\\"b')
@example("\\")
@example(r"\d+\\")
def test_a_text_in_any_quotes_reaches_an_action_unchanged(text: str):
    for quoted, meant in (
        (_double(text), text),
        (_single(text), text),
        (_curly(text), text.replace("”", "")),
        (_backtick(text), text.replace("`", "")),
    ):
        if not meant:
            continue
        (typed,) = parse_action(f'Type {quoted} into the "Name" field')
        assert typed.arguments == {"element": "Name", "text": meant}
        (run,) = parse_action(f"Run the command {quoted}.")
        assert run.arguments == {"command": meant}


@given(TEXTS, TEXTS)
def test_two_texts_of_a_compound_action_stay_apart(one: str, other: str):
    clicked, typed = parse_action(f"Click {_double(one)}, then type {_single(other)} into {_double(one)} please")
    assert clicked.arguments == {"element": one}
    assert typed.arguments == {"element": one, "text": other}


@given(ONE_LINE, ONE_LINE)
def test_texts_of_an_expectation_stay_in_their_clauses(one: str, other: str):
    expected = f"The text {_double(one)} is visible and the title is {_single(other)}"
    text, title = parse_expectation(expected)
    assert (text.arguments, title.arguments) == ({"text": one}, {"title": other})
    assert (text.clause, title.clause) == split_clauses(expected)


@pytest.mark.parametrize("text", ["${order}", "${secret:SHOP_PASSWORD}", "a ${b} and ${secret:C}, then"])
def test_placeholders_stay_placeholders(text: str):
    assert parse_action(f'Type "{text}" into "X"')[0].arguments["text"] == text
    assert parse_expectation(f'The text "{text}" is visible')[0].arguments["text"] == text


@pytest.mark.parametrize("text", ["${order}", "${secret:SHOP_PASSWORD}", "${base_url}/a?b=${c}&d#e"])
def test_a_placeholder_needs_no_quotes(text: str):
    assert parse_action(f"Type {text} into the field {text}.")[0].arguments == {"element": text, "text": text}


LINES = st.text(st.sampled_from("ab '\"`\\$:-\t"), min_size=1, max_size=20).filter(str.strip)


@given(st.lists(LINES, min_size=1, max_size=4))
def test_what_follows_a_colon_on_the_next_lines_is_the_command(lines: list[str]):
    block = "\n".join(f"  {line.strip()}" for line in lines)
    (run,) = parse_action(f"Run the command:\n{block}")
    assert run.arguments == {"command": "\n".join(line.strip() for line in lines)}


SOUP = st.lists(
    st.one_of(
        WORDS,
        st.sampled_from([word for phrase in PHRASES for sentence in phrase.examples for word in sentence.split()]),
        st.text(max_size=4),
    ),
    max_size=12,
).map(" ".join)


@given(SOUP)
def test_a_jumble_of_words_is_read_or_refused_but_never_breaks_the_parser(sentence: str):
    for parse in (parse_action, parse_expectation, parse_precondition):
        try:
            calls = parse(sentence)
        except PhraseError as error:
            assert "\n" not in str(error).replace(error.sentence, "")
        else:
            assert calls
