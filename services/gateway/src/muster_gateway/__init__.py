"""The gateway: HTTP and WebSocket access to runs and their logs."""
