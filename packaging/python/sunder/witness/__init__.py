"""Runs two models in PyTorch on generated inputs and keeps inputs for which they differ (docs/python.md)."""

from .archive import Witness

__all__ = ["Witness"]
