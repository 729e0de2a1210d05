"""Who may ask, and how much: keys, roles, logins, limits, and what is written down of it."""
