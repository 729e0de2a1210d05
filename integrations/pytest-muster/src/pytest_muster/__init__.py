"""Test cases in plain language as tests of pytest."""
