"""Common to the runs of all jobs: nodes, retries, sessions, waiting, budgets and ends."""
