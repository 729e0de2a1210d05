"""Webhooks: verdicts sent over HTTP."""
