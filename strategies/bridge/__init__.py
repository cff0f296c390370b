"""Strategies of contract bridge."""
