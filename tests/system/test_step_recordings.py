"""The second run of a case asks no model: steps are replayed from recordings, and their evidence is made anew."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from model_server import Answer, Asked, does, passes, says
from msgspec.structs import replace
from pages import Page, Visit
from remembering import OPEN, Rerunner, rerunner
from thinking import SIGN_UP
from waiting import eventually

from muster_protocol.step_recordings import RecordingRow

FILL = "Fill in the form as Ann and send it"
WELCOME = 'The text "Welcome" is visible'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fleet_that_remembers(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rerunner]:
    async with rerunner(tmp_path_factory.mktemp("fleet")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def again(fleet_that_remembers: Rerunner) -> Rerunner:
    await fleet_that_remembers.forget()
    return fleet_that_remembers


pytestmark = pytest.mark.asyncio(loop_scope="module")


def fills_in(name: str = "Ann"):
    def script(_: Asked) -> Answer:
        return does(("type", {"element": "Name", "text": name}), ("click", {"element": "Send"}), passes())

    return script


def by_its_words(asked: Asked) -> Answer:
    if asked.role == "summary":
        return says("A long list.")
    step = asked.question.partition("# Step\n")[2].partition("\n")[0]
    if "GET" in step:
        return does(("http_request", {"method": "GET", "url": "${base_url}/list"}), passes())
    if "Wait" in step:
        return does(("wait_for", {"seconds": 0.1}), passes())
    return does(passes()) if "Look" in step else fills_in()(asked)


async def test_the_second_run_asks_no_model_and_proves_its_expectation_anew(again: Rerunner):
    pages = {**SIGN_UP, "list": "<p>entry</p>" * 400}
    steps = [
        OPEN,
        (FILL, WELCOME),
        ('Send a GET request to the API at "${base_url}/list", as programs do', "The response status is 200"),
        ("As a visitor would: Wait a little", WELCOME),
        ("Look at what came of it", WELCOME),
    ]
    cold = await again.run(pages, steps, by_its_words, kept=5)
    warm = await again.run(pages, steps, None)

    assert (cold.verdict.status, cold.asked) == ("pass", 6), "a plan, four steps, and a long answer that is summed up"
    assert (warm.verdict.status, warm.asked) == ("pass", 0), warm.verdict.summary
    assert cold.sources == ["phrase", "model", "model", "model", "model"]
    assert warm.sources == ["phrase", "recording", "recording", "recording", "recording"]
    assert (warm.verdict.usage.model_calls, warm.verdict.usage.input_tokens) == (0, 0)
    assert [(it.check, it.passed) for it in warm.last.step.evidence] == [("check_text", True)]
    assert [act.tool for act in warm.verdict.results[1].step.acts] == ["type", "click"]
    assert any("replays its recording" in line for line in await again.lines(warm.run))


def _greets(visit: Visit) -> str:
    return f"<h1>Welcome, {visit.fields['name']}</h1>"


async def test_rows_of_data_share_one_recording_and_no_value_or_secret_stands_in_it(again: Rerunner):
    form = SIGN_UP[""].replace("Mail <input name", 'PIN <input type="password" name')
    pages: dict[str, Page] = {"": form, "done": _greets}
    steps = [OPEN, ("Sign up as ${name} with ${secret:PIN}", 'The text "Welcome, ${name}" is visible')]

    def script(asked: Asked) -> Answer:
        pin = ("type", {"element": "PIN", "text": "${secret:PIN}"})
        return does(("type", {"element": "Name", "text": "Ann Field"}), pin, ("click", {"element": "Send"}), passes())

    first = await again.run(pages, steps, script, variables={"name": "Ann Field"}, secrets=("PIN",), kept=2)
    other = await again.run(pages, steps, None, variables={"name": "Bob Moor"}, secrets=("PIN",))

    assert (first.verdict.status, other.verdict.status, other.last.source) == ("pass", "pass", "recording")
    [row] = await again.steps()
    said = str(row)
    assert "${name}" in said
    assert "${secret:PIN}" in said
    assert not any(value in said for value in ("Ann Field", "kingfisher", "127.0.0.1"))


@pytest.mark.slow
async def test_editing_one_step_asks_again_for_that_one_alone(again: Rerunner):
    pages = {
        "": '<h1>One</h1><a href="@/two">Forward</a>',
        "two": '<h1>Two</h1><a href="@/three">Onward</a>',
        "three": '<h1>Three</h1><a href="@/">Home</a>',
    }
    links = {"second": "Forward", "third": "Onward", "start": "Home"}

    def script(asked: Asked) -> Answer:
        words = asked.question.partition("# Step\n")[2].partition("\n")[0]
        return does(("click", {"element": next(link for word, link in links.items() if word in words)}), passes())

    texts = ["Get to the second page", "Get to the third page", "Get back to the start"]
    shown = ["Two", "Three", "One"]
    steps = [OPEN, *((text, f'The text "{title}" is visible') for text, title in zip(texts, shown, strict=True))]
    await again.run(pages, steps, script, kept=4)
    edited = [*steps[:2], ("Get to the third page now", steps[2][1]), steps[3]]
    second = await again.run(pages, edited, script)

    assert second.sources == ["phrase", "recording", "model", "recording"]
    assert second.asked == 2, "the plan, whose words have changed, and the edited step"


BANNER = """<div style="position:fixed;bottom:0" role="dialog" aria-label="Cookies">We use cookies
<button onclick="this.parentElement.remove()">Got it</button></div>"""


@pytest.mark.slow
async def test_a_banner_that_was_cleared_away_may_be_absent_the_next_time(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    banner = {**SIGN_UP, "": SIGN_UP[""] + BANNER}

    def script(_: Asked) -> Answer:
        fill = ("type", {"element": "Name", "text": "Ann"})
        return does(("click", {"element": "Got it"}), fill, ("click", {"element": "Send"}), passes())

    await again.run(banner, steps, script, kept=2)
    [row] = await again.steps()
    assert row.step is not None
    assert [call.optional for call in row.step.calls] == [True, False, False]
    for pages in (SIGN_UP, banner):
        warm = await again.run(pages, steps, None)
        assert (warm.verdict.status, warm.last.source) == ("pass", "recording"), warm.verdict.summary


async def test_a_renamed_button_is_healed_by_the_model_from_that_call_on_and_the_heal_is_kept(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    renamed = {**SIGN_UP, "": SIGN_UP[""].replace(">Send<", ">Submit<")}
    await again.run(SIGN_UP, steps, fills_in(), kept=2)
    told: list[str] = []

    def script(asked: Asked) -> Answer:
        told.append(asked.question)
        return does(("click", {"element": "Submit"}), passes())

    healed = await again.run(renamed, steps, script)
    third = await again.run(renamed, steps, None)

    assert (healed.verdict.status, healed.asked, healed.last.source) == ("pass", 1, "model"), healed.verdict.summary
    assert [act.tool for act in healed.last.step.acts] == ["type", "click"], "the field is not filled twice"
    assert "Done already" in told[0]
    replay = healed.last.step.replay
    assert replay is not None
    assert (replay.miss, replay.made, replay.total) == ("none", 1, 2)
    assert replay.pictures
    assert (third.verdict.status, third.last.source) == ("pass", "recording"), third.verdict.summary
    [row] = await again.steps()
    [episode] = row.episodes
    assert episode.old.target is not None
    assert episode.new is not None
    assert episode.new.target is not None
    assert (episode.old.target.name, episode.new.target.name) == ("Send", "Submit")
    assert row.previous is not None


@pytest.mark.slow
async def test_by_policy_a_heal_waits_for_a_person_or_is_not_tried(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    renamed = {**SIGN_UP, "": SIGN_UP[""].replace(">Send<", ">Submit<")}
    await again.run(SIGN_UP, steps, fills_in(), kept=2)

    def script(_: Asked) -> Answer:
        return does(("click", {"element": "Submit"}), passes())

    off = await again.run(renamed, steps, None, heal="off")
    proposed = await again.run(renamed, steps, script, heal="propose")

    assert (off.verdict.status, off.verdict.cause, off.last.failure) == ("fail", "agent", "recording_missed")
    assert "there is no button" in off.verdict.summary
    assert proposed.verdict.status == "pass"
    row = await eventually(lambda: _proposed(again), "a proposal")
    assert row.step is not None
    assert row.proposal is not None
    names = [[call.target.name for call in it.calls if call.target] for it in (row.step, row.proposal)]
    assert names == [["Name", "Send"], ["Name", "Submit"]]


DRAFT = "<h1>Welcome</h1><p>Your draft is kept.</p>"


async def test_a_model_that_takes_a_decoy_is_refused_although_the_expectation_holds(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    await again.run(SIGN_UP, steps, fills_in(), kept=2)
    decoy = SIGN_UP[""].replace("<button>Send</button>", '<button formaction="@/draft">Save draft</button>')

    def script(_: Asked) -> Answer:
        return does(("click", {"element": "Save draft"}), passes("sent, quite sure"))

    wrong = await again.run({**SIGN_UP, "": decoy, "draft": DRAFT}, steps, script)
    assert (wrong.verdict.status, wrong.verdict.cause, wrong.last.failure) == ("fail", "agent", "recording_missed")
    assert "had another effect" in wrong.verdict.summary
    [row] = await again.steps()
    assert not row.episodes, "nothing is kept of a heal that was refused"


@pytest.mark.slow
async def test_a_recording_that_proves_nothing_is_forgotten(again: Rerunner):
    steps = [OPEN, (FILL, WELCOME)]
    await again.run(SIGN_UP, steps, fills_in(), kept=2)
    [row] = await again.steps()
    assert row.step is not None
    await again.rows.put(row.key, replace(row, step=replace(row.step, calls=())))
    thanks = {**SIGN_UP, "": "<h1>Welcome</h1>" + SIGN_UP[""]}

    poisoned = await again.run(thanks, steps, None)
    assert (poisoned.verdict.status, poisoned.last.failure) == ("fail", "no_evidence")
    await eventually(lambda: _is_empty(again), "the recording is gone")
    after = await again.run(SIGN_UP, steps, fills_in())
    assert (after.verdict.status, after.last.source) == ("pass", "model")


async def _is_empty(again: Rerunner) -> bool:
    return not await again.steps()


async def _proposed(again: Rerunner) -> RecordingRow | None:
    return next((row for row in await again.steps() if row.proposal), None)
