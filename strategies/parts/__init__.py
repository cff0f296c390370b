"""What strategies of several games are built from."""
