"""The job `conversation`: its rules, over a state of its own."""
