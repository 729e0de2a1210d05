"""Fixed workflows, in which only other agents ask models."""
