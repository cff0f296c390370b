"""Strategies for Wizard."""
