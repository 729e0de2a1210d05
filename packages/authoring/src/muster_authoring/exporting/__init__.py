"""Cases written out as Playwright tests: from what phrases read in their sentences, and from recordings of steps."""
