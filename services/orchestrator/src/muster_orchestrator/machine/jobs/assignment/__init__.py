"""The job `assignment`: its rules, over a state of its own."""
