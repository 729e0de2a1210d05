"""The orchestrator: claims runs, decides what is next, dispatches sub-tasks."""
