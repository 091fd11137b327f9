"""The version of the package, that of Sunder."""

__version__ = "0.1.0"
