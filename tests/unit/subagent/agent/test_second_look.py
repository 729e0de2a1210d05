"""Doubts of an analyzer stand only with words of the material."""

from muster_protocol.analyses import AnalyseOutput
from muster_subagent.kind_work.analyse_work import Doubt, SecondLook, question, read_look

MATERIAL = {"run": "verdict: pass", "evidence": 'proven: "Total" is "$59.98"\n  check_text seen "$59.98 from $29.99"'}


def test_doubts_with_a_quote_are_kept_and_invented_ones_counted():
    seen = Doubt(text="The text shows two prices", quote='seen  "$59.98 from $29.99"', source="evidence")
    invented = Doubt(text="The page was another", quote="404 Not Found", source="network")
    empty = Doubt(text="Just a feeling", quote=" ", source="")

    answer = read_look(MATERIAL, SecondLook(summary="It passed.", doubts=[seen, invented, empty]))

    assert isinstance(answer.output, AnalyseOutput)
    assert [it.text for it in answer.output.doubts] == ["The text shows two prices"]
    assert (answer.output.left_out, answer.summary) == (2, "It passed.")


def test_the_material_is_shown_as_data_under_its_titles():
    assert question(MATERIAL).startswith("# run (data)\nverdict: pass\n\n# evidence (data)\n")
