"""Errors of a machine that has run out of something: disk, files, memory."""

import errno

EXHAUSTED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS, errno.EIO})
"""Errors of the machine, not of whoever asked for a file."""
