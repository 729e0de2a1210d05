"""Verdicts told over HTTP."""
