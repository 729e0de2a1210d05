"""Web pages as a device."""
