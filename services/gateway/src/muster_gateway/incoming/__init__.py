"""Events that outside systems post: who sent them, and what they say."""
