"""Log lines on their way to clients: one run's, or those of many."""
