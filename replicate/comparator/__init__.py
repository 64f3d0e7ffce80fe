"""How far curves lie apart, after an alignment that is stated, each number with its interval."""

from replicate.comparator.compare import Comparison, compare_curves, compare_groups, compare_tables
from replicate.comparator.groups import Group, group_series, match_series
from replicate.comparator.settings import Settings

__all__ = [
    "Comparison",
    "Group",
    "Settings",
    "compare_curves",
    "compare_groups",
    "compare_tables",
    "group_series",
    "match_series",
]
