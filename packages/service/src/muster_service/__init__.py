"""The base of every process: settings, logs, metrics, health and traces."""
