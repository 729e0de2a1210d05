"""Elements are called what the specification of accessible names says, and are found by that."""

import pytest
from accessible_names import NAMES, Named
from driving import User
from sampling import mostly_slow
from served import Site

USABLE = "document.getElementById('x').matches('a,button,input:not([type=checkbox]),summary')"


@pytest.mark.parametrize("case", mostly_slow(NAMES, 6), ids=lambda case: case.about)
async def test_an_element_has_the_name_of_the_specification_and_is_found_by_it(
    look: User, site: Site, case: Named
) -> None:
    await look.open(site.page(case.body))
    assert await look.script("__muster.facts(document.getElementById('x')).name") == case.name
    if not await look.script(USABLE):
        return
    await look.script("x.addEventListener('click', (event) => { event.preventDefault(); document.title = 'clicked' })")
    await look.ok("click", element=case.name)
    assert await look.script("document.title") == "clicked"
