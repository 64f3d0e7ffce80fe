"""Curves: the one currency between the stages, and the table they are written to.

The table (CSV, tidy) has the columns ``panel,series,x,y,y_lo,y_hi,observed``; curves of a rerun add
``arm,seed,split``. Rows are sorted by panel, series and x.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicate.errors import InputError
from replicate.files import write_atomic

if TYPE_CHECKING:
    import pandas as pd

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

COLUMNS = ("panel", "series", "x", "y", "y_lo", "y_hi", "observed")
RUN_COLUMNS = ("arm", "seed", "split")
BOUND_SUFFIXES = (" (lower)", " (upper)")


class Reading(NamedTuple):
    """A value read off a curve, with the bounds of the reading; NaN outside the curve's range."""

    value: float
    lo: float
    hi: float


class Run(NamedTuple):
    """Which run a curve comes from: the experiment's arm, its seed, and the data split of the loss."""

    arm: str
    seed: int
    split: str


@dataclass(frozen=True, eq=False)
class Curve:
    """One series: y against x in data units, sorted by x.

    Attributes:
        name: The series' name (the legend's text, else the colour's name).
        x: (n,) float64, ascending.
        y: (n,) float64.
        y_lo: (n,) float64, lower bound of the reading; at most y.
        y_hi: (n,) float64, upper bound of the reading; at least y.
        observed: (n,) bool, False where the value was interpolated.
        panel: Which panel of the figure, from 0 in reading order.
        run: The run it comes from, or None for a published curve.
    """

    name: str
    x: FloatArray
    y: FloatArray
    y_lo: FloatArray
    y_hi: FloatArray
    observed: BoolArray
    panel: int = 0
    run: Run | None = None

    @classmethod
    def from_points(
        cls,
        name: str,
        x: ArrayLike,
        y: ArrayLike,
        y_lo: ArrayLike | None = None,
        y_hi: ArrayLike | None = None,
        observed: ArrayLike | None = None,
        *,
        panel: int = 0,
        run: Run | None = None,
    ) -> Curve:
        """Build a curve from any sequences: sorted by x, bounds default to y, observed to True.

        Raises:
            ValueError: The sequences differ in length.
        """
        xs = np.asarray(x, dtype=np.float64)
        ys = np.asarray(y, dtype=np.float64)
        lo = ys if y_lo is None else np.minimum(np.asarray(y_lo, dtype=np.float64), ys)
        hi = ys if y_hi is None else np.maximum(np.asarray(y_hi, dtype=np.float64), ys)
        seen = np.ones(xs.shape, bool) if observed is None else np.asarray(observed, dtype=bool)
        if not xs.shape == ys.shape == lo.shape == hi.shape == seen.shape or xs.ndim != 1:
            raise ValueError(f"curve {name!r}: x, y, bounds and observed must be of one length")
        order = np.argsort(xs, kind="stable")
        return cls(name, xs[order], ys[order], lo[order], hi[order], seen[order], panel, run)

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.x)

    def __repr__(self) -> str:
        """Return the curve in a few words."""
        return f"Curve({self.name!r}, {len(self)} points)"

    def y_at(self, x: float) -> Reading:
        """Return the linearly interpolated value at x and its bounds; NaN outside the curve's range."""
        if not len(self) or not self.x[0] <= x <= self.x[-1]:
            return Reading(math.nan, math.nan, math.nan)
        value, lo, hi = (float(np.interp(x, self.x, v)) for v in (self.y, self.y_lo, self.y_hi))
        return Reading(value, lo, hi)

    @property
    def is_bound(self) -> bool:
        """Whether this is the edge of a band or the end of error bars rather than a curve."""
        return self.name.endswith(BOUND_SUFFIXES)


@dataclass(frozen=True, eq=False)
class CurveSet(Mapping[str, Curve]):
    """Curves by name. A name that occurs more than once gets its panel and run as a suffix.

    Attributes:
        curves: The curves in the order of the table: panel, series, run.
    """

    curves: tuple[Curve, ...] = ()

    def __getitem__(self, name: str) -> Curve:
        """Return the curve of that name.

        Raises:
            KeyError: No curve, or more than one, has that name; the message lists the names there are.
        """
        found = self._index().get(name)
        if found is None:
            raise KeyError(f"no curve {name!r}; there are: {', '.join(self._index())}")
        return found

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._index())

    def __len__(self) -> int:
        """Return the number of curves."""
        return len(self.curves)

    def _index(self) -> dict[str, Curve]:
        """Return the curves by unique name."""
        counts: dict[str, int] = {}
        for curve in self.curves:
            counts[curve.name] = counts.get(curve.name, 0) + 1
        return {_label(c) if counts[c.name] > 1 else c.name: c for c in self.curves}

    def select(
        self,
        *,
        panel: int | None = None,
        series: str | None = None,
        arm: str | None = None,
        seed: int | None = None,
        split: str | None = None,
    ) -> CurveSet:
        """Return the curves that match every given key."""

        def matches(curve: Curve) -> bool:
            run = curve.run
            return (
                (panel is None or curve.panel == panel)
                and (series is None or curve.name == series)
                and (arm is None or (run is not None and run.arm == arm))
                and (seed is None or (run is not None and run.seed == seed))
                and (split is None or (run is not None and run.split == split))
            )

        return CurveSet(tuple(c for c in self.curves if matches(c)))

    def to_frame(self) -> pd.DataFrame:
        """Return the curve table as a data frame."""
        import pandas as pd

        return pd.read_csv(io.StringIO(format_curves(self)))


def _label(curve: Curve) -> str:
    """Return a name that is unique among curves of the same series."""
    run = f", {curve.run.arm}, seed {curve.run.seed}, {curve.run.split}" if curve.run else ""
    return f"{curve.name} [panel {curve.panel}{run}]"


def format_curves(curves: Iterable[Curve] | CurveSet) -> str:
    """Return the curve table as CSV text; numbers keep every digit (``repr``)."""
    rows = list(curves.curves if isinstance(curves, CurveSet) else curves)
    rows.sort(key=lambda c: (c.panel, c.name, c.run or Run("", 0, "")))
    with_runs = any(c.run for c in rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS + RUN_COLUMNS if with_runs else COLUMNS)
    for c in rows:
        tail = tuple(c.run or ("", "", "")) if with_runs else ()
        numbers = (a.tolist() for a in (c.x, c.y, c.y_lo, c.y_hi))
        for x, y, lo, hi, seen in zip(*numbers, c.observed.tolist(), strict=True):
            writer.writerow((c.panel, c.name, repr(x), repr(y), repr(lo), repr(hi), int(seen), *tail))
    return out.getvalue()


def write_curves(path: Path, curves: Iterable[Curve] | CurveSet) -> Path:
    """Write the curve table atomically.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_atomic(path, format_curves(curves))


def read_curves(path: Path) -> CurveSet:
    """Read a curve table; ``y_lo``, ``y_hi``, ``observed`` and ``panel`` may be absent.

    Raises:
        InputError: The file is missing, is not a curve table, or a row holds no number.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "give a curve table written by replicate") from error
    reader = csv.DictReader(io.StringIO(text))
    missing = {"series", "x", "y"} - set(reader.fieldnames or ())
    if missing:
        remedy = f"its header should read {','.join(COLUMNS)}"
        raise InputError(f"{path} is not a curve table: no column {', '.join(sorted(missing))}", remedy)
    groups: dict[tuple[int, str, Run | None], list[tuple[float, ...]]] = {}
    for line, row in enumerate(reader, start=2):
        try:
            run = Run(row["arm"], int(row["seed"]), row["split"]) if row.get("arm") else None
            key = (int(row.get("panel") or 0), row["series"], run)
            y = float(row["y"])
            bounds = (float(row.get("y_lo") or y), float(row.get("y_hi") or y))
            point = (float(row["x"]), y, *bounds, float(row.get("observed") or 1))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"{path}, line {line}: {error}", "every x and y must be a number") from error
        groups.setdefault(key, []).append(point)
    return CurveSet(tuple(_from_rows(key, rows) for key, rows in groups.items()))


def _from_rows(key: tuple[int, str, Run | None], rows: list[tuple[float, ...]]) -> Curve:
    """Build a curve from rows of (x, y, y_lo, y_hi, observed)."""
    x, y, lo, hi, seen = np.array(rows).T
    return Curve.from_points(key[1], x, y, lo, hi, seen > 0, panel=key[0], run=key[2])
