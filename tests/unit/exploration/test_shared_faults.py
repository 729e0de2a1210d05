"""A fault of what pages share is told once, with the pages on which it shows; one of a page's own stays its own."""

from muster_exploration.app_map import AppMap, finding_key
from muster_exploration.map_changes import changes_between
from muster_exploration.map_digest import digest_of
from muster_exploration.map_merging import Tried, merge
from muster_protocol.explorations import Finding, Sighting
from muster_protocol.kinds import ExploreOutput

HOST = "http://a.test"


def fault(page: str, *elements: str, rule: str = "label") -> Finding:
    text = f"{rule}: broken ({len(elements)} elements, the first {next(iter(elements), '')})"
    return Finding(kind="access", rule=rule, text=text, state=page, address=f"{HOST}/{page}", elements=elements)


def explored(*faults: Finding) -> AppMap:
    tours: list[Tried] = []
    for one in faults:
        seen = Sighting(id=one.state, kin=one.state, exact=one.state, address=one.address)
        tours.append(Tried(-1, (), ExploreOutput(start=seen.id, seen=(seen,), findings=(one,))))
    return merge(AppMap(), tours)


def test_a_page_on_which_only_known_elements_break_a_rule_is_counted_and_one_with_an_own_is_told() -> None:
    known = explored(
        fault("home", "logo"), fault("about", "logo"), fault("cart", "logo", "photo"), fault("about", "logo")
    )
    told = [(one.pages, one.times, one.elements) for one in known.findings]
    assert told == [(2, 3, ("logo",)), (1, 1, ("logo", "photo"))]
    assert known.findings[0].elsewhere == (finding_key(explored(fault("about", "logo")).findings[0])[2],)


def test_the_elements_of_several_findings_together_explain_a_page() -> None:
    known = explored(fault("home", "logo"), fault("list", "foot", "menu"), fault("cart", "logo", "foot", "menu"))
    assert [one.pages for one in known.findings] == [1, 2], "it counts for that with which it has most in common"


def test_other_rules_and_elements_that_nobody_told_apart_are_findings_of_their_own() -> None:
    known = explored(fault("home", "logo"), fault("about", "logo", rule="alt"), fault("cart"), fault("list"))
    assert [one.pages for one in known.findings] == [1, 1, 1, 1]


def test_where_a_shared_fault_was_seen_first_makes_no_other_map() -> None:
    one = explored(fault("home", "logo"), fault("about", "logo"))
    other = explored(fault("about", "logo"), fault("home", "logo"))
    assert one.findings[0].address != other.findings[0].address
    changes = changes_between(one, other)
    assert (changes.new_findings, changes.mended) == ((), ())
    assert digest_of(one) == digest_of(other)


def test_a_shared_fault_is_mended_only_once_it_is_gone_from_all_pages() -> None:
    before = explored(fault("home", "logo"), fault("about", "logo"))
    half, whole = explored(fault("about", "logo")), explored(fault("about", "other", rule="alt"))
    assert changes_between(before, half).mended == ()
    assert changes_between(before, whole).mended == before.findings
