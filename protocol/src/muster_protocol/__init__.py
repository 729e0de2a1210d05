"""Wire types, subjects, ids and errors that Muster's services share."""

__version__ = "0.1.0"
