"""The map of an app: its states, the moves in each, and the choice of the next one. Pure."""
