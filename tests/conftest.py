"""What all tests share: how hypothesis looks for examples. The same ones each time, unless asked to explore."""

from hypothesis import settings

settings.register_profile("muster", deadline=None, derandomize=True, max_examples=60, print_blob=True)
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile("muster")
