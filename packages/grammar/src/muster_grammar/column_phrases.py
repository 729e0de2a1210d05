"""Phrases for the columns of tables."""

from muster_grammar.count_phrases import count_of
from muster_grammar.element_phrases import is_hidden, is_shown
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count
from muster_grammar.target_parser import Target, Within
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of


def _row_with(place: Within, texts: tuple[str, ...], heading: str) -> Calls:
    """Only of one text can be said that it stands in the column of some row."""
    where = Narrowing(relations=(Relation("in_column", heading), *narrowing_of(place).relations)).argument()
    return (call("check_text", text=texts[0], within=where),) if len(texts) == 1 and texts[0] else ()


def _column(heading: str) -> Calls:
    return _columns((heading,))


def _no_column(heading: str) -> Calls:
    return is_hidden(Target(heading, "columnheader", noun="columnheader"))


def _columns(headings: tuple[str, ...]) -> Calls:
    return _columns_in("", headings)


def _just_columns(headings: tuple[str, ...]) -> Calls:
    """The table is the only one that there is."""
    found = _columns_in(["in table"], headings)
    return (*found, *_count_columns(["in table"], Count("is", len(headings)))) if found else ()


def _columns_in(place: Within, headings: tuple[str, ...]) -> Calls:
    columns = (Target(heading, "columnheader", within=place, noun="columnheader") for heading in headings)
    return tuple(one for column in columns for one in is_shown(column)) if all(headings) else ()


def _count_columns(place: Within, count: Count) -> Calls:
    return count_of(count, Target("", "columnheader", within=place, noun="columnheader", plural=True))


def _just_so_many(place: Within, count: Count, headings: tuple[str, ...]) -> Calls:
    if count != Count("is", len(headings)) or not all(headings):
        return ()
    return (*_columns_in(place, headings), *_count_columns(place, count))


def _column_in(heading: str, place: Within) -> Calls:
    return _columns_in(place, (heading,))


def _no_column_in(heading: str, place: Within) -> Calls:
    return is_hidden(Target(heading, "columnheader", within=place, noun="columnheader"))


COLUMNS: tuple[Phrase, ...] = (
    expectation(
        "{place} has/contains row with {texts} in {column}",
        build=_row_with,
        description="A table has a row with each text in a column.",
        examples=('The "Users" table has a row with "Ada" in the "Name" column',),
    ),
    expectation(
        "{quoted} column is visible",
        "Column {quoted} is visible",
        "The page shows {quoted} column",
        "The page shows column {quoted}",
        build=_column,
        description="A table has a column with this heading.",
        examples=('The "Price" column is visible',),
    ),
    expectation(
        "{quoted} column is not visible",
        "Column {quoted} is not visible",
        "The page does not show {quoted} column",
        "The page does not show column {quoted}",
        build=_no_column,
        description="No table has a column with this heading.",
        examples=('The "Price" column is not visible',),
    ),
    expectation(
        "{quoted} column is visible in/inside/within/on {spot}",
        "The page shows {quoted} column in/inside/within/on {spot}",
        build=_column_in,
        description="A table has a column with this heading.",
        examples=('The "Price" column is shown in the "Products" table',),
    ),
    expectation(
        "{quoted} column is not visible in/inside/within {spot}",
        "The page does not show {quoted} column in/inside/within {spot}",
        build=_no_column_in,
        description="A table has no column with this heading.",
        examples=('The "Price" column is not visible in the "Products" table',),
    ),
    expectation(
        "Columns {texts} is visible",
        "The page shows columns {texts}",
        build=_columns,
        description="A table has columns with these headings.",
        examples=('I see the columns "Name" and "Price"',),
    ),
    expectation(
        "{place} has/shows/contains (the) column/columns {texts}",
        build=_columns_in,
        description="A table has columns with these headings.",
        examples=('The "Users" table has the columns "Name" and "Mail"',),
    ),
    expectation(
        "Columns/Columnheaders is {texts}",
        build=_just_columns,
        description="A table has columns with these headings and no more.",
        examples=('The table headers are "Name" and "Mail"',),
    ),
    expectation(
        "The page shows {place} with (the) column/columns {texts}",
        build=_columns_in,
        description="A table has columns with these headings.",
        examples=('There is a table with the columns "Name" and "Mail"',),
    ),
    expectation(
        "{place} has/shows/contains {count} columns",
        build=_count_columns,
        description="Counts the columns of a table that have a heading.",
        examples=('The "Users" table has 4 columns',),
    ),
    expectation(
        "{place} has/shows/contains {count} columns {texts}",
        build=_just_so_many,
        description="A table has columns with these headings and no more.",
        examples=('The "Users" table has 2 columns: "Name" and "Mail"',),
    ),
)
