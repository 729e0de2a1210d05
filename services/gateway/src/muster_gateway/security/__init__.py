"""Access control: keys, roles, logins, limits, and the audit log."""
