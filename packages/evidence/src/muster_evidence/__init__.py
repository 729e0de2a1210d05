"""What proves a clause, and what only looks like a proof."""
