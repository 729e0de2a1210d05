"""What a recovery may not bring about: files always, the page where a model will do the failed step again."""

from envelopes import a_task

from muster_protocol.kinds import Mended
from muster_subagent.agent.step_executor import telling_checks

EXPECTED = 'The text "Done" is visible and the file "a.txt" contains "x" and the output contains "y"'


def tools_for(action: str) -> list[str]:
    task = a_task(id="r.n.1", run="r", node="n", attempt=1, dispatch=1, mended=Mended(action=action, expected=EXPECTED))
    return [check.tool for check in telling_checks(task)]


def test_of_a_step_that_a_model_does_again_page_and_files_are_watched():
    assert tools_for("Get it all done somehow") == ["check_text", "check_file"]


def test_of_a_step_that_a_phrase_does_again_files_are_watched():
    assert tools_for('Click the "Save" button') == ["check_file"]


def test_of_anything_else_nothing_is_watched():
    assert telling_checks(a_task(id="r.n.1", run="r", node="n", attempt=1, dispatch=1)) == ()
