"""Lists of runs and suites, kept up to date."""
