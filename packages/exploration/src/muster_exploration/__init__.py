"""The map of an app: what a state is, what can be done there, and where to go next. Pure."""
