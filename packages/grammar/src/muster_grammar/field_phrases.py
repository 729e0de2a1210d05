"""Phrases for values of single elements."""

from muster_grammar.element_kinds import CONTAINERS
from muster_grammar.element_phrases import is_hidden, is_shown
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.group_parameters import ATTRIBUTES
from muster_grammar.markup_texts import SELECTORS
from muster_grammar.option_phrases import selected_option
from muster_grammar.other_nouns import is_value_of
from muster_grammar.pattern_parameters import STATE_WORDS, Comparison
from muster_grammar.target_parser import Target, Within


def _value(target: Target, comparison: Comparison, text: str) -> Calls:
    """A container is compared by the texts in it, not by a value; what a list contains may as well be its options."""
    name = "" if target.sure else target.element.casefold()
    counted = target.ordinal and target.role == "listitem" and comparison.match == "is"
    if (target.noun in CONTAINERS and not counted) or name in _NO_VALUES or name.endswith(_ELSEWHERE):
        return ()
    if target.role == "combobox" and comparison.match == "contains":
        return ()
    if counted and not target.within:  # of which list, if there are several?
        target = target._replace(within=["in list"])
    return (call("check_value", **target.arguments(field=True), value=text, **comparison.arguments()),)


def _compared_in(target: Target, comparison: Comparison, text: str, place: Within) -> Calls:
    if target.within or comparison.match == "contains":  # does the list contain it, or the part of the page?
        return ()
    return _value(target._replace(within=place), comparison, text)


def _all_in(target: Target, texts: tuple[str, ...]) -> Calls:
    each = [_value(target, Comparison("contains", negate=False), text) for text in texts]
    return tuple(one for calls in each for one in calls) if len(texts) > 1 and all(texts) else ()


def _compared(target: Target, comparison: Comparison, text: str) -> Calls:
    """What is known by what it says and says something else now has another name, and the old one is gone."""
    renamed = target.role in _SAY_THEIR_NAMES and target.sure and target.element not in {"", text}
    if not renamed or comparison != Comparison("is", negate=False) or target.ordinal:
        return _value(target, comparison, text)
    return (*is_shown(target._replace(element=text)), *is_hidden(target._replace(exact=True)))


def _has_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=False), text)


def _masked(target: Target) -> Calls:
    named = target.element or target.trait == "password"
    return (call("check_attribute", **target.arguments(), attribute="type", value="password"),) if named else ()


def _masked_named(label: str) -> Calls:
    return _masked(Target(label))


def _value_in_field(text: str, target: Target) -> Calls:
    return _has_value(target, text)


def _is_called(label: str, text: str) -> Calls:
    return _has_value(Target(label), text)


def _comes_to(label: str, text: str) -> Calls:
    """Of an amount the label says what it is: `a total of "$40"`; `the price of "Mug"` is that of a mug."""
    return _has_value(Target(label), text) if is_value_of(label.rsplit(maxsplit=1)[-1].lower(), text) else ()


def _headed(text: str) -> Calls:
    return _value(Target("", "heading", noun="heading", sure=False), Comparison("is", negate=False), text)


def _page_headed(comparison: Comparison, text: str) -> Calls:
    """Of several headings of a page, one says so: it is found by that, not by its place."""
    named = Target(text, "heading", noun="heading", exact=comparison.match == "is")
    if comparison.match not in ("is", "contains"):
        return _value(named._replace(element="", exact=False), comparison, text)
    return is_hidden(named) if comparison.negate else is_shown(named)


def _page_headed_with(text: str) -> Calls:
    return _page_headed(Comparison("contains", negate=False), text)


def _is_value_of(text: str, target: Target) -> Calls:
    return _has_value(target, text)


def _has_not_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=True), text)


def _value_of(target: Target, comparison: Comparison, text: str) -> Calls:
    return _value(target._replace(noun=""), comparison, text)


def _shows(target: Target, text: str) -> Calls:
    """What a closed list shows is the option that is selected."""
    if target.role == "combobox":
        return selected_option(text, target)
    if _is_of_column(target):  # a part of the page, see `text_phrases`
        return ()
    return _drawn(target, _value(target, Comparison("contains", negate=False), text))


def _drawn(target: Target, calls: Calls) -> Calls:
    """What a field shows is not always what it holds: a password is drawn as dots."""
    is_field = "field" in (target.noun, target.role) or target.role == "textbox"
    return tuple(call(one.tool, **one.arguments, drawn=True) for one in calls) if is_field else calls


def _is_of_column(target: Target) -> bool:
    return target.role == "cell" and not target.element


def _shows_not(target: Target, text: str) -> Calls:
    if _is_of_column(target):
        return ()
    return _drawn(target, _value(target, Comparison("contains", negate=True), text))


def _value_in(text: str, target: Target) -> Calls:
    return _inside(text, target, negate=False)


def _value_not_in(text: str, target: Target) -> Calls:
    return _inside(text, target, negate=True)


def _inside(text: str, target: Target, *, negate: bool) -> Calls:
    """What stands in a field is its value; what stands in "the X element" is a text in that part of the page."""
    if target.role in SELECTORS | {"tab"}:  # a part of the page, see `target_places`; a tab shows what it belongs to
        return ()
    if target.noun == "element" and target.element and not target.within:
        return (call("check_text", text=text, within=target.element, **({"absent": True} if negate else {})),)
    return () if target.noun in CONTAINERS else _value(target, Comparison("contains", negate=negate), text)


_NO_VALUES = CONTAINERS | ATTRIBUTES.keys() | {"width", "height"}
"""Words without quotes that name a part of the page, or a trait of an element, and no value."""
_SAY_THEIR_NAMES = frozenset(("button", "link", "tab", "menuitem"))
_ELSEWHERE = ("directory", "folder", "file", "column")
"""How names without quotes end that are not of one value on the page."""


def _shown_as(text: str, label: str) -> Calls:
    """A state says of the text what it is like, and is no label."""
    told = label.split(maxsplit=1)[0].lower()
    return (
        ()
        if told in STATE_WORDS or told == "title" or label.lower() == "page title"
        else (call("check_value", element=label, value=text),)
    )


FIELDS: tuple[Phrase, ...] = (
    expectation(
        "The page shows {property} of {text}",
        build=_comes_to,
        description="The amount under a label that ends with a noun for a value.",
        examples=("I see an order total of $40",),
    ),
    expectation(
        "{thing} {compare} {text}",
        build=_compared,
        description="Compares the value of a field, or the text of an element.",
        examples=(
            'The total is "29.99"',
            'The "Total" field contains "29"',
            'The order number is not "0"',
            'The "Show" button changes to "Hide"',
            'The "Total" cell in the "Backpack" row starts with "$"',
        ),
    ),
    expectation(
        "{thing} {compare} {text} in/inside/within {region}",
        build=_compared_in,
        description="Compares the value of a field, or the text of an element, in a part of the page.",
        examples=('The "Total" field is "29" in the "Cart" section',),
    ),
    expectation(
        "{thing} contains {texts}",
        build=_all_in,
        description="The text of an element contains several texts.",
        examples=('The summary contains "Ada" and "Norway"',),
    ),
    expectation(
        "{thing} has (the) value {text}",
        "{thing} has (the) text {text}",
        "{textbox} holds/keeps/retains (the) (value) {text}",
        "The page shows {target} value {text}",
        "The page shows {target} with value {text}",
        "The page shows {textbox} filled/prefilled/pre-filled/populated/pre-populated with {text}",
        "{textbox} has {quoted}",
        "{gauge} is at {text}",
        "{thing} read {quoted}",
        build=_has_value,
        description="Compares the value of a field, or the text of an element.",
        examples=('The "Quantity" field has the value "2"', '"Quantity" has the value 2'),
    ),
    expectation(
        "{text} is value of/in {thing}",
        build=_is_value_of,
        description="Compares the value of a field, or the text of an element.",
        examples=('"Ada" is the value of the "Name" field',),
    ),
    expectation(
        "(The) value {quoted} is visible in/inside/within {textbox}",
        "The page shows value {quoted} in/inside/within/of {textbox}",
        build=_value_in_field,
        description="Compares the value of a field.",
        examples=('I see the value "Ada" in the "Name" field',),
    ),
    expectation(
        "{textbox} is masked/obscured/obfuscated/concealed",
        "Text/Characters in/of {textbox} is masked/obscured/obfuscated/concealed",
        build=_masked,
        description="A field shows marks in place of what it holds.",
        examples=('The "Password" field is masked',),
    ),
    expectation(
        "{field_label} is masked/obscured/obfuscated/concealed",
        build=_masked_named,
        description="A field shows marks in place of what it holds.",
        examples=("The password is masked",),
    ),
    expectation(
        "{property} is {titled}",
        "The page shows {property} as {quoted}",
        build=_is_called,
        description="A value that a label ends with a noun for one: status, total, name; without quotes in capitals.",
        examples=("The order status is Shipped",),
    ),
    expectation(
        "The heading/headline is {titled}",
        build=_headed,
        description="The heading has this text; in quotes it may be any text.",
        examples=("The heading is Contact details",),
    ),
    expectation(
        "Heading/Headline of page {compare} {text}",
        "Page heading/headline {compare} {text}",
        build=_page_headed,
        description="Compares the headings of the page.",
        examples=('The heading of the page is "Orders"', 'The page heading contains "Orders"'),
    ),
    expectation(
        "Heading/Headline of page shows {text}",
        build=_page_headed_with,
        description="A heading of the page has this text in it.",
        examples=('The heading of the page contains "Orders"',),
    ),
    expectation(
        "{thing} does not have (the) value {text}",
        build=_has_not_value,
        description="The value of a field, or the text of an element, is another one.",
        examples=('The "Quantity" field does not have the value "2"',),
    ),
    expectation(
        "The value/text of {holder} {compare} {text}",
        "The default/current value of/in {textbox} {compare} {text}",
        "The default/current value of/in {dropdown} {compare} {text}",
        "{target} text/value {compare} {text}",
        "{target} 's text/value {compare} {text}",
        "The value/text in/inside {thing} {compare} {text}",
        "The content/contents of/in {textbox} {compare} {text}",
        build=_value_of,
        description="Compares the value of a field, or the text of an element.",
        examples=('The value of the "Name" field is "Ada"', 'The text of "Total" matches "[0-9.]+"'),
    ),
    expectation(
        "{thing} shows {text}",
        build=_shows,
        description="The value of a field, or the text of an element, contains this.",
        examples=('The total shows "29.99"',),
    ),
    expectation(
        "The page shows {literal} as (selected) {plain_label}",
        "{literal} is visible as (selected) {plain_label}",
        build=_shown_as,
        description="The value of a field, or the text of an element, is this.",
        examples=('I see "Ada" as the author', 'I should see "30 years" as the selected loan term'),
    ),
    expectation(
        "{thing} does not show {text}",
        build=_shows_not,
        description="The value of a field, or the text of an element, does not contain this.",
        examples=('The total does not show "29.99"',),
    ),
    expectation(
        "(text) {literal} is visible in/inside/within {element}",
        "(text) {literal} is in/inside/within {element}",
        "The page shows (text) {literal} in/inside/within {element}",
        build=_value_in,
        description="The value of a field, or the text of an element, contains this.",
        examples=('"Ada" is shown in the "Name" field',),
    ),
    expectation(
        "(text) {literal} is not visible in/inside/within {element}",
        "(text) {literal} is not in/inside/within {element}",
        "The page does not show (text) {literal} in/inside/within {element}",
        build=_value_not_in,
        description="The value of a field, or the text of an element, does not contain this.",
        examples=('"Ada" is not shown in the "Name" field',),
    ),
)
