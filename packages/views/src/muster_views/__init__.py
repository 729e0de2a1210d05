"""Folds run logs and journals into views, and renders them as HTML, JUnit XML and JSON."""
