"""The port between tools and devices, and the adapters behind it."""
