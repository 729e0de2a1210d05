"""One sub-task of a run: its attempts, calls and evidence."""
