"""Tools of foreign MCP servers that a person has accepted."""
