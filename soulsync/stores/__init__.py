"""Memory stores of other programs on disk: finding, reading and writing them, one package per format."""
