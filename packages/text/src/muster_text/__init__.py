"""What the texts of a case mean: clauses, placeholders, words, secrets, and whether a request can be run."""
