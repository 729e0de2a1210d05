"""Phrases for the options of lists: which are offered, and which is selected."""

from msgspec import structs

from muster_grammar.element_kinds import FIELD_ROLES
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count
from muster_grammar.target_parser import Target


def _has_selected(target: Target, text: str) -> Calls:
    return _selected(text, target)


def _only_selected(target: Target, text: str) -> Calls:
    return selected_option(text, target)


def _selected(text: str, target: Target) -> Calls:
    """It is among what is chosen: a list may have several options selected."""
    return tuple(
        structs.replace(one, arguments={**one.arguments, "match": "includes"}) for one in selected_option(text, target)
    )


def _not_selected(text: str, target: Target) -> Calls:
    return tuple(structs.replace(one, arguments={**one.arguments, "negate": True}) for one in _selected(text, target))


def selected_option(text: str, target: Target) -> Calls:
    """Return the check that this option of a list is selected, and no other."""
    return (call("check_value", **target.arguments(field=True), value=text),) if _is_list(target) else ()


def _options(target: Target, options: tuple[str, ...]) -> Calls:
    return (call("check_options", **target.arguments(field=True), options=list(options)),) if _is_list(target) else ()


def _offers(target: Target, options: tuple[str, ...]) -> Calls:
    """A dropdown contains options; any other list contains items."""
    return _options(target, options) if target.role == "combobox" else ()


def _offered(options: tuple[str, ...], target: Target) -> Calls:
    return _offers(target, options)


def _offers_none(target: Target, options: tuple[str, ...]) -> Calls:
    return tuple(structs.replace(one, arguments={**one.arguments, "absent": True}) for one in _offers(target, options))


def _offered_by_field(options: tuple[str, ...], target: Target) -> Calls:
    field = target.arguments(field=True)
    return (call("check_options", **field, options=list(options)),) if target.element and not target.role else ()


def _not_offered(options: tuple[str, ...], target: Target) -> Calls:
    return _offers_none(target, options)


def _options_counted(target: Target, count: Count) -> Calls:
    if count.comparison != "is" or target.role != "combobox":  # a list of other kinds shows what it offers
        return ()
    return (call("check_options", **target.arguments(field=True), count=count.number),)


def _just_options(target: Target, options: tuple[str, ...]) -> Calls:
    counted = _options_counted(target, Count("is", len(options)))
    return (*_offers(target, options), *counted) if counted else ()


def _just_so_many(target: Target, count: Count, options: tuple[str, ...]) -> Calls:
    return _just_options(target, options) if count == Count("is", len(options)) else ()


def _is_list(target: Target) -> bool:
    return not target.role or target.role in FIELD_ROLES


OPTIONS: tuple[Phrase, ...] = (
    expectation(
        "{target} has {text} selected",
        "{dropdown} has/shows {text} selected",
        "{dropdown} has/shows {text} as (the) selected (option/value)",
        build=_has_selected,
        description="The option of a list that is selected.",
        examples=('The "Category" dropdown has "Bags" selected',),
    ),
    expectation(
        "{target} selected option/value is {text}",
        "Selected option/value in/from/of/for {target} is {text}",
        "{target} has selected option/value {text}",
        "{target} has only {text} selected",
        build=_only_selected,
        description="The only option of a list that is selected.",
        examples=('The selected option of "Category" is "Bags"',),
    ),
    expectation(
        "{text} is selected in/from/of/for {target}",
        "Option/Value {quoted} is selected in/from/of/for {target}",
        "{quoted} option is selected in/from/of/for {target}",
        "{quoted} is selected option/value in/from/of/for {target}",
        "{quoted} is selected as {thing}",
        "{quoted} is chosen in/from/of/for {target}",
        build=_selected,
        description="The option of a list that is selected.",
        examples=('"Bags" is selected in "Category"',),
    ),
    expectation(
        "Only/Just {text} is selected in/from/of/for {target}",
        build=selected_option,
        description="The only option of a list that is selected.",
        examples=('Only "Bags" is selected in the "Category" list',),
    ),
    expectation(
        "{text} is not selected in/from/of/for {target}",
        "{quoted} option is not selected in/from/of/for {target}",
        build=_not_selected,
        description="The option of a list is not selected.",
        examples=('"Bags" is not selected in "Category"',),
    ),
    expectation(
        "{dropdown} has/offers/contains/shows {count} options/choices/entries",
        build=_options_counted,
        description="Counts the options of a list, also of one that is closed.",
        examples=('The "Size" dropdown has 3 options',),
    ),
    expectation(
        "Options/Choices/Entries of/in {dropdown} are {options}",
        "{dropdown} options/choices/entries are {options}",
        build=_just_options,
        description="A list offers these options and no others.",
        examples=('The options of the "Size" dropdown are "S", "M" and "L"',),
    ),
    expectation(
        "{dropdown} has/offers/contains/shows {count} options/choices/entries {options}",
        build=_just_so_many,
        description="A list offers these options and no others.",
        examples=('The "Size" dropdown has 2 options: "S" and "M"',),
    ),
    expectation(
        "{target} has the option/options {options}",
        "{target} contains/shows/lists the option/options {options}",
        "{target} offers/lists/list (the) {options}",
        "{dropdown} has/shows {options} option/options",
        "{target} has/shows/offers (the) following option/options {options}",
        build=_options,
        description="A list offers these options, and maybe more.",
        examples=('The list "Size" has the option "M"', 'The "Size" dropdown has the options "S", "M" and "L"'),
    ),
    expectation(
        "Options/Option/Choices/Entries {texts} is/are (available/visible/offered) in/from {dropdown}",
        "{texts} is (available/offered) in/from {dropdown}",
        "{texts} is option/options of/in {dropdown}",
        "The page shows option/options {texts} in/from/for {dropdown}",
        "The page shows {texts} option/options in/from/for {dropdown}",
        build=_offered,
        description="A list offers these options, and maybe more.",
        examples=('"S" and "M" are available in the "Size" dropdown',),
    ),
    expectation(
        "The page shows option/options {texts} in/for {textbox}",
        build=_offered_by_field,
        description="A field, which is a list as it has options, offers these.",
        examples=('I see the option "M" for the "Size" field',),
    ),
    expectation(
        "{dropdown} contains {options}",
        build=_offers,
        description="A list offers these options, and maybe more.",
        examples=('The "Size" dropdown contains "M"',),
    ),
    expectation(
        "{dropdown} does not have/offer/contain/show/list (the) (option/options) {options}",
        build=_offers_none,
        description="A list offers none of these options.",
        examples=('The "Size" dropdown does not contain "XXL"',),
    ),
    expectation(
        "The page does not show option/options {texts} in/from/for {dropdown}",
        build=_not_offered,
        description="A list offers none of these options.",
        examples=('I do not see the option "XXL" in the "Size" dropdown',),
    ),
)
