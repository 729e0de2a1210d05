"""Work that is laid down step by step, in which only other agents ask models."""
