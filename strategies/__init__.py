"""Built-in strategies: one sub-package a game, one file a strategy."""
