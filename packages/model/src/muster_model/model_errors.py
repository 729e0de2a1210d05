"""The errors of calls to models; each message says what to do."""


class ModelError(Exception):
    """The endpoint gave no usable answer."""


class ModelUnusable(ModelError):
    """The key, the model's name or the address is wrong, so a retry cannot succeed."""


class ContextFull(ModelError):
    """The request is longer than the model's context."""


class RequestRefused(Exception):
    """The server rejects the request; it may accept one with fewer parameters."""

    def __init__(self, message: str, error: ModelError, parameter: str) -> None:
        super().__init__(message)
        self.message, self.error = message, error
        """The server's message; the error to raise if no parameter can be omitted."""
        self.parameter = parameter
        """The parameter that the server names apart from its message; empty: none."""
