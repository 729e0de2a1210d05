"""Interprets the texts of a case: clauses, placeholders, words, secrets, and whether a request can be run."""
