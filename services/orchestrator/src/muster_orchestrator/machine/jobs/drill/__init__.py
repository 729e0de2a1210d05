"""The job `drill`: its rules, over a state of its own."""
