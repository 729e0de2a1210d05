"""Editors that nothing names: a heading stands for their label, over a bar of buttons; some of them draw by themselves."""

from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure

BAR = "<div><button>Bold</button><button>Link</button></div>"
RICH = f"<h3>Comment</h3><div>{BAR}<div><div contenteditable style='min-height:40px'></div></div></div><h3>Next</h3><input>"
TWO = f"<h3>Comment</h3>{BAR}<div contenteditable>a</div><div contenteditable>b</div>"
OWN = """<h3>Script</h3><div id=e tabindex=0 role=textbox style="height:40px;width:200px;border:1px solid"></div><p id=drawn></p><script>
const text = new EditContext(); e.editContext = text; let all = false;
e.onkeydown = event => { if (event.key === 'a' && event.ctrlKey) all = true;
  if (event.key === 'Delete' && all) { text.updateText(0, text.text.length, ''); drawn.textContent = ''; } };
text.ontextupdate = () => drawn.textContent = text.text;</script>"""


async def _does(user: User, sentence: str) -> None:
    [call] = parse_action(sentence)
    await user.ok(call.tool, **call.arguments)


async def _denies(user: User, sentence: str) -> Failure | None:
    [call] = parse_expectation(sentence)
    return (await user.bad(call.tool, **call.arguments)).failure


async def test_the_only_editor_below_a_heading_is_called_so(do: User, site: Site) -> None:
    await do.open(site.page(RICH))
    await _does(do, 'Type "Hello" into the "Comment" field')
    assert await do.script("document.querySelector('[contenteditable]').textContent") == "Hello"
    [call] = parse_expectation('The "Comment" field is "Hello"')
    await do.ok(call.tool, **call.arguments)
    assert await _denies(do, 'The "Comment" field is empty') == Failure.EXPECTATION_FALSE


async def test_one_of_two_editors_is_not_guessed(do: User, site: Site) -> None:
    await do.open(site.page(TWO))
    [call] = parse_action('Type "Hello" into the "Comment" field')
    assert (await do.bad(call.tool, **call.arguments)).failure == Failure.TARGET_UNCLEAR


async def test_an_editor_that_draws_by_itself_is_typed_into_and_not_judged(do: User, site: Site) -> None:
    await do.open(site.page(OWN))
    for text in ("print(1)", "print(2)"):
        await _does(do, f'Type "{text}" into the "Script" field')
        assert await do.script("drawn.textContent") == text
    for claim in ('The "Script" field is "x"', 'The "Script" field is empty', 'The "Script" field is not "x"'):
        assert await _denies(do, claim) == Failure.NO_EVIDENCE
