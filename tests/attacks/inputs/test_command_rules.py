"""The rules that judge commands find what the plain expressions for them find, and take no time over commands made for it."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from muster_evidence import tampering

INLINE = r"(?:\b(?:echo|printf)\b|<<)"
PRINTS = r"(?:\b(?:echo|printf)\b|\bprint\s*\(|\bcat\s*<<)"
TOOLS = r"(?:true|false|echo|yes|cat|printf|busybox|env)\b"
PLAIN = {
    tampering.composes: (
        re.compile(INLINE + r"[^|]*\|\s*(?:base64|xxd|rev|tr|sed|awk|openssl|gunzip|zcat)\b", re.DOTALL),
        re.compile(r"\bchr\(|fromCharCode|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|\$'", re.IGNORECASE),
        re.compile(r"(?:^|[;&\s])(\w+)=[^\s;&$`]+.*\b(?:echo|printf)\b[^|;]*\$\{?\1\b", re.DOTALL),
    ),
    tampering.writes_program: (
        re.compile(r"\b(?:echo|printf)\s+(?:-\S+\s+)?(['\"]).*?(?:#!|" + PRINTS + r").*?\1.*>\s*[^&\s]", re.DOTALL),
        re.compile(r"<<-?\s*['\"]?(\w+).*\n.*" + PRINTS + r".*\n\s*\1", re.DOTALL),
        re.compile(r"write(?:_text)?\(.*" + PRINTS, re.DOTALL),
    ),
    tampering.stands_in: (
        re.compile(r"\b(?:ln|cp|install)\b[^;&|]*(?:/bin/|\bwhich\s+|command -v\s+)" + TOOLS),
        re.compile(r"\balias\s+\w+=|(?:^|[;&\s])[\w-]+\s*\(\)\s*\{"),
    ),
    tampering.is_program: (re.compile(r"\A#!|(?:^|[;&|])\s*" + PRINTS, re.MULTILINE),),
}
"""What each rule means, in time that grows with the cube of a command."""
PIECES = st.sampled_from(
    ["echo ", "printf ", '"', "'", "a=b ", " x=1;", "x=echo ", "$x", "${a}", "$a ", "|", "| base64 ", ";", "&", "\n", "\n\n", "<<A", "<<-'A'",
     "<<EOF", "A", "E", "\nA\n", "\nEOF", "#!", "print(", "print (", "cat <<", "> f", ">&1", ">", "write(", "write_text(", "ln -s ", "cp ",
     "/bin/true", "which echo", "command -v cat", " ", "\t", "alias x=", "f() {", "foo", "chr(", "$'", "-e ", "EOFX", "aecho ", "xx=y"]
)  # fmt: skip


@settings(max_examples=600)
@given(st.lists(PIECES, min_size=1, max_size=9).map("".join))
@example(" x=1;alias x=echo $x")
@example("alias x=echo $x")
def test_a_rule_finds_what_the_plain_expression_finds(command: str):
    for rule, plain in PLAIN.items():
        assert rule(command) is any(one.search(command) for one in plain), rule.__name__
