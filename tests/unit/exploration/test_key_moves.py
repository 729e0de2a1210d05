"""Walking by keys: each key is a move, the focus is part of a state, and nothing destructive is opened."""

from muster_exploration.key_moves import key_moves
from muster_exploration.move_phrases import sentences_of
from muster_exploration.screen_shape import Part, shape_of
from muster_grammar import parse_action
from muster_protocol.explorations import REMOTE_KEYS, Move


def menu(focus: str) -> list[Part]:
    names = ("Live TV", "Films", "Delete recordings")
    return [Part("heading", "Home", 0), *(Part("button", name, 1, focused=name == focus) for name in names)]


def tiles(count: int, focus: int) -> list[Part]:
    rows = ((Part("listitem", "", 1), Part("button", f"Film {at}", 2, focused=at == focus)) for at in range(count))
    return [Part("list", "", 0), *(part for row in rows for part in row)]


def test_each_key_is_a_move_that_can_be_said() -> None:
    found = key_moves(menu("Films"), REMOTE_KEYS)
    assert [move.name for move in found.moves] == list(REMOTE_KEYS)
    for move in found.moves:
        (sentence,) = sentences_of(move)
        (call,) = parse_action(sentence)
        assert (call.tool, call.arguments) == ("press", {"key": move.name})


def test_what_may_destroy_is_not_opened_and_neither_is_what_may_have_the_focus() -> None:
    for focus in ("Delete recordings", ""):
        found = key_moves(menu(focus), REMOTE_KEYS)
        assert Move(do="press", role="key", name="Enter") not in found.moves
        assert Move(do="press", role="key", name="ArrowDown") in found.moves
        assert "delete" in found.left_out[0]
    assert len(key_moves(menu("Delete recordings"), REMOTE_KEYS, ["delete"]).moves) == len(REMOTE_KEYS)


def test_the_focus_tells_states_apart_but_not_without_end() -> None:
    assert len({shape_of(menu(focus), "tv://home").id for focus in ("", "Live TV", "Films")}) == 3
    assert len({shape_of(tiles(50, focus), "tv://films").id for focus in range(50)}) == 4
