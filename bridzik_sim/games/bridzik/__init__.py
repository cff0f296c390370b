"""Bridžik: 32 cards, four players, exact bids, hearts always trump."""
