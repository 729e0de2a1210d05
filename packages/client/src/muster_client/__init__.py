"""Client of a fleet: submits requests, controls runs, settles dead letters."""
