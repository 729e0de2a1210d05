"""Devices that a session host drives itself: the worker half asks it over a connection of its own."""
