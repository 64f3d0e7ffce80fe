"""The predicates: what a claim about training curves can mean, each a pure function of curves.

``PREDICATES`` lists them by name; a sheet's ``kind`` is one of these names.
"""

from replicate.claims import ends, order, shape, speed, values
from replicate.claims.registry import PREDICATES, Line, Outcome, Predicate, Scale

__all__ = ["PREDICATES", "Line", "Outcome", "Predicate", "Scale", "ends", "order", "shape", "speed", "values"]
