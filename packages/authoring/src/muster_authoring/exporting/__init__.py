"""Exports cases as Playwright tests, from the phrases of their sentences and from recordings of steps."""
