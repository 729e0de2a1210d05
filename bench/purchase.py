"""The purchase of `examples/cases/01-buy-a-backpack.yaml` as one would write it by hand with Playwright."""

import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, expect


@asynccontextmanager
async def recorded_page(browser: Browser, folder: Path) -> AsyncGenerator[Page]:
    """Open a page in a context that records what a session records: trace and HAR."""
    context = await browser.new_context(
        accept_downloads=True, viewport={"width": 1280, "height": 800}, record_har_path=folder / "session.har.zip"
    )
    await context.tracing.start(screenshots=True, snapshots=True)
    yield await context.new_page()
    await context.tracing.stop(path=folder / "trace.zip")
    await context.close()


async def purchase(page: Page, base_url: str, password: str) -> str:
    """Walk through the case, step by step with the same expectations, and return the order number."""
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "delivery-note.txt"
        note.write_text("Leave it with the neighbour")
        await _log_in(page, base_url, password)
        await _fill_the_cart(page)
        await _check_out(page, note)
        return await _find_the_order(page)


async def _log_in(page: Page, base_url: str, password: str) -> None:
    await page.goto(f"{base_url}/login")
    await expect(page).to_have_title("Demo shop")
    await expect(page.get_by_role("button", name="Log in")).to_be_enabled()
    await page.get_by_label("User name").fill("tester")
    await page.get_by_label("Password").fill(password)
    await expect(page.get_by_label("User name")).to_have_value("tester")
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_text("Hello, tester")).to_be_visible()
    await expect(page.get_by_role("button", name="Add to cart")).to_have_count(6)


async def _fill_the_cart(page: Page) -> None:
    await page.get_by_label("Search products").fill("Backpack")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_text("1 product found")).to_be_visible()
    await expect(page.get_by_text("Onesie")).not_to_be_visible()
    await page.get_by_role("button", name="Add to cart").click()
    await expect(page.get_by_text("Backpack was added to your cart.")).to_be_visible()
    await page.get_by_label("Category").select_option("Lights")
    await page.get_by_role("link", name="Bike light").click()
    await page.get_by_role("button", name="Add to cart").click()
    await expect(page.get_by_text("Bike light was added to your cart.")).to_be_visible()
    await page.get_by_role("link", name="Cart", exact=True).click()
    await expect(page).to_have_title("Cart - Demo shop")
    await expect(page.get_by_text("Total: $39.98")).to_be_visible()
    async with page.expect_event("dialog") as opened:
        page.once("dialog", lambda dialog: dialog.accept())
        await page.get_by_role("link", name="Remove Bike light").click()
    assert (await opened.value).message == "Remove Bike light from the cart?"
    await expect(page.get_by_text("Bike light was removed from your cart.")).to_be_visible()
    await page.get_by_label("Quantity of Backpack").select_option("2")
    await expect(page.get_by_label("Quantity of Backpack")).to_have_value("2")
    await expect(page.get_by_text("Total: $59.98")).to_be_visible()


async def _check_out(page: Page, note: Path) -> None:
    await page.get_by_role("link", name="Check out").click()
    await expect(page.get_by_role("button", name="Continue to review")).to_be_disabled()
    await page.get_by_label("Full name").fill("Ada Example")
    await page.get_by_label("E-mail").fill("ada@example.com")
    await expect(page.get_by_label("Full name")).to_have_value("Ada Example")
    await expect(page.get_by_label("E-mail")).to_have_value("ada@example.com")
    await page.get_by_label("Express").check()
    await expect(page.get_by_label("Express")).to_be_checked()
    await page.get_by_label("Delivery note").set_input_files(note)
    await page.get_by_label("Remarks").fill("Please ring twice")
    await expect(page.get_by_label("Remarks")).to_have_value("Please ring twice")
    await page.get_by_label("I accept the terms").check()
    await expect(page.get_by_role("button", name="Continue to review")).to_be_enabled()
    await page.get_by_role("button", name="Continue to review").click()
    await expect(page.get_by_text("delivery-note.txt")).to_be_visible()
    await expect(page.get_by_text("Total: $64.97")).to_be_visible()
    await page.get_by_role("button", name="Place order").click()
    await expect(page).to_have_title("Order placed - Demo shop")
    await expect(page.get_by_text("Thank you, Ada Example!")).to_be_visible()


async def _find_the_order(page: Page) -> str:
    order = await page.locator("dt:has-text('Order number') + dd").inner_text()
    await page.get_by_role("link", name="Orders", exact=True).click()
    await page.get_by_label("Search orders").fill(order)
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_text(order)).to_be_visible()
    await expect(page.get_by_text("Received")).to_be_visible()
    await page.get_by_role("link", name=order).click()
    await expect(page).to_have_title(f"Order {order} - Demo shop")
    await expect(page.get_by_text("delivery-note.txt")).to_be_visible()
    return order
