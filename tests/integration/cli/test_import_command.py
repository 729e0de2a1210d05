"""`muster import` replaces no file, of one flow by another or of somebody's own."""

from pathlib import Path

from click.testing import CliRunner

from muster_cli.cli import muster
from muster_views.outcome import PASSED, USAGE

FLOW = "appId: com.a\n---\n- back\n"


def test_two_flows_of_one_name_and_a_file_that_is_there_are_refused(tmp_path: Path) -> None:
    cases, flows = tmp_path / "cases", [tmp_path / "login.yaml", tmp_path / "guest" / "login.yaml"]
    for flow in flows:
        flow.parent.mkdir(exist_ok=True)
        flow.write_text(FLOW)
    run = CliRunner().invoke

    both = run(muster, ["import", str(flows[0]), str(flows[1]), "--output", str(cases)])
    assert (both.exit_code, "another file becomes" in both.output, cases.exists()) == (USAGE, True, False)

    assert run(muster, ["import", str(flows[0]), "--output", str(cases)]).exit_code == PASSED
    assert run(muster, ["import", str(flows[0]), "--output", str(cases)]).exit_code == PASSED
    (cases / "login.yaml").write_text("name: mine\n")
    again = run(muster, ["import", str(flows[0]), "--output", str(cases)])
    assert (again.exit_code, "is there already and differs" in again.output) == (USAGE, True)
    assert (cases / "login.yaml").read_text() == "name: mine\n"


def test_a_file_of_another_tool_is_told_what_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("a,b\n")
    told = CliRunner().invoke(muster, ["import", str(file)])
    assert (told.exit_code, "only Maestro flows (.yaml) and journeys" in told.output) == (USAGE, True)
