"""Pages that invite a false verdict, with what is true of each in a tester's words, and what is not."""

from typing import NamedTuple


class Situation(NamedTuple):
    """A page, and sentences about it."""

    name: str
    body: str
    holds: tuple[str, ...] = ()
    """What must be proven."""
    false: tuple[str, ...] = ()
    """What must not be proven: it is not so, or nobody can tell."""
    first: str = ""
    """Actions before that."""


def shadow(html: str, host: str = "<x-a></x-a>") -> str:
    """Return an element whose shadow tree has this content."""
    return f"{host}<script>document.querySelector('x-a').attachShadow({{mode:'open'}}).innerHTML=`{html}`</script>"
