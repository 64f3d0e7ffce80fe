"""Alignment of curves, distances between them, and resampling statistics."""
