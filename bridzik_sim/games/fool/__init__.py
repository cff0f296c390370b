"""Czech Fool."""
