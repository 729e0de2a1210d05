"""YAML that strangers write, read within bounds. Import from its modules."""
