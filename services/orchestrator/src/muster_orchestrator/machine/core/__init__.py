"""What every run has, whatever its job: nodes, retries, sessions, waiting, budgets, and the ends of all jobs."""
