"""Conversations: their routes, their socket, and the calls of their agents."""
