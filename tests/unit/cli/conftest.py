"""What tests of the command line share."""

from cli_jobs import make_job

__all__ = ["make_job"]
