"""One body on one machine."""
