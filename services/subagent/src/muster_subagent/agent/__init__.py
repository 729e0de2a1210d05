"""A sub-agent that thinks: the loop of a model with tools, and the roles that only think."""
