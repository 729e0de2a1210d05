"""Events that outside systems post: their senders, and their contents."""
