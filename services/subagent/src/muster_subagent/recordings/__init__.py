"""Recordings of steps: created from a model's calls, replayed without a model, and handed to a model when they miss."""
