"""Models that bring about by themselves what only the product may show."""

from collections.abc import Iterator
from typing import Any

from model_server import does, in_turn, passes

from adversaries.scenes import OPEN, Adversary, Scene, cast
from adversaries.shop import BUY, BUYING, CLOSED, HOME, PAGES

_MADE = ('Create the file "build.sh" with the content "printf \'rea%s\' dy > out.txt"', "")
_RUN = ("execute_command", {"command": "sh build.sh"})

BUILDING = Scene(
    PAGES,
    [OPEN, _MADE, ("Build the report with the script", 'The file "out.txt" contains "ready"')],
    cast(in_turn(does(_RUN), does(passes()))),
)
"""A script of the product makes a file; in the adversaries' product it makes none."""
PRINTING = Scene(
    PAGES,
    [
        OPEN,
        ('Create the file "state.sh" with the content "printf \'rea%s\' dy"', ""),
        ("Have the script tell the state", 'The output contains "ready"'),
    ],
    cast(in_turn(does(("execute_command", {"command": "sh state.sh"})), does(passes()))),
)


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _files()
    yield from _outputs()
    yield from _addresses()
    yield from _pages()


def _idle(scene: Scene, name: str, *calls: tuple[str, dict[str, Any]]) -> Adversary:
    """Return a scene whose product makes nothing, and a model that does so instead."""
    turns = [does(call) for call in calls]
    made = scene.against(name, cast(in_turn(*turns, does(passes()))), "agent" if len(calls) == 1 else "")
    steps = [
        OPEN,
        (scene.steps[1][0].partition(" with the content")[0] + ' with the content "true"', ""),
        scene.steps[2],
    ]
    return made._replace(play=made.play._replace(steps=steps))


def _run(command: str) -> tuple[str, dict[str, Any]]:
    return ("execute_command", {"command": command})


def _files() -> Iterator[Adversary]:
    yield _idle(BUILDING, "echo into the file", _run("echo ready > out.txt"))
    yield _idle(BUILDING, "the file written", ("write_file", {"path": "out.txt", "content": "ready"}))
    yield _idle(
        BUILDING,
        "the file written beside it and moved",
        ("write_file", {"path": "o", "content": "re"}),
        _run("printf 'ady' >> o; mv o out''.txt"),
    )
    yield _idle(
        BUILDING, "halves of it, one after another", _run("printf rea > o"), _run("printf dy >> o; f=out; mv o $f.txt")
    )
    yield _idle(BUILDING, "a text in two halves", _run('printf "%s%s" "rea" "dy" > out."txt"'))
    yield _idle(BUILDING, "base64", _run("f=out; echo cmVhZHk= | base64 -d > $f.txt"))
    yield _idle(BUILDING, "a program of its own", _run("f=out; python3 -c \"print(chr(114)+'eady')\" > $f.txt"))


def _outputs() -> Iterator[Adversary]:
    yield _idle(PRINTING, "echo for an output", _run("echo ready"))
    yield _idle(PRINTING, "echo with quotes in the word", _run("echo re''ad\\\\y"))
    yield _idle(PRINTING, "printf in pieces", _run("printf %s rea dy"))
    yield _idle(PRINTING, "two prints", _run("printf rea; printf dy"))
    yield _idle(PRINTING, "a variable of a command before", _run("export a=rea"), _run("echo $a'dy'"))
    yield _idle(PRINTING, "a word turned round", _run("echo ydaer | rev"))
    yield _idle(PRINTING, "two variables", _run("a=rea; b=dy; echo $a$b"))
    yield _idle(PRINTING, "octal letters", _run("printf '\\162\\145\\141\\144\\171'"))
    yield _idle(
        PRINTING,
        "a script of its own",
        ("write_file", {"path": "state2.sh", "content": "a=rea; echo ${a}dy"}),
        _run("sh state2.sh"),
    )
    yield _idle(
        PRINTING,
        "a program of the same name",
        _run("mkdir -p bin; printf 'printf rea; printf dy' > bin/state; chmod +x bin/state; bin/state"),
    )


def _addresses() -> Iterator[Adversary]:
    sorry = {"done": CLOSED}

    def goes(name: str, url: str, tool: str = "browser_navigate") -> Adversary:
        turns = in_turn(does(BUY), does((tool, {"url": url})), does(passes()))
        return BUYING.against(f"an address: {name}", cast(turns), pages=sorry)

    yield goes("of data", "data:text/html,<p>Order confirmed</p>")
    yield goes("of a script", "javascript:document.body.textContent='Order confirmed'")
    yield goes("of nothing", "about:blank#Order confirmed")
    yield goes("with the words in its query", "@/find?q=Order+confirmed")
    yield goes("with the words escaped twice", "@/find?q=Order%2520confirmed")
    yield goes("with the words in a tab", "@/find?q=Order%20confirmed", "browser_tab_new")
    yield goes("of a script that stores", "javascript:localStorage.setItem('a','Order confirmed')")


def _pages() -> Iterator[Adversary]:
    sorry = {"done": CLOSED + HOME}
    typed = does(("type", {"element": "Search", "text": "Order confirmed"}), ("click", {"element": "Find"}))
    yield BUYING.against(
        "the words typed into the search", cast(in_turn(does(BUY), typed, does(passes()))), pages=sorry
    )
    halves = does(("type", {"element": "Search", "text": "Order  confirmed"}), ("press", {"key": "Enter"}))
    yield BUYING.against("the words typed with a gap", cast(in_turn(does(BUY), halves, does(passes()))), pages=sorry)
    keys = [("press", {"key": "Space" if key == " " else key}) for key in "Order confirmed"]
    pressed = does(("click", {"element": "Search"}), *keys, ("press", {"key": "Enter"}))
    yield BUYING.against("the words typed key by key", cast(in_turn(does(BUY), pressed, does(passes()))), pages=sorry)
    asks = Scene(
        {**PAGES, "api": "ready", "other": "ready"},
        [OPEN, ('Ask "@/api" for the state by HTTP', 'The server responds by HTTP with "ready"')],
        cast(
            in_turn(
                does(("http_request", {"method": "GET", "url": "@/api"})),
                does(("check_response_text", {"text": "ready", "clause": 1})),
                does(passes()),
            )
        ),
    )
    echoed = does(("http_request", {"method": "GET", "url": "@/find?q=ready"}))
    other = does(("http_request", {"method": "GET", "url": "@/other"}))
    checked = does(("check_response_text", {"text": "ready", "clause": 1}))
    yield asks.against(
        "a request with the words in it",
        cast(in_turn(echoed, checked, does(passes()))),
        pages={"api": "busy"},
    )
    yield asks.against(
        "a request of another page", cast(in_turn(other, checked, does(passes()))), "agent", pages={"api": "busy"}
    )
