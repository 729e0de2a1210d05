"""Says why a text file that somebody has named cannot be read."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE


def why_unreadable(error: OSError | UnicodeError) -> str:
    """Return why a file cannot be read as text and what mends that, without the file's name or content. Pure."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    if not isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text: save it as UTF-8"
    if error.object.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "it is UTF-16 text: save it as UTF-8"
    line = error.object.count(b"\n", 0, error.start) + 1
    return f"line {line} is not UTF-8 text (byte 0x{error.object[error.start]:02x}): save the file as UTF-8"
