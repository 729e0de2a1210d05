"""Sub-agent workers and session hosts."""
