"""Who may ask, and how much: keys, roles, logins, limits, and the audit log."""
