"""Runs test cases in plain language as pytest tests."""
