"""The table that tesseract writes, as words."""

from muster_sessionhost.picture_text import words_in

HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
TABLE = HEAD + '4\t1\t1\t1\t1\t0\t9\t9\t99\t20\t-1\t\n5\t1\t1\t1\t1\t1\t10\t12\t40\t18\t96.5\t"ACME"\n'


def test_a_row_of_a_word_is_a_word_and_its_quotes_are_letters():
    [word] = words_in(TABLE)
    assert (word.text, word.line, word.confidence) == ('"ACME"', "1.1.1", 0.965)
    assert (word.box.x, word.box.y, word.box.width, word.box.height) == (10, 12, 40, 18)


def test_a_picture_without_words_has_none():
    assert list(words_in(HEAD)) == list(words_in("")) == []
