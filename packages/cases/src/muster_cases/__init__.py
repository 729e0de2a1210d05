"""Test cases as people write them: YAML, Gherkin and Markdown."""
