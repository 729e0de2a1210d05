"""How the API is described to machines: OpenAPI with examples."""
