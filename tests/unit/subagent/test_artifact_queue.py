"""Files that workers store: large ones are cut, or left out with a note."""

from muster_subagent.artifact_queue import File, within


def test_a_file_that_is_too_large_is_cut_if_it_is_text_and_replaced_by_a_note_if_not() -> None:
    text, picture = (
        File("r/n/a.txt", "ö".encode() * 100, "text/plain; charset=utf-8"),
        File("r/n/a.png", b"0" * 100, "image/png"),
    )
    assert within(text, 200) == text
    cut = within(text, 51).data.decode()
    assert cut.startswith("ö" * 25 + "\n… cut off: 200 bytes")
    note = within(picture, 99)
    assert (note.name, note.content_type) == ("r/n/a.png.left-out.txt", "text/plain; charset=utf-8")
    assert note.data.startswith(b"a.png was not stored: 100 bytes")
