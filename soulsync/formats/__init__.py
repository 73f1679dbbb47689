"""Text to typed values and back, one file per format. Pure, standard library only."""
