"""Effects of a click that show in something else than a new text, and clicks on what is dead beside them."""

import pytest
from driving import User
from served import Site

_PIXEL = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect fill='{}' width='20' height='20'/></svg>"
_EFFECTS = {
    "a display shows the figure of the key": (
        "<p id=shown></p><div><button onclick=\"shown.textContent += '1'\">1</button></div>",
        "1",
    ),
    "one of two equal lines goes": (
        '<ul><li>Mug</li><li id=second>Mug</li></ul><button onclick="second.remove()">Remove</button>',
        "Remove",
    ),
    "a picture is another one": (
        f"<img id=photo alt='' src=\"{_PIXEL.format('red')}\"><button onclick=\"photo.src = photo.src.replace('red', 'blue')\">"
        "Next</button>",
        "Next",
    ),
    "an icon of another control is filled": (
        "<button aria-label=Liked><svg width=20 height=20><g id=icon></g></svg></button>"
        "<button onclick=\"icon.innerHTML = '<rect width=20 height=20 />'\">Like</button>",
        "Like",
    ),
    "a sign of work appears": (
        "<span id=busy role=status style='display: none; width: 20px; height: 20px'></span>"
        "<button onclick=\"busy.style.display = 'inline-block'\">Calculate</button>",
        "Calculate",
    ),
}
_DEAD = "<button>Dead</button>"


@pytest.mark.parametrize(("page", "name"), _EFFECTS.values(), ids=_EFFECTS)
async def test_an_effect_without_a_new_text_is_seen(do: User, site: Site, page: str, name: str) -> None:
    await do.open(site.page(page + _DEAD))
    assert (await do.ok("click", element=name, role="button")).confirmed
    assert not (await do.ok("click", element="Dead")).confirmed
