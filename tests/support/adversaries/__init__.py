"""Cases in which a model or a product lies, each with a twin in which nobody does."""

from adversaries.scenes import Adversary, all_adversaries

__all__ = ["Adversary", "all_adversaries"]
