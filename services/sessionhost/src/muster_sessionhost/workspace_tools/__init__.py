"""What the tools of a workspace do: a program of its own that runs in the sandbox, on the standard library alone."""
