"""The rules of evidence: what proves a clause."""
