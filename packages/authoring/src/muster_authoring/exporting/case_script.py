"""Turns a case into a script: each sentence by its phrase or its recording; what has neither is listed as left out.
Pure."""

from collections.abc import Sequence

from muster_authoring.exporting.action_lines import say_action
from muster_authoring.exporting.check_lines import say_check
from muster_authoring.exporting.given_arguments import CannotSay, Given
from muster_authoring.exporting.recorded_calls import call_of, find_recording, recorded_acts, recorded_checks
from muster_authoring.exporting.script_parts import PAGE, Claim, Do, Keep, Note, Script, Statement, Unsaid, helper
from muster_authoring.exporting.script_words import secret_variable, spelt_alike
from muster_cases.case_fields import LoadedCase
from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_protocol.requests import Step
from muster_protocol.step_recordings import StepRecording
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import split_clauses
from muster_text.text_match import squash
from muster_text.values import placeholder_names, secret_names

_UNREAD = "no phrase reads it, and there is no recording of it"
_UNPROVEN = "no phrase reads it, and no check of it was recorded"


def script_of(loaded: LoadedCase, recordings: Sequence[StepRecording]) -> Script:
    """Return a case as a script; what cannot be said in one is in its place as `Unsaid`."""
    case = loaded.test_case
    writer = _Writer(recordings)
    if case.device is not None and case.device.kind not in ("web", "none"):
        writer.leave(loaded.line, f"device: {case.device.kind}", "only web pages and commands can be exported")
    if case.on_fail != "stop":
        writer.leave(loaded.line, f"on_fail: {case.on_fail}", "a script stops at its first fail")
    for text in case.preconditions:
        writer.precondition(loaded.line, text)
    for number, step in enumerate(case.steps):
        line = loaded.step_lines[number] if number < len(loaded.step_lines) else loaded.line
        writer.step(number + 1, step, line, case.steps[0].session)
    if writer.typed:
        writer.leave(loaded.line, f"{writer.typed!r} in the prompt", "no step accepts or dismisses it")
    texts = "\n".join(case.texts)
    for several in _spelt_alike(texts):
        writer.leave(loaded.line, " and ".join(several), "a script has one name for them: rename one")
    return Script(
        name=case.name,
        variables={name: case.variables.get(name) for name in placeholder_names(texts) if name not in writer.captured},
        secrets=tuple(dict.fromkeys(secret_names(texts))),
        statements=tuple(writer.said),
    )


def _spelt_alike(text: str) -> list[list[str]]:
    """Return the placeholders of a text that a script would take for the same one."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(placeholder_names(text)):
        found.setdefault(spelt_alike(name), []).append(f"${{{name}}}")
    for name in dict.fromkeys(secret_names(text)):
        found.setdefault(spelt_alike(secret_variable(name)), []).append(f"${{secret:{name}}}")
    return [names for names in found.values() if len(names) > 1]


class _Writer:
    """Writes the statements of one script."""

    def __init__(self, recordings: Sequence[StepRecording]) -> None:
        self.said: list[Statement] = []
        self._recordings = recordings
        self._used: set[str] = set()
        """Names of values in the steps before."""
        self._ran = False
        """Whether a command was run."""
        self.typed = ""
        """What is typed into a prompt that is not answered yet."""
        self.captured: set[str] = set()
        """Names of values that the case itself makes or remembers."""

    def leave(self, line: int, what: str, why: str) -> None:
        """Name what is not said."""
        self.said.append(Unsaid(line, squash(what), why))

    def precondition(self, line: int, text: str) -> None:
        """Write what is to be so before the first step."""
        begun = len(self.said)
        self.said.append(Note(squash(text)))
        try:
            calls = parse_precondition(text)
        except PhraseError:
            self.leave(line, text, _UNREAD)
            return
        for call in calls:
            self._call(line, text, call)
        self.said += _answers_to(self.said[begun:])

    def step(self, number: int, step: Step, line: int, session: str) -> None:
        """Write a step and what is expected of it."""
        self.said.append(Note(f"{number}. {squash(step.action)}"))
        if step.session != session:
            self.leave(line, step.action, f"it is of another session ({step.session}), and a script has one page")
            return
        if step.on_fail not in ("", "stop"):
            self.leave(line, step.action, f"on_fail: {step.on_fail}: a script stops at its first fail")
        recording, begun = find_recording(step, self._recordings), len(self.said)
        self._action(line, step.action, recording)
        if step.expected.strip():
            self.said.append(Note(f"-> {squash(step.expected)}"))
            begun = len(self.said)
            self._expectation(line, step.expected, recording)
            self.said[begun:] = sorted(self.said[begun:], key=_says_absent)
        self._used.update(placeholder_names(f"{step.action}\n{step.expected}"))
        self.said += _answers_to(self.said[begun:])

    def _action(self, line: int, text: str, recording: StepRecording | None) -> None:
        try:
            calls = parse_action(text)
        except PhraseError:
            if recording is None:
                self.leave(line, text, _UNREAD)
                return
            for recorded in recorded_acts(recording):
                self._call(line, text, call_of(recorded), optional=recorded.optional)
            return
        for call in calls:
            self._call(line, text, call)

    def _expectation(self, line: int, text: str, recording: StepRecording | None) -> None:
        try:
            checks = parse_expectation(text)
        except PhraseError:
            clauses = split_clauses(text)
            for clause in clauses if len(clauses) > 1 else ():
                self._expectation(line, clause, recording)
            if len(clauses) <= 1:
                self._recorded_checks(line, text, recording)
            return
        for check in checks:
            self._call(line, text, check)

    def _recorded_checks(self, line: int, clause: str, recording: StepRecording | None) -> None:
        checks = recorded_checks(recording, clause) if recording else ()
        for check in checks:
            self._call(line, clause, check)
        if not checks:
            self.leave(line, clause, _UNPROVEN)

    def _call(self, line: int, text: str, call: ToolCall, *, optional: bool = False) -> None:
        pressed = str(call.arguments.get("element", "")).lower() if call.tool == "click" and self.typed else ""
        if pressed in ("ok", "cancel"):  # of the prompt that is typed into
            call = ToolCall(tool="dialog", arguments={"accept": pressed == "ok"}, clause=call.clause)
        given = Given(call.arguments)
        if call.tool in ("remember", "make_value"):
            self._capture(line, str(call.arguments["name"]))
        try:
            if call.tool == "dialog":
                self._answer(given)
                given.finish()
                return
            if call.tool == "check_dialog":
                self._hear()
            self._require_command(call.tool)
            action = say_action(call.tool, given)
            statements = say_check(call.tool, given) if action is None else (action,)
            given.finish()
            for statement in statements or (None,):
                self._add(statement, call, optional=optional)
        except CannotSay as error:
            self.leave(line, call.clause or text, f"{call.tool}: {error}")

    def _require_command(self, tool: str) -> None:
        """Raise `CannotSay` if a check is about a command and none was run: that of another test would count."""
        self._ran = self._ran or tool == "execute_command"
        if tool in ("check_exit_code", "check_output") and not self._ran:
            raise CannotSay("no step before it runs a command")

    def _capture(self, line: int, name: str) -> None:
        if name in self._used - self.captured:
            self.leave(line, f"${{{name}}}", "a step before this one uses it")
        self.captured.add(name)

    def _add(self, statement: Statement | None, call: ToolCall, *, optional: bool) -> None:
        """Add a statement; raises `CannotSay` if there is none for the call."""
        if statement is None:
            raise CannotSay("the tool has no counterpart")
        if optional:
            assert isinstance(statement, Do), "what may be absent is a click"
            target = statement.chain._replace(calls=statement.chain.calls[:-1])
            statement = Do(helper("dismiss_if_shown", PAGE, target), acts=False)
        if call.tool in ("check_response", "check_response_text"):
            self._keep_response()
        self.said.append(statement)

    def _answer(self, given: Given) -> None:
        """Write how a dialog is answered before the act that opens it, since nobody can do it later."""
        accept, text = given.flag("accept"), given.text("text")
        if text and not accept:
            self.typed = text
            return
        text, self.typed = text or self.typed if accept else "", ""
        acts = [at for at, one in enumerate(self.said) if isinstance(one, Do) and one.acts]
        if not acts:
            raise CannotSay("nothing was done that opens a dialog")
        answer = helper("answer_next_dialog", PAGE, accept, *([text] if text else []))
        self.said.insert(acts[-1], Do(answer, acts=False))

    def _hear(self) -> None:
        """Have the dialog of the last act heard and dismissed, if no step answers it: an earlier one would count."""
        acts = [at for at, one in enumerate(self.said) if isinstance(one, Do) and one.acts]
        before = self.said[acts[-1] - 1] if acts and acts[-1] else None
        if not (isinstance(before, Do) and before.chain.calls[0].name == "answer_next_dialog"):
            self._answer(Given({}))

    def _keep_response(self) -> None:
        """Keep the answer that a check is about: of a request, or of the page that was opened last."""
        gave = [at for at, one in enumerate(self.said) if isinstance(one, Keep) or (isinstance(one, Do) and one.acts)]
        last = self.said[gave[-1]] if gave else None
        if isinstance(last, Keep) and last.name == "response":
            return
        if not isinstance(last, Do) or last.chain.root != "page" or last.chain.calls[0].name != "goto":
            raise CannotSay("the answer of the page is known only right after it is opened")
        self.said[gave[-1]] = Keep("response", last.chain)


_GONE = {"goto": 400, "go_back": 400, "go_forward": 400, "reload": 400, "click": 500, "dblclick": 500, "press": 500}
"""From which status up an act has led nowhere, where its step expects nothing else."""


def _answers_to(said: Sequence[Statement]) -> list[Statement]:
    """Return what the page must have answered for the claims of a step, or else for its last act, to stand: an error
    page of a server may have any title and address, and nothing is missing from a page that is not there."""
    claims = [one for one in said if isinstance(one, Claim) or (isinstance(one, Do) and not one.acts)]
    if any(map(_says_absent, claims)):
        return [Do(helper("expect_answer", PAGE, 500, 404, 410), acts=False)]
    if claims:
        placed = any(isinstance(one, Claim) and one.subject == PAGE for one in claims)
        return [Do(helper("expect_answer", PAGE, 500), acts=False)] if placed else []
    last = said[-1] if said else None
    wrong = _GONE.get(last.chain.calls[-1].name) if isinstance(last, Do) else None
    return [Do(helper("expect_answer", PAGE, wrong), acts=False)] if wrong else []


def _says_absent(statement: Statement) -> bool:
    """Return whether a statement holds at once on a page that is not there yet; such ones come after the others."""
    if isinstance(statement, Do):
        return statement.chain.calls[0].name == "expect_no_text"
    return isinstance(statement, Claim) and (statement.denied or statement.matcher.arguments == (0,))
