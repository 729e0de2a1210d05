"""Phrases for filling in forms."""

from muster_grammar.element_kinds import FIELD_NOUNS, OPTION_LABELS
from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.other_nouns import is_other_noun
from muster_grammar.target_parser import MARKS, Target, Within
from muster_grammar.tokens import Token

_LISTS = FIELD_NOUNS | {"", "box", "control", "element"}
"""Nouns of what may be a list of options."""


def _type(text: str, target: Target) -> Calls:
    """A list may be one to type into; where it is not, the device refuses it."""
    if target.role in {"textbox", "combobox", "list", "", *MARKS} and target.noun not in {"card", "section", "form"}:
        return (call("type", **target.arguments(field=True), text=text),)
    return ()


def _type_named(label: str, text: str) -> Calls:
    return (call("type", element=label, text=text),)


def _type_in_focus(text: str) -> Calls:
    return (call("type", text=text),)


def _type_by_keys(text: str, target: Target) -> Calls:
    return tuple(call(typing.tool, **typing.arguments, how="keys") for typing in _type(text, target))


def _choose_radio(text: str) -> Calls:
    return (call("check", element=text, role="radio"),)


def _append(text: str, target: Target) -> Calls:
    return tuple(call(typing.tool, **typing.arguments, how="append") for typing in _type(text, target))


def _fill(target: Target, text: str) -> Calls:
    if target.role in {"combobox", "list"}:
        return _select((text,), target)
    if target.role == "slider":
        return (call("type", **target.arguments(), text=text),)
    return _type(text, target)


def _fill_in(target: Target, text: str, place: Within) -> Calls:
    return () if target.within else _fill(target._replace(within=place), text)


def _fill_property(label: str, place: Within, text: str) -> Calls:
    return _fill(Target(label, within=place, sure=False), text)


def _refill_named(label: str, before: str, text: str) -> Calls:
    return _refill(Target(label), before, text)


def _refill(target: Target, before: str, text: str) -> Calls:
    """What a field is changed from is checked before it is changed."""
    filled = _fill(target, text)
    return (call("check_value", **target.arguments(field=True), value=before), *filled) if filled else ()


def _clear(target: Target) -> Calls:
    """To clear a checkbox is to take its mark away."""
    if target.role in {"checkbox", "switch"}:
        return (call("uncheck", **target.arguments()),)
    return (call("clear", **target.arguments(field=True)),)


def _clear_named(label: str) -> Calls:
    return (call("clear", element=label),)


def _clear_each(group: tuple[Target, ...]) -> Calls:
    return tuple(one for target in group for one in _clear(target))


def _select_labelled(label: str, option: str) -> Calls:
    """Of other nouns, `the program "A"`, the sentence may be about the list of programs or about what is called so."""
    return _select_named(label, option) if _is_option_label(label) else ()


def _select_named(label: str, option: str) -> Calls:
    return (call("select", element=label, options=[option]),)


def select_told(label: str, option: str) -> Calls:
    """Of two names the one that labels of lists end with is the list: `Select Norway as Country`."""
    told, other = (_is_option_label(one) for one in (label, option))
    return _select_named(label, option) if not other and (told or not label[:1].isupper()) else ()


def _is_option_label(text: str) -> bool:
    return text.rstrip().rsplit(" ", 1)[-1].lower() in OPTION_LABELS


def _select_repeated(label: str, option: str, target: Target) -> Calls:
    *sorts, noun = label.split()
    again = noun.lower() in target.element.lower().split()
    plain = all(sort == "item" or is_other_noun(Token(sort, sort, "")) for sort in sorts)
    return _select((option,), target) if again and plain else ()


def _select(options: tuple[str, ...], target: Target) -> Calls:
    """What is selected in a menu or a part of the page may as well be clicked."""
    if target.role in {"combobox", "list", *MARKS} or (not target.role and target.noun in _LISTS):
        return (call("select", **target.arguments(field=True), options=list(options)),)
    return ()


def _select_using(target: Target, options: tuple[str, ...]) -> Calls:
    return _select(options, target)


FORMS: tuple[Phrase, ...] = (
    action(
        "Type {text} into/in/to/on {target}",
        "Type {text} inside/within/for {target}",
        "Type {text} as value of/in/for {target}",
        "Use {text} in/for {textbox}",
        "Type {text} text/value into/in/to/on {target}",
        "Put/Input/Insert/Provide/Supply/Paste {text} into/in/inside/to/on/for {target}",
        "Write {text} into/in {target}",
        "Fill {text} into/in/for {target}",
        "Set text/value {text} in/into/for/to {target}",
        "Set {text} to {textbox}",
        "Key in {text} into/in {target}",
        "Type/Input/Insert/Provide/Supply/Use/Put/Paste {text} as/for {thing}",
        "Type/Input/Insert/Put/Provide/Supply {told_value} into/in/to/on/for {target}",
        "Fill/Write/Paste/Set {told_value} into/in/for {target}",
        build=_type,
        description="Puts a text into a field in place of what it holds.",
        examples=(
            'Type "tester" into the "User name" field',
            'Type ${secret:SHOP_PASSWORD} into "Password"',
            "The user enters 'a b' in the search box",
            'Enter "tester" as the user name',
            'Type "a" into the "X" field and "b" into the "Y" field',
        ),
    ),
    action(
        "Type {label} {literal}",
        "Type/Fill/Set/Input/Provide/Insert {label} = {literal}",
        "Type {label} as {text}",
        "Input/Provide/Supply/Insert/Set {label} {literal}",
        "Input/Provide/Supply/Insert/Fill/Set {label} as {text}",
        "Type/Input/Provide/Supply/Insert {label} of {text}",
        "Fill {label} with {text}",
        "Set/Adjust {label} to {text}",
        "Fill {quoted} content/contents/text/value with {text}",
        build=_type_named,
        description="Puts a text into the field of this name, in place of what it holds.",
        examples=('Enter username "tester"', 'Enter the first name as "Ada"', 'Provide the password "${secret:PIN}"'),
    ),
    action(
        "Fill {field_label} {literal}",
        build=_type_named,
        description="Puts a text into the field of this name, in place of what it holds.",
        examples=('Fill in username "tester"',),
    ),
    action(
        "Type/Input/Insert (in/into) {textbox} (following) text/value {literal}",
        build=_fill,
        description="Puts a text into a field in place of what it holds.",
        examples=('Enter in the "Name" field the text "Ada"',),
    ),
    action(
        "Type {text}",
        build=_type_in_focus,
        description="Types a text key by key where the focus is; existing text stays.",
        examples=('Type "hello"',),
    ),
    action(
        "Type {text} key by key into/in {target}",
        "Type {text} into/in {target} key by key",
        "Slowly type {text} into/in {target}",
        "Type {text} slowly into/in {target}",
        build=_type_by_keys,
        description="Empties a field and presses a key for each letter, for pages that react to keys.",
        examples=(
            'Type "mug" key by key into the "Search" field',
            'Enter "mug" in the "Search" field letter by letter',
        ),
    ),
    action(
        "Append {text} to {target}",
        "Append/Add {text} to/at the end of {target}",
        "Append {text} to the text/value/content of/in {target}",
        "Add {text} to {textbox}",
        "Type {text} at/to the end of {target}",
        build=_append,
        description="Types a text behind what a field holds.",
        examples=('Append " and eggs" to the "Note" field',),
    ),
    action(
        "Set {field} from {text} to {text}",
        build=_refill,
        description="Checks what a field holds, then puts another text in its place.",
        examples=('Change the "Quantity" field from "1" to "3"',),
    ),
    action(
        "Set {label} from {text} to {text}",
        build=_refill_named,
        description="Checks what the field of this name holds, then puts another text in its place.",
        examples=("Change the quantity from 1 to 3",),
    ),
    action(
        "Fill {target} with {text}",
        "Set/Type/Supply/Replace {target} with {text}",
        "Replace {target} by {text}",
        "Replace the text/value/content/contents of/in {target} with/by {text}",
        "Switch {dropdown} to {text}",
        "Edit {field} to {text}",
        "Set {field} to {text}",
        "Set/Fill {target} as {text}",
        "Set the value of {target} to/as {text}",
        "Drag/Move/Set {slider} to {text}",
        "Set {dropdown} to {text}",
        "Adjust {target} to {text}",
        build=_fill,
        description="Puts a text into a field; selects the option when the field is called a list.",
        examples=(
            'Fill in the "Name" field with "Ada"',
            'Set the "Quantity" field to 2',
            'Set the "Category" dropdown to "Bags"',
            'Move the "Volume" slider to 30',
        ),
    ),
    action(
        "Set {text} as {thing}",
        build=_type,
        description="Puts a text into the field of this name; without a noun or a value in quotes it is ambiguous.",
        examples=('Set "Ada" as the name',),
    ),
    action(
        "Fill {target} with {text} in/inside/within/on {spot}",
        "Set {target} to {text} in/inside/within/on {spot}",
        build=_fill_in,
        description="Puts a text into a field of a part of the page.",
        examples=('Fill in "Title" with "Report" in the first row of the "Files" table',),
    ),
    action(
        "Set/Adjust {property} of/in/for {spot} to {text}",
        build=_fill_property,
        description="Puts a text into the field of a row, an item or a card that a noun for a value names.",
        examples=('Change the quantity of "Backpack" to 4',),
    ),
    action(
        "Clear {target}",
        "Empty {target}",
        "Clear/Delete/Remove/Empty (all) text/value/content/contents of/in/from {target}",
        "Clear/Delete/Remove everything in/from {textbox}",
        "Clear {target} 's text/value/content/contents",
        "Make/Keep {textbox} empty/blank",
        "Leave {target} empty/blank",
        "Leave empty/blank {target}",
        build=_clear,
        description="Empties a field.",
        examples=(
            'Clear the "Search" field',
            'Delete the text in the "Search" field',
            'Leave the "Nickname" field empty',
        ),
    ),
    action(
        "Leave {label} empty/blank",
        "Clear {field_label}",
        build=_clear_named,
        description="Empties the field of this name.",
        examples=("Leave the password empty",),
    ),
    action(
        "Clear {group}",
        "Leave {group} empty/blank",
        "Empty {group}",
        build=_clear_each,
        description="Empties several fields.",
        examples=('Clear the "From" and "To" fields',),
    ),
    action(
        "Select/Choose {options} in/inside/within/from/of/for/on {target}",
        "Select/Choose {options} as/for {thing}",
        "Select/Choose {options} as value of/in/for {target}",
        "Select/Choose {options} from/among options/list of/in {dropdown}",
        "Select/Choose {options} using/with {dropdown}",
        "Select/Choose {options} in/from/of {target} selector/picker/chooser/choices",
        "Answer {options} to/for {target}",
        build=_select,
        description="Selects options of a list.",
        examples=(
            'Select "Bags" in "Category"',
            'Choose the option "M" from the "Size" dropdown',
            'Select "Red" and "Blue" in the "Colours" list',
        ),
    ),
    action(
        "Select/Choose {quoted} from/in/of radios/radio (group)",
        build=_choose_radio,
        description="Marks a radio button.",
        examples=('Select "Express" from the radio buttons',),
    ),
    action(
        "Use {dropdown} to select/choose {options}",
        build=_select_using,
        description="Selects options of a list.",
        examples=('Use the "Size" dropdown to select "M"',),
    ),
    action(
        "Select/Choose {label} {literal}",
        build=_select_labelled,
        description="Selects an option of the list of this name.",
        examples=('Select the country "Norway"',),
    ),
    action(
        "Select/Choose {label} {literal} in/from/of {dropdown}",
        build=_select_repeated,
        description="Selects an option of a list whose name says again what is selected.",
        examples=('Select the category "Bags" from the "Category" dropdown',),
    ),
    action(
        "Select/Choose {plain_label} as/of {own_text}",
        build=select_told,
        description="Selects an option of the list of this name.",
        examples=('Choose the size as "M"',),
    ),
)
