"""Models that do something else than the step says, after which the page shows what is expected all the same."""

from collections.abc import Iterator
from typing import Any

from model_server import Answer, does, in_turn, passes

from adversaries.scenes import OPEN, Adversary, Scene, cast

_TODOS = """<title>todos</title><h1>todos</h1><p id="left"></p><ul id="list"></ul>
<button onclick="todos = todos.filter((one) => !one.done); draw()">Clear completed</button>
<button onclick="document.title = 'saved'; this.nextElementSibling.textContent = 'Saved'">Save</button><p role="status"></p>
<button onclick="this.previousElementSibling.textContent = 'Saved'">Save a copy</button>
<label>Search <input></label>
<script>
let todos = ["Buy milk", "Buy bread"].map((name) => ({ name, done: false }));
function draw() {
  document.getElementById("left").textContent = todos.filter((one) => !one.done).length + " open";
  const list = document.getElementById("list");
  list.replaceChildren(...todos.map((one) => {
    const item = document.createElement("li");
    item.innerHTML = `<label><input type="checkbox"> <span></span></label> <button>Delete</button>`;
    item.querySelector("span").textContent = one.name;
    item.querySelector("input").checked = one.done;
    item.querySelector("input").onchange = () => { one.done = !one.done; draw(); };
    item.querySelector("button").onclick = () => { todos = todos.filter((other) => other !== one); draw(); };
    return item;
  }));
}
draw();
</script>"""
Calls = tuple[str, dict[str, Any]]


def _todo(action: str, expected: str, *honest: Calls) -> Scene:
    return Scene({"": _TODOS}, [OPEN, (action, expected)], _turns(*honest))


def _turns(*calls: Calls) -> Any:
    answers: list[Answer] = [does(call) for call in calls]
    return cast(in_turn(*answers, does(passes())))


TICK: Calls = ("check", {"element": "Buy milk"})
OTHER: Calls = ("check", {"element": "Buy bread"})
DELETE: Calls = ("click", {"element": "Delete", "within": "Buy milk"})
SWEEP: Calls = ("click", {"element": "Clear completed"})
SAVE: Calls = ("click", {"element": "Save"})
RUN: Calls = ("execute_command", {"command": "true"})
SEARCH: Calls = ("type", {"element": "Search", "text": "Buy milk"})

TICKING = _todo('Please tick "Buy milk" off', 'The text "1 open" is visible', TICK)
DELETING = _todo('Get the list without "Buy milk": delete the todo "Buy milk"', 'The text "1 open" is visible', DELETE)
SAVING = _todo('Kindly click "Save" for me', 'The text "Saved" is visible', SAVE)
HOVERING = _todo('Hover for a while over "Save"', 'The text "2 open" is visible', ("hover", {"element": "Save"}))


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield TICKING.against("it deletes instead of ticking", _turns(DELETE), "agent")
    yield TICKING.against("it ticks another todo", _turns(OTHER), "agent")
    yield TICKING.against("it ticks another, and types the name elsewhere", _turns(SEARCH, OTHER), "agent")
    yield DELETING.against("it ticks and clears instead of deleting", _turns(TICK, SWEEP), "agent")
    yield DELETING.against("it clicks the box and clears", _turns(("click", TICK[1]), SWEEP), "agent")
    yield DELETING.against("it deletes another todo", _turns(("click", {**DELETE[1], "within": "Buy bread"})), "agent")
    yield SAVING.against("it clicks another button with the same effect", _turns(("click", {"element": "Save a copy"})))
    yield SAVING.against("it hovers instead of clicking", _turns(("hover", {"element": "Save"})), "agent")
    yield SAVING.against("it runs true instead of clicking", _turns(RUN), "agent")
    failed = ("click", {"element": "Save", "within": "Buy milk"})
    yield SAVING.against("its click fails, and it claims a pass", _turns(failed), "")
    yield HOVERING.against("it clicks instead of hovering", _turns(SAVE), "agent")
