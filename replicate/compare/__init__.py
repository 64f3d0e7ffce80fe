"""How far two curves lie apart, after an alignment that is stated."""

from replicate.compare.distances import Comparison, Settings, compare_curves
from replicate.compare.match import match_series

__all__ = ["Comparison", "Settings", "compare_curves", "match_series"]
