"""A report full of attacks in a real browser: nothing runs."""

from pathlib import Path

from playwright.async_api import Page

from attacks import EVERYTHING, NAMES, RUN, evil, pages
from muster_views.html import build_page, render_run
from muster_views.material import StoredFile, artifact_paths, content_type


async def test_nothing_runs_in_a_real_browser_and_the_text_is_there_to_be_read(browser_page: Page, tmp_path: Path):
    types = {name: "image/png" for name in NAMES}
    files = tuple(StoredFile(n, p, 1, content_type(n, types)) for n, p in artifact_paths(NAMES, RUN).items())
    run, index = pages(EVERYTHING, files)
    errors: list[str] = []
    browser_page.on("dialog", lambda dialog: errors.append(dialog.message))
    browser_page.on("pageerror", lambda error: errors.append(str(error)))
    for name, html in (("run.html", run), ("index.html", index)):
        (tmp_path / name).write_text(html)
        await browser_page.goto((tmp_path / name).as_uri())
        await browser_page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        await browser_page.locator("body").hover()
        assert await browser_page.evaluate("window.hacked") is None
        assert "<script>window.hacked = 1</script>" in await browser_page.inner_text("body")
    assert errors == []


async def test_the_content_policy_stops_what_would_get_past_the_escaping(browser_page: Page, tmp_path: Path):
    hole = "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
    html = render_run(build_page(evil("harmless"))).replace("</main>", f"{hole}</main>")
    (tmp_path / "run.html").write_text(html)
    await browser_page.goto((tmp_path / "run.html").as_uri())
    assert await browser_page.locator("img[onerror]").count() == 1
    assert await browser_page.evaluate("window.hacked") is None
    await browser_page.click("text=Open all")
    assert await browser_page.locator("#steps details:not([open])").count() == 0
