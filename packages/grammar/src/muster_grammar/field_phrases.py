"""Phrases for values and states of single elements."""

from msgspec import structs

from muster_grammar.element_kinds import CONTAINERS, FIELD_NOUNS, FIELD_ROLES
from muster_grammar.element_phrases import is_hidden, is_shown
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.group_parameters import ATTRIBUTES
from muster_grammar.pattern_parameters import Comparison, State
from muster_grammar.target_parser import Target, Within
from muster_protocol.tool_calls import ArgumentValue

OPPOSITES = {
    "enabled": "disabled",
    "disabled": "enabled",
    "checked": "unchecked",
    "unchecked": "checked",
    "selected": "unselected",
    "expanded": "collapsed",
    "collapsed": "expanded",
    "editable": "readonly",
    "readonly": "editable",
    "invalid": "valid",
    "valid": "invalid",
    "open": "closed",
    "closed": "open",
}
_OF_FEW = ("active", "on", "off", "pressed")
"""States that only the kinds of elements in `_MEANT` have."""
_FOLDED = {"open": "expanded", "closed": "collapsed"}
"""What is open or closed is a dialog that is there or not, or else something that folds."""


_PAGE_HEADING = Target("page", "heading", noun="heading", sure=False)


def _value(target: Target, comparison: Comparison, text: str) -> Calls:
    """A container is compared by the texts in it, not by a value; what a list contains may as well be its options."""
    name = "" if target.sure else target.element.casefold()
    if target.noun in CONTAINERS or name in _NO_VALUES or name.endswith(_ELSEWHERE):
        return ()
    if target.role == "combobox" and comparison.match == "contains":
        return ()
    if target == _PAGE_HEADING and comparison == Comparison("is", negate=False):
        return is_shown(target._replace(element=text, exact=True))
    return (call("check_value", **target.arguments(field=True), value=text, **comparison.arguments()),)


def _has_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=False), text)


def _value_in_field(text: str, target: Target) -> Calls:
    return _has_value(target, text)


def _holds_nothing(label: str) -> Calls:
    return state_of(Target(label), State("empty", negate=False))


def _holds_something(label: str) -> Calls:
    return state_of(Target(label), State("empty", negate=True))


def _is_called(label: str, text: str) -> Calls:
    return _has_value(Target(label), text)


def _headed(text: str) -> Calls:
    return _value(Target("", "heading", noun="heading", sure=False), Comparison("is", negate=False), text)


def _has_not_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=True), text)


def _value_of(target: Target, comparison: Comparison, text: str) -> Calls:
    return _value(target._replace(noun=""), comparison, text)


def _shows(target: Target, text: str) -> Calls:
    """What a closed list shows is the option that is selected."""
    if target.role == "combobox":
        return _chosen(text, target)
    if _is_of_column(target):  # a part of the page, see `page_phrases`
        return ()
    return _value(target, Comparison("contains", negate=False), text)


def _is_of_column(target: Target) -> bool:
    return target.role == "cell" and not target.element


def _shows_not(target: Target, text: str) -> Calls:
    if _is_of_column(target):
        return ()
    return _value(target, Comparison("contains", negate=True), text)


def state_of(target: Target, state: State) -> Calls:
    """Return the check of a state; those without an opposite cannot be negated, but for "empty", which is a value."""
    arguments = target.arguments(field=True)
    if state.name == "empty" and target.role in _HOLDERS:
        return _holds_none(target, state)
    if state.name == "empty" and state.negate:
        return (call("check_value", **arguments, value="", negate=True),)
    said = _MEANT.get((state.name, target.role), state.name)
    name = OPPOSITES.get(said, "") if state.negate else said
    if name in _OF_FEW:  # of a button "active" may mean enabled or pressed
        return ()
    if name in _FOLDED and target.role == "dialog":
        return is_shown(target) if name == "open" else is_hidden(target)
    if name in _FOLDED and (not target.noun or target.noun in _TYPED_INTO):  # a page, a dialog, a menu?
        return ()
    return (call("check_state", **arguments, state=_FOLDED.get(name, name)),) if name else ()


def _state_in(target: Target, state: State, place: Within) -> Calls:
    """What is selected in a list is the list's value."""
    chosen = state.name == "selected" and not target.noun
    return () if target.within or chosen else state_of(target._replace(within=place), state)


def _has_focus(target: Target) -> Calls:
    return state_of(target, State("focused", negate=False))


def _of_state(state: State, target: Target) -> Calls:
    return state_of(target, state) if target.element else ()


def _holds_none(target: Target, state: State) -> Calls:
    """A table or a list is empty if it has no rows or items; its heading row is none."""
    if target.within:
        return ()
    holder: Within = target.element or [f"in {target.role}"]
    many: dict[str, ArgumentValue] = {"count": 1, "comparison": "at_least"} if state.negate else {"count": 0}
    return (call("check_count", element="", role=_HOLDERS[target.role], within=holder, **many),)


def _value_in(text: str, target: Target) -> Calls:
    return _inside(text, target, negate=False)


def _value_not_in(text: str, target: Target) -> Calls:
    return _inside(text, target, negate=True)


def _inside(text: str, target: Target, *, negate: bool) -> Calls:
    """What stands in a field is its value; what stands in "the X element" is a text in that part of the page."""
    if target.role in {"css", "tab"}:  # that is a part of the page, see `target_places`; a tab shows what it belongs to
        return ()
    if target.noun == "element" and target.element and not target.within:
        return (call("check_text", text=text, within=target.element, **({"absent": True} if negate else {})),)
    return () if target.noun in CONTAINERS else _value(target, Comparison("contains", negate=negate), text)


def _has_selected(target: Target, text: str) -> Calls:
    return _selected(text, target)


def _only_selected(target: Target, text: str) -> Calls:
    return _chosen(text, target)


def _selected(text: str, target: Target) -> Calls:
    """It is among what is chosen: a list may have several options selected."""
    return tuple(
        structs.replace(one, arguments={**one.arguments, "match": "includes"}) for one in _chosen(text, target)
    )


def _not_selected(text: str, target: Target) -> Calls:
    return tuple(structs.replace(one, arguments={**one.arguments, "negate": True}) for one in _selected(text, target))


def _chosen(text: str, target: Target) -> Calls:
    return (call("check_value", **target.arguments(field=True), value=text),) if _is_list(target) else ()


def _options(target: Target, options: tuple[str, ...]) -> Calls:
    return (call("check_options", **target.arguments(field=True), options=list(options)),) if _is_list(target) else ()


_NO_VALUES = CONTAINERS | ATTRIBUTES.keys()
"""Words without quotes that name a part of the page, or a trait of an element, and no value."""
_ELSEWHERE = ("directory", "folder", "file", "column")
"""How names without quotes end that are not of one value on the page."""
_TURNED = ("switch", "checkbox", "")
_MEANT = {
    ("selected", "radio"): "checked",
    ("selected", "checkbox"): "checked",
    ("active", "tab"): "selected",
    ("pressed", "button"): "checked",
    **{("on", role): "checked" for role in _TURNED},
    **{("off", role): "unchecked" for role in _TURNED},
}
"""States that kinds of elements have under another name."""
_TYPED_INTO = FIELD_NOUNS | {"textbox", "searchbox", "box"}
"""Nouns of what neither opens nor closes."""
_HOLDERS = {"table": "row", "list": "listitem"}
"""What a table and a list hold."""


def _is_list(target: Target) -> bool:
    return not target.role or target.role in FIELD_ROLES


FIELDS: tuple[Phrase, ...] = (
    expectation(
        "{thing} {compare} {text}",
        build=_value,
        description="Compares the value of a field, or the text of an element.",
        examples=(
            'The total is "29.99"',
            'The "Total" field contains "29"',
            'The order number is not "0"',
            'The "Total" cell in the "Backpack" row starts with "$"',
        ),
    ),
    expectation(
        "{thing} has (the) value {text}",
        "{thing} has (the) text {text}",
        "The page shows {target} value {text}",
        "The page shows {target} with value {text}",
        "The page shows {textbox} filled with {text}",
        "{textbox} has {quoted}",
        "{thing} read {quoted}",
        build=_has_value,
        description="Compares the value of a field, or the text of an element.",
        examples=('The "Quantity" field has the value "2"', '"Quantity" has the value 2'),
    ),
    expectation(
        "(The) value {quoted} is visible in/inside/within {textbox}",
        "The page shows value {quoted} in/inside/within/of {textbox}",
        build=_value_in_field,
        description="Compares the value of a field.",
        examples=('I see the value "Ada" in the "Name" field',),
    ),
    expectation(
        "{property} is empty/blank",
        build=_holds_nothing,
        description="A value that a label ends with a noun for one is empty.",
        examples=("The order number is empty",),
    ),
    expectation(
        "{property} is not empty/blank",
        build=_holds_something,
        description="A value that a label ends with a noun for one is not empty.",
        examples=("The order number is not empty",),
    ),
    expectation(
        "{property} is {titled}",
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
        "{thing} does not have (the) value {text}",
        build=_has_not_value,
        description="The value of a field, or the text of an element, is another one.",
        examples=('The "Quantity" field does not have the value "2"',),
    ),
    expectation(
        "The value/text of {thing} {compare} {text}",
        "{target} text/value {compare} {text}",
        "{target} 's text/value {compare} {text}",
        "The value/text in/inside {thing} {compare} {text}",
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
        "{thing} does not show {text}",
        build=_shows_not,
        description="The value of a field, or the text of an element, does not contain this.",
        examples=('The total does not show "29.99"',),
    ),
    expectation(
        "{stateful} {state}",
        build=state_of,
        description="The state of an element.",
        examples=(
            'The "Log in" button is enabled',
            'The "Express" radio button is checked',
            '"I accept the terms" is not checked',
            'The field "Name" is empty',
            'The "Name" field is not empty',
            'The "Search" field has the focus',
            'The "Bags" option is not selected',
            'The "Dark mode" switch is off',
            'The "Bold" button is pressed',
            'The "src" tree item is expanded',
        ),
    ),
    expectation(
        "{stateful} {state} in/inside/within {place}",
        build=_state_in,
        description="The state of an element in a part of the page.",
        examples=('The "Milk" checkbox is checked in the "Groceries" list',),
    ),
    expectation(
        "The page shows {stateful} {adjective}",
        "The page shows {stateful} is {adjective}",
        build=state_of,
        description="The state of an element.",
        examples=('I see the "Terms" checkbox checked',),
    ),
    expectation(
        "The page shows {adjective} {stateful}",
        build=_of_state,
        description="The state of an element.",
        examples=('I see a disabled "Save" button',),
    ),
    expectation(
        "Cursor is in/inside/on {textbox}",
        "Focus is in/inside/on {textbox}",
        build=_has_focus,
        description="A field has the focus.",
        examples=('The cursor is in the "Name" field',),
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
    expectation(
        "{target} has {text} selected",
        build=_has_selected,
        description="The option of a list that is selected.",
        examples=('The "Category" dropdown has "Bags" selected',),
    ),
    expectation(
        "{target} selected option/value is {text}",
        "Selected option/value in/from/of/for {target} is {text}",
        "{target} has selected option/value {text}",
        build=_only_selected,
        description="The only option of a list that is selected.",
        examples=('The selected option of "Category" is "Bags"',),
    ),
    expectation(
        "{text} is selected in/from/of/for {target}",
        "Option/Value {quoted} is selected in/from/of/for {target}",
        "{quoted} option is selected in/from/of/for {target}",
        "{quoted} is selected option/value in/from/of/for {target}",
        build=_selected,
        description="The option of a list that is selected.",
        examples=('"Bags" is selected in "Category"',),
    ),
    expectation(
        "{text} is not selected in/from/of/for {target}",
        "{quoted} option is not selected in/from/of/for {target}",
        build=_not_selected,
        description="The option of a list is not selected.",
        examples=('"Bags" is not selected in "Category"',),
    ),
    expectation(
        "{target} has the option/options {options}",
        "{target} contains/shows/lists the option/options {options}",
        "{target} offers/lists/list (the) {options}",
        "{target} has/shows/offers (the) following option/options {options}",
        build=_options,
        description="A list offers these options, and maybe more.",
        examples=('The list "Size" has the option "M"', 'The "Size" dropdown has the options "S", "M" and "L"'),
    ),
)
