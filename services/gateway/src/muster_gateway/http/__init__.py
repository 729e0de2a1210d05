"""The server itself: connections, headers, and what surrounds every request."""
