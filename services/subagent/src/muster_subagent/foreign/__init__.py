"""Tools that MCP servers of others serve, as far as a person has accepted them."""
