"""soulsync keeps the soul of an AI agent in step on every machine the agent lives on.

Nothing is imported here: git starts this package once per conflicting file.
"""

__version__ = "0.1.0"
