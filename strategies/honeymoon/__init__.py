"""Strategies for honeymoon bridge."""
