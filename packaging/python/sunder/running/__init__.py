"""Runs parts against the whole model, and measures them."""
