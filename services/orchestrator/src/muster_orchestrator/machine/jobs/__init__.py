"""The jobs, a folder each: its state, and its rules in `<job>_rules.py`."""
