"""A dead letter keeps what was put aside and why, whatever is written in it, and stays small beside its message."""

from hypothesis import given
from hypothesis import strategies as st
from nats.js.api import RawStreamMsg

from muster_bus.dead_letter_store import LONGEST_LINE, MOST_LINES, DeadLetter, build_headers, decode_letter

TEXT = st.text(max_size=60)


def stored(letter: DeadLetter, data: bytes | None = None) -> RawStreamMsg:
    kept = letter.data if data is None else data
    return RawStreamMsg(subject=f"muster.dead.{letter.stream}", seq=7, data=kept, headers=build_headers(letter))


@given(TEXT, TEXT, st.lists(TEXT, max_size=5), TEXT, st.binary(max_size=20), st.integers(0, 99))
def test_what_is_written_is_what_is_read(
    subject: str, reason: str, history: list[str], id: str, data: bytes, delivery: int
):
    letter = DeadLetter(
        stream="X",
        subject=subject,
        reason=reason,
        history=tuple(history),
        id=id,
        delivery=delivery,
        key="X.1",
        data=data,
    )
    read = decode_letter(stored(letter))

    assert (read.stream, read.subject, read.reason, read.history) == ("X", subject, reason, tuple(history))
    assert (read.id, read.delivery, read.key, read.sequence) == (id, delivery, "X.1", 7)
    assert (read.data, read.size, read.cut) == (data, len(data), False)


@given(TEXT, st.lists(st.text(), max_size=40))
def test_headers_are_plain_lines_of_ascii_whatever_they_say(reason: str, history: list[str]):
    headers = build_headers(DeadLetter(stream="X", subject="a.b", reason=reason, history=tuple(history)))

    assert all(value.isascii() and value.isprintable() for value in headers.values())


def test_the_newest_lines_of_a_long_history_are_kept_and_each_is_cut():
    lines = tuple(f"{number} " + "x" * 500 for number in range(50))
    read = decode_letter(stored(DeadLetter(stream="X", subject="a.b", reason="y" * 5000, history=lines)))

    assert len(read.history) == MOST_LINES
    assert (read.history[0][:3], read.history[-1][:3]) == ("30 ", "49 ")
    assert all(len(line) == LONGEST_LINE and line.endswith("…") for line in read.history)
    assert len(read.reason) == 500


def test_a_letter_of_a_request_names_its_run_and_one_of_a_sub_task_both():
    request = DeadLetter(stream="REQUESTS", subject="muster.requests.run-1", reason="no")
    task = DeadLetter(stream="TASKS", subject="muster.tasks.act.normal", reason="no", id="run-1.step-2.1+3")

    assert (decode_letter(stored(request)).run, decode_letter(stored(request)).task) == ("run-1", "")
    assert (decode_letter(stored(task)).run, decode_letter(stored(task)).task) == ("run-1", "run-1.step-2.1")


def test_a_message_of_which_a_part_is_lost_is_known_as_cut():
    read = decode_letter(stored(DeadLetter(stream="X", subject="a.b", reason="no", data=b"12345"), b"123"))

    assert (read.cut, read.size, read.data) == (True, 5, b"123")


def test_what_somebody_else_put_there_is_read_as_well_as_it_goes():
    odd = {"Muster-Reason": 'a "bad" reason', "Muster-History": "once", "Muster-Size": "many", "Muster-Delivery": "-1"}
    read = decode_letter(RawStreamMsg(subject="muster.dead.X", seq=1, data=b"abc", headers=odd))
    bare = decode_letter(RawStreamMsg(subject="muster.dead.X", seq=2))

    assert (read.reason, read.history, read.size, read.delivery) == ('a "bad" reason', ("once",), 3, 0)
    assert (bare.reason, bare.history, bare.data, bare.at) == ("", (), b"", 0.0)
