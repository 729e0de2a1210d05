"""The job `test_case`: its rules, over a state of its own."""
