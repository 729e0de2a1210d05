"""Why a model gave no answer that can be used; each error says what to do."""


class ModelError(Exception):
    """The endpoint does not answer, or not in a way that can be used; says what to do."""


class ModelUnusable(ModelError):
    """Asking again is no use: the key, the model's name or the address is wrong."""


class ContextFull(ModelError):
    """The question is longer than the model takes."""


class RequestRefused(Exception):
    """The server refuses the request as it stands; it may take one with fewer parameters."""

    def __init__(self, said: str, meaning: ModelError) -> None:
        super().__init__(said)
        self.said, self.meaning = said, meaning
        """What the server said; what to raise if nothing can be left out."""
