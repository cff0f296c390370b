"""Strategies for Czech Fool."""
