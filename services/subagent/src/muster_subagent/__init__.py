"""Sub-agent workers."""
