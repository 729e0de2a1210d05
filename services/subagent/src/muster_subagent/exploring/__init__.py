"""Tours of explorations: walking to a state, trying what can be done there, and telling what was seen."""
