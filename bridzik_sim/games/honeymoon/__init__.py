"""Honeymoon (marriage) bridge."""
