"""What a client asks of a fleet: submit, steer, settle dead letters."""
