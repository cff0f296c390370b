"""Wizard: 60 cards, three to six players, exact bids, a trump turned up, wizards and jesters."""
