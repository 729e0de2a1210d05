"""Wire types, subjects and bus primitives: all that Muster's services share."""

__version__ = "0.1.0"
