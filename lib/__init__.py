"""Bias, Measured: the helper package behind the chapters."""

__version__ = "0.2.0.dev0"
