"""The job `analysis`: its rules, over a state of its own."""
