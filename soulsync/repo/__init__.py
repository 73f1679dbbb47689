"""One soul repository on disk."""
