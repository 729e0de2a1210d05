"""The job `exploration`: its rules, over a state of its own."""
