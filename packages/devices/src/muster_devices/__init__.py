"""Devices that tests act on: the port between tools and a device, and the adapters behind it."""
