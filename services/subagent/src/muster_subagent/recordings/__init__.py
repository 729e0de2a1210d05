"""Recordings of steps: made of what a model did, replayed without one, and handed over to one where they miss."""
