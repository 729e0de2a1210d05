"""Chaos: real processes of every kind, faults at random moments, and a checker of what is stored and what was seen."""
