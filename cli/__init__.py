"""The command line: one file a command; ``main`` finds them."""
