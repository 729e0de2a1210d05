"""Which of the elements that words may describe an action, a state or a claim is about. Pure."""

from muster_grammar.element_kinds import KINDS
from muster_grammar.target_parser import NAMED, Target, between
from muster_grammar.target_places import targets, things
from muster_grammar.tokens import LITERAL, Words


def read_target(some: Words) -> tuple[Target, ...]:
    """Read an element that an action or a state is about; `the text "More"` is one, too."""
    named = next((at for at, token in enumerate(some) if token.key == LITERAL), 0)
    if named and some[0].key == "text" and between(some[1:named]) in NAMED:
        some = some[named:]
    elif [token.key for token in some[:2]] == [LITERAL, "text"]:
        some = (some[0], *some[2:])
    return tuple(target for target in targets(some) if not target.plural and target.is_found)


def read_element(some: Words) -> tuple[Target, ...]:
    """Return those whose kind is named."""
    named = (target for target in targets(some) if target.noun in KINDS and target.is_found)
    single = (target for target in named if not (target.plural and target.element.isdecimal()))
    return tuple(target for target in single if not _is_mere_dialog(target))


def _is_mere_dialog(target: Target) -> bool:
    """Return whether only a dialog as such is meant: phrases of their own read the one that is open now."""
    return target._replace(which=True) == Target("", "dialog", noun="dialog", sure=target.sure)


def read_elements(some: Words) -> tuple[Target, ...]:
    """Return the kinds of elements that words may describe, one or many."""
    return tuple(
        target for target in targets(some) if target.noun and (target.element or target.role not in {"", "dialog"})
    )


def read_thing(some: Words) -> tuple[Target, ...]:
    """Return the single elements that words may describe, or name with neither quotes nor a kind."""
    return tuple(target for target in things(some) if not target.plural and target.is_found)
