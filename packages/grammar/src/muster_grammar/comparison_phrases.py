"""Phrases that compare: all elements of a kind, their order, attributes."""

from msgspec import structs

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.group_parameters import Every
from muster_grammar.page_phrases import may_be_address
from muster_grammar.pattern_parameters import Comparison, State
from muster_grammar.target_parser import Target, Within
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_protocol.tool_calls import ArgumentValue, ToolCall


def _each(every: Every, **what: ArgumentValue) -> Calls:
    given = {key: value for key, value in every.target.arguments().items() if value}
    relations = narrowing_of(every.target.within).relations
    if every.target.role == "row" and any(one.how == "in_column" for one in relations):
        given["role"] = "cell"  # of a row, that is what stands in the column
    return (call("check_each", **given, **what, **({"absent": True} if every.none else {})),)


def _each_has(every: Every, text: str) -> Calls:
    return _each(every, text=text)


def _in_each(text: str, every: Every) -> Calls:
    return _each_has(every, text)


def _each_row_has(every: Every, text: str, heading: str) -> Calls:
    """What every row has in a column is what each cell of the column has."""
    if every.target.role != "row" or every.target.element or every.target.ordinal or every.none:
        return ()
    where = Narrowing(relations=(Relation("in_column", heading), *narrowing_of(every.target.within).relations))
    return (call("check_each", role="cell", within=where.argument(), text=text),)


def _each_row_valued(every: Every, valued: tuple[str, str]) -> Calls:
    label, value = valued
    return tuple(_exactly(one) for one in _each_row_has(every, value, label))


def _each_value_is(heading: str, text: str) -> Calls:
    rows = Every(Target("", "row"), none=False)
    return tuple(_exactly(one) for one in _each_row_has(rows, text, heading))


def _exactly(check: ToolCall) -> ToolCall:
    return structs.replace(check, arguments={**check.arguments, "exact": True})


def _each_is(every: Every, state: State) -> Calls:
    opposites = {"checked": "unchecked", "enabled": "disabled", "empty": "filled"}
    opposites |= {state: name for name, state in opposites.items()}
    denied = every.none != state.negate
    name = opposites.get(state.name) if denied else state.name
    known = name is not None and (name in opposites or name == "selected")
    return _each(every._replace(none=False), state=name) if known else ()


def _sorted(column: str, within: Within = "", *, descending: bool = False) -> Calls:
    place: dict[str, ArgumentValue] = {"within": within} if within else {}
    return (call("check_sorted", element=column, **place, **({"descending": True} if descending else {})),)


def _column_sorted(column: str, direction: bool) -> Calls:
    return _sorted(column, descending=direction)


def _held_sorted(_: bool, column: str, direction: bool) -> Calls:
    return _sorted(column, descending=direction)


def _column_in_sorted(column: str, within: str, direction: bool) -> Calls:
    return _sorted(column, within, descending=direction)


def _table_sorted(within: str, column: str, direction: bool) -> Calls:
    return _sorted(column, within, descending=direction)


def _list_sorted(holder: Target, direction: bool) -> Calls:
    whole = holder.role == "list" and holder == Target(holder.element, "list", noun="list", sure=holder.sure)
    return _sorted("", holder.element or ["in list"], descending=direction) if whole else ()


def _shows_link(target: Target, url: str) -> Calls:
    """A link that is seen and leads somewhere is known by where it leads."""
    return _links_to(target, url) if may_be_address(url) else ()


def _drawn(target: Target, text: str) -> Calls:
    return (call("check_picture_text", **target.arguments(), text=text),) if target.element else ()


def _attribute(target: Target, attribute: str, text: str) -> Calls:
    return (call("check_attribute", **target.arguments(field=True), attribute=attribute, value=text),)


def _attribute_as(target: Target, text: str, attribute: str) -> Calls:
    return _attribute(target, attribute, text)


def _attribute_valued(attribute: str, target: Target, text: str) -> Calls:
    return _attribute(target, attribute, text)


def _attribute_shown(attribute: str, text: str, target: Target) -> Calls:
    return _attribute(target, attribute, text)


def _attribute_first(attribute: str, target: Target, comparison: Comparison, text: str) -> Calls:
    if comparison.negate:
        return ()
    how = comparison.arguments()
    return (call("check_attribute", **target.arguments(field=True), attribute=attribute, value=text, **how),)


def _attribute_last(target: Target, attribute: str, comparison: Comparison, text: str) -> Calls:
    return _attribute_first(attribute, target, comparison, text)


def _links_to(target: Target, url: str) -> Calls:
    """A path alone is compared with the end of the address."""
    how: dict[str, ArgumentValue] = {"match": "ends"} if url.startswith("/") else {}
    return (call("check_attribute", **target.arguments(), attribute="href", value=url, **how),)


GROUPS: tuple[Phrase, ...] = (
    expectation(
        "{every} contains/shows/has {text}",
        "{every} contain/show {text}",
        "{every} has (the) text {text}",
        build=_each_has,
        description="All elements of a kind, at least one, have this text.",
        examples=('Each row in the "Orders" table contains "Paid"', 'All "Results" items show "€"'),
    ),
    expectation(
        "{text} is visible in/inside/within {every}",
        "{text} is in/inside/within {every}",
        build=_in_each,
        description="All elements of a kind, at least one, have this text.",
        examples=('"Paid" is shown in each row',),
    ),
    expectation(
        "{every} contains/shows/has/contain {text} in {column}",
        build=_each_row_has,
        description="All rows, of which there must be one, have this text in a column.",
        examples=('All rows in the "Users" table contain "VIP" in the "Status" column',),
    ),
    expectation(
        "{every} has/show/shows {valued}",
        build=_each_row_valued,
        description="All rows, of which there must be one, have this text in a column.",
        examples=('Every row has the status "Paid"',),
    ),
    expectation(
        "All/Each/Every values/value/cells/cell/entries/entry in/of {column} is {literal}",
        "The {column} of all/each/every rows/row is {quoted}",
        "All/Each/Every {quoted} values/value/cells/cell is {literal}",
        build=_each_value_is,
        description="All cells of a column, at least one, have exactly this text.",
        examples=('All values in the "Status" column are "Paid"',),
    ),
    expectation(
        "{every} {state}",
        "{all_kinds} {state}",
        build=_each_is,
        description="All elements of a kind, at least one, are in a state.",
        examples=(
            "All checkboxes are checked",
            "None of the checkboxes is checked",
            "Every button is enabled",
            "The radio buttons are disabled",
        ),
    ),
    expectation(
        "The {text} column is sorted {direction}",
        "The column {text} is sorted {direction}",
        "The {text} column is ordered {direction}",
        "Values/Entries/Cells in/of the {text} column is sorted {direction}",
        "Values/Entries/Cells in/of the {text} column are {direction}",
        "The {text} column is {direction}",
        "The {text} values are sorted {direction}",
        "The {property} column is sorted {direction}",
        build=_column_sorted,
        description="The values of a column are in order: numbers, sums and dates by size, everything else by letters.",
        examples=('The "Price" column is sorted ascending', 'The rows are sorted by "Name" in descending order'),
    ),
    expectation(
        "{sortable} are sorted by {text} {direction}",
        "{sortable} are sorted by {label} {direction}",
        "{sortable} are ordered by {text} {direction}",
        build=_held_sorted,
        description="The rows or items under a heading are in order, whatever their kind.",
        examples=("The orders are sorted by date, newest first", 'The search results are sorted by "Price" ascending'),
    ),
    expectation(
        "The {text} column in/of {place} is sorted {direction}",
        build=_column_in_sorted,
        description="The values of a column of a table stand in order.",
        examples=('The "Price" column in the "Products" table is sorted descending',),
    ),
    expectation(
        "{region} is sorted by {text} {direction}",
        "{region} is ordered by {text} {direction}",
        "{region} is sorted by (the) column {text} {direction}",
        "{region} is sorted by (the) {text} column {direction}",
        "{region} is sorted by (the) {label} {direction}",
        build=_table_sorted,
        description="The values of a column of a table stand in order.",
        examples=('The "Products" table is sorted by "Price" in ascending order',),
    ),
    expectation(
        "{target} is sorted {plain_direction}",
        "{target} is in {plain_direction}",
        "Items/Entries in/of {target} is sorted {plain_direction}",
        "Items/Entries in/of {target} is in {plain_direction}",
        build=_list_sorted,
        description="The items of a list are in order: numbers, sums and dates by size, everything else by letters.",
        examples=("The list is sorted alphabetically", 'The items of the "Tasks" list are in alphabetical order'),
    ),
)

TRAITS: tuple[Phrase, ...] = (
    expectation(
        "The page shows {link} to {quoted}",
        build=_shows_link,
        description="A link leads to this address; of a path alone, its end.",
        examples=('I see the "Help" link to "/help"',),
    ),
    expectation(
        "{target} shows/has (the) drawn text {text}",
        "The text {text} is drawn in {target}",
        build=_drawn,
        description="Words that are drawn in a picture or canvas; needs `tesseract-ocr` on the session host.",
        examples=('The "Logo" picture shows the drawn text "ACME"',),
    ),
    expectation(
        "{target} has/shows (the) {attribute} {text}",
        "{target} has/shows (the) {attribute} of {text}",
        build=_attribute,
        description="An attribute that people see: the placeholder of a field, the alternative text of an image.",
        examples=('The "Name" field has the placeholder "Your name"', 'The "Logo" image has the alt text "Shop"'),
    ),
    expectation(
        "{target} has/shows {quoted} as (the/its) {attribute}",
        build=_attribute_as,
        description="An attribute that people see: the placeholder of a field, the alternative text of an image.",
        examples=('The "Name" field shows "Your name" as placeholder',),
    ),
    expectation(
        "The {attribute} {text} is visible in/on/inside {target}",
        "The page shows the {attribute} {text} in/on/inside {target}",
        build=_attribute_shown,
        description="An attribute that people see: the placeholder of a field, the alternative text of an image.",
        examples=('The placeholder "Your name" is shown in the "Name" field',),
    ),
    expectation(
        "The {attribute} of {target} {compare} {text}",
        build=_attribute_first,
        description="Compares an attribute that people see; without `not`.",
        examples=('The placeholder of the "Name" field is "Your name"',),
    ),
    expectation(
        "{target} {attribute} {compare} {text}",
        "{target} attribute {text} {compare} {text}",
        "{target} 's {attribute} {compare} {text}",
        build=_attribute_last,
        description="Compares an attribute; without `not`.",
        examples=('The "Name" placeholder is "Your name"', 'The "Logo" attribute "loading" is "lazy"'),
    ),
    expectation(
        "The attribute {text} of/from/on {target} {compare} {text}",
        "The {text} attribute of/from/on {target} {compare} {text}",
        build=_attribute_first,
        description="Compares an attribute by its name in the markup; without `not`.",
        examples=('The attribute "lang" of the element "#main" is "en"',),
    ),
    expectation(
        "The attribute {text} of/from/on {target} has (the) value {text}",
        build=_attribute_valued,
        description="Compares an attribute by its name in the markup.",
        examples=('The attribute "title" of the "Name" field has the value "Ada"',),
    ),
    expectation(
        "{target} has (the/an) attribute {text} with value {text}",
        build=_attribute,
        description="Compares an attribute by its name in the markup.",
        examples=('The "Logo" image has the attribute "loading" with value "lazy"',),
    ),
    expectation(
        "{link} links/points/leads/point/link/lead to {url}",
        "{link} refers/refer to {url}",
        "{link} has the address/target/href/url {url}",
        "Href/Target/Destination/URL of {link} is {url}",
        "{link} 's href/target/destination/URL is {url}",
        build=_links_to,
        description="The address that a link leads to; of a path alone, its end.",
        examples=('The "Help" link links to "/help"', 'The link "Terms" points to "https://shop.test/terms"'),
    ),
)
