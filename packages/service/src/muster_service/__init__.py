"""What every process has: settings, logs, metrics, health and traces."""
