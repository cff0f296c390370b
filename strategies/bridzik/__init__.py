"""Strategies for Bridžik."""
