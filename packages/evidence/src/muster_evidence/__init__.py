"""The rules of evidence: what proves a clause, and what only seems to."""
