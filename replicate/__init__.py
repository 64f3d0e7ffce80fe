"""Audit published training curves: read a figure's numbers, rerun the experiment, judge each claim."""

from replicate._version import __version__

__all__ = ["__version__"]
