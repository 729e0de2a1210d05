"""The fleet: processes, queues, sessions, dead letters."""
