"""Devices that tests act on."""
