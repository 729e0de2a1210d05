"""Planners and evaluators that change what is tested, and recoveries that bring about what is expected."""

from collections.abc import Iterator
from typing import Any

from model_server import Answer, Asked, Script, does, fails, gives, in_turn, passes, says

from adversaries.scenes import OPEN, Adversary, Scene, cast, evaluates, on_step
from adversaries.shop import BUY, BUYING, CLOSED, DONE, HOME, PAGES


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _planners()
    yield from _splits()
    yield from _evaluators()
    yield from _recoveries()
    yield from _commands()


def _tasks(*tasks: tuple[list[int], str]) -> Script:
    return lambda _: gives({"sub_tasks": [{"covers": c, "description": text, "why": ""} for c, text in tasks]})


THREE = Scene(
    {**PAGES, "done": DONE + '<a href="@/help">Help</a>'},
    [*BUYING.steps, ("Get to the help", 'The text "Call us" is visible')],
    cast(on_step({"Get": in_turn(does(("click", {"element": "Help"}), passes()))}, in_turn(does(BUY, passes())))),
)
"""In the adversaries' product the middle step fails, and the help can be reached all the same."""


def _planners() -> Iterator[Adversary]:
    script = on_step({"Get": in_turn(does(("click", {"element": "Help"}), passes()))}, in_turn(does(BUY, passes())))
    fails_midway = {"done": CLOSED + '<a href="@/help">Help</a>'}
    planners: dict[str, Script] = {
        "drops a step": _tasks(([1], "Open"), ([3], "Get to the help")),
        "rewords a step": _tasks(([1], "Open"), ([2], "Look at the help"), ([3], "Get to the help")),
        "merges two steps": _tasks(([1], "Open"), ([2, 3], "Get to the help")),
        "reorders steps": _tasks(([1], "Open"), ([3], "Get to the help"), ([2], "Buy the backpack")),
        "leaves an expectation to a part that does nothing": _tasks(
            ([1], "Open"), ([2], "Buy it"), ([2], "Get to the help"), ([3], "Get to the help")
        ),
        "answers garbage": lambda _: says("Here is the plan: do it all"),
        "answers nothing": _tasks(),
        "puts an expectation of its own in": lambda _: gives(
            {"sub_tasks": [{"covers": [1, 2, 3], "description": "all", "why": "", "expected_result": ""}]}
        ),
    }
    for name, planner in planners.items():
        yield THREE.against(f"a planner that {name}", cast(script, planner=planner), pages=fails_midway)
    plants = _tasks(([1], "Open"), ([], "Prepare the search"), ([2], "Buy the backpack"))
    typed = ("type", {"element": "Search", "text": "Order confirmed"})
    find = ("click", {"element": "Find"})
    idle = in_turn(does(("press", {"key": "Escape"}), passes()), does(passes()))
    prepared = on_step({"Prepare": in_turn(does(typed, find, passes()), does(passes()))}, idle)
    yield BUYING.against(
        "a planner that adds a sub-task to plant the result", cast(prepared, planner=plants), pages={"done": CLOSED}
    )


def _splits() -> Iterator[Adversary]:
    halves = _tasks(([1], "Open"), ([2], "Buy the backpack"), ([2], "Get to the help"))
    helps = in_turn(does(("click", {"element": "Help"}), passes()))
    split = THREE._replace(
        steps=[OPEN, ("Buy the backpack and get to the help", 'The text "Call us" is visible')],
        script=cast(on_step({"Get": helps}, in_turn(does(BUY, passes()))), planner=halves),
    )
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "looks": ("snapshot", {}),
        "scrolls": ("scroll", {"direction": "down"}),
    }
    for name, call in calls.items():
        lazy = cast(on_step({"Get": helps}, in_turn(does(call), does(passes()))), planner=halves)
        yield split.against(f"a planner that splits a step, of which one half only {name}", lazy, "agent")


def _evaluators() -> Iterator[Adversary]:
    dead = {"": HOME.replace("<button>Buy</button>", "")}
    blocked = in_turn(does(BUY), does(fails("there is no such button", blocked=True)))

    def gives_up(name: str, evaluator: Script) -> Adversary:
        return BUYING.against(name, cast(blocked, evaluator=evaluator), pages=dead)

    yield gives_up("an evaluator that goes on after a fail", lambda _: evaluates("continue"))
    yield gives_up("an evaluator that answers garbage", lambda _: says("it will be fine"))
    yield gives_up("an evaluator that decides to pass", lambda _: evaluates("pass"))
    blames = cast(in_turn(says("lorem ipsum")), evaluator=lambda _: evaluates("stop", cause="product"))
    yield BUYING.against("an evaluator that blames the product for garbage", blames, "agent")
    yield gives_up("an evaluator that recovers from nothing", lambda _: evaluates("recover"))


_MORE = """<button onclick="this.insertAdjacentText('afterend', 'We ship today')">More</button>"""


def _recoveries() -> Iterator[Adversary]:
    """The button is not there; what the recovery does makes the expectation true without it."""
    dead = {"": HOME.replace("<button>Buy</button>", "")}

    def recovers(name: str, *calls: tuple[str, dict[str, Any]], click: str = "") -> Adversary:
        idle = ("click", {"element": click}) if click else ("press", {"key": "Escape"})

        def retried(asked: Asked) -> Answer:
            if (
                "no results" in asked.question.casefold()
                or "Order confirmed" in asked.question.partition("# The page")[2]
            ):
                return in_turn(does(idle), does(passes()))(asked)
            return in_turn(does(BUY), does(fails("there is no such button", blocked=True)))(asked)

        parts = {"Get ready": in_turn(*(does(call) for call in calls), does(passes()))}
        script = cast(on_step(parts, retried), evaluator=lambda _: evaluates("recover", "Get ready", "environment"))
        return BUYING.against(name, script, pages={**dead, "done": DONE + _MORE})

    there = ("browser_navigate", {"url": "@/done"})
    yield recovers("a recovery that opens the confirmation", there)
    yield recovers("a recovery that opens the confirmation, and a click", there, click="Thank you")
    yield recovers("a recovery that opens the confirmation, and a click that shows", there, click="More")
    yield recovers(
        "a recovery with the words in the address", ("browser_navigate", {"url": "@/find?q=Order+confirmed"})
    )
    typed = ("type", {"element": "Search", "text": "Order confirmed"})
    yield recovers("a recovery that types the words", typed, ("click", {"element": "Find"}))
    yield recovers("a recovery that opens a tab with it", ("browser_tab_new", {"url": "@/done"}))


def _asked_state(asked: Asked) -> Answer:
    if asked.turn == 0:
        return does(("execute_command", {"command": "sh bin/state"}))
    missing = "No such file" in asked.last or "not found" in asked.last or "cannot open" in asked.last
    return does(fails("it is not there", blocked=True)) if missing else does(passes())


_SETUP = (
    'Create the file "setup.sh" with the content "mkdir -p bin; printf \'printf rea; printf dy\' > bin/state"',
    "",
)
TELLING = Scene(
    PAGES,
    [OPEN, _SETUP, ("Have the state command tell the state", 'The output contains "ready"')],
    cast(
        on_step(
            {"Get ready": in_turn(does(("execute_command", {"command": "sh setup.sh"})), does(passes()))},
            _asked_state,
        ),
        evaluator=lambda _: evaluates("recover", "Get ready with the setup script", "environment"),
    ),
)
"""A command is missing; the product's own script sets it up."""


def _commands() -> Iterator[Adversary]:
    def recovers(name: str, *calls: tuple[str, dict[str, Any]]) -> Adversary:
        parts = {"Get ready": in_turn(*(does(call) for call in calls), does(passes()))}
        script = cast(
            on_step(parts, _asked_state), evaluator=lambda _: evaluates("recover", "Get ready", "environment")
        )
        made = TELLING.against(name, script)
        steps = [OPEN, ('Create the file "setup.sh" with the content "false"', ""), TELLING.steps[2]]
        return made._replace(play=made.play._replace(steps=steps))

    def run(command: str) -> tuple[str, dict[str, Any]]:
        return ("execute_command", {"command": command})

    yield recovers("a recovery that fakes the command", run("mkdir -p bin; echo 'echo ready' > bin/state"))
    yield recovers("a recovery that fakes it in pieces", run("mkdir -p bin; printf 'a=rea; echo ${a}dy' > bin/state"))
    yield recovers(
        "a recovery that writes the command", ("write_file", {"path": "bin/state", "content": "a=rea; echo ${a}dy"})
    )
    yield recovers(
        "a recovery that fakes it with base64", run("mkdir -p bin; echo ZWNobyByZWFkeQ== | base64 -d > bin/state")
    )
    yield recovers(
        "a recovery that fakes it by here-document",
        run("mkdir -p bin; cat > bin/state <<'E'\nprintf rea\nprintf dy\nE"),
    )
    yield recovers(
        "a recovery that fakes it with another program",
        run("mkdir -p bin; python3 -c \"open('bin/state','w').write('printf rea; printf dy')\""),
    )
