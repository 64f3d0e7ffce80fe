"""The curves that each kind of evidence holds, by the experiment's arms."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from replicate.audit.findings import Evidence
from replicate.audit.settings import AuditSettings
from replicate.claims import Line
from replicate.claims.redraw import redraw, uncertain
from replicate.curves import CurveSet
from replicate.sheets import FigureSheet

ALIKE = 0.85  # similarity from which a legend's text counts as a slip of the reader
MARGIN = 0.05  # by which it has to beat the next best

Lines = Mapping[str, Line]  # arm -> line


@dataclass(frozen=True, eq=False)
class Material:
    """The curves of one evidence.

    Attributes:
        evidence: Which one.
        samples: One mapping of arms to lines a seed; one in all for a text or a figure.
        redrawn: For a text or a figure, its lines moved within their reading bounds, again and again; empty where
            they have none.
        missing: Why an arm is not there, by arm.
        scale: The scale of the rerun, or empty.
        diverged: Arms of the rerun that diverged.
        entropy: The unigram entropy of the data, where the values are a loss that it bounds and it is known.
    """

    evidence: Evidence
    samples: tuple[Lines, ...]
    redrawn: tuple[Lines, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    scale: str = ""
    diverged: frozenset[str] = frozenset()
    entropy: float | None = None

    def of(self, arms: tuple[str, ...]) -> list[list[Line]]:
        """Return the lines of these arms in every sample that has them all: paired by seed."""
        return [[sample[a] for a in arms] for sample in self.samples if all(a in sample for a in arms)]


def _redraw(lines: Lines, settings: AuditSettings, knots: int | None) -> tuple[Lines, ...]:
    """Return lines moved within their bounds: smoothly along a curve, or each value alone (no knots)."""
    if not any(map(uncertain, lines.values())):
        return ()
    rng = np.random.default_rng(settings.seed)
    moved = {arm: redraw(line, settings.draws, knots, rng) for arm, line in lines.items()}
    return tuple(
        {arm: line._replace(y=moved[arm][i]) for arm, line in lines.items()} for i in range(settings.draws)
    )


def from_text(sheet: FigureSheet, settings: AuditSettings) -> Material:
    """Return the described values as lines of a few points, with the bounds of "about"."""
    lines, missing = {}, {}
    for arm, about in sheet.arms.items():
        said = sheet.described.series.get(about.series)
        if said is None or not said.anchors:
            missing[arm] = f"the text gives no values for {about.series}"
            continue
        anchors = sorted(said.anchors, key=lambda a: a.x)
        bounds = np.array([a.bounds(sheet.described.y_axis) for a in anchors])
        x, y = np.array([a.x for a in anchors]), np.array([a.y for a in anchors])
        lines[arm] = Line(x, y, bounds[:, 0], bounds[:, 1])
    entropy = sheet.set_up.unigram_entropy
    return Material(Evidence.TEXT, (lines,), _redraw(lines, settings, None), missing, entropy=entropy)


def from_figure(sheet: FigureSheet, curves: CurveSet, settings: AuditSettings) -> Material:
    """Return the digitized curves of the sheet's panel by arm; a slip of the text reader in a name is forgiven."""
    panel = curves.select(panel=sheet.described.panel)
    available = {name: c for name, c in panel.items() if not c.is_bound}
    names = match_names([arm.series for arm in sheet.arms.values()], list(available))
    lines, missing = {}, {}
    for arm, about in sheet.arms.items():
        line = Line.of_curve(available[names[about.series]]) if about.series in names else None
        if line is None:
            missing[arm] = (
                f"the figure has no curve {about.series!r}; it has: {', '.join(available) or 'none'}"
            )
        else:
            lines[arm] = line
    redrawn, entropy = _redraw(lines, settings, settings.knots), sheet.set_up.unigram_entropy
    return Material(Evidence.FIGURE, (lines,), redrawn, missing, entropy=entropy)


def match_names(wanted: list[str], available: list[str]) -> dict[str, str]:
    """Return the available name for each wanted one: the same, or one that is alike and clearly the likest."""
    found = {name: name for name in wanted if name in available}
    left = [name for name in available if name not in found.values()]
    for name in wanted:
        if name in found:
            continue
        scores = sorted(((_alike(name, other), other) for other in left), reverse=True)
        if scores and scores[0][0] >= ALIKE and (len(scores) == 1 or scores[0][0] - scores[1][0] >= MARGIN):
            found[name] = scores[0][1]
            left.remove(scores[0][1])
    return found


def _alike(one: str, other: str) -> float:
    """Return how alike two names are, 0 to 1, in letters and digits only."""
    first, second = ("".join(c for c in s.casefold() if c.isalnum()) for s in (one, other))
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def from_rerun(
    sheet: FigureSheet, curves: CurveSet, record: Mapping[str, object] | None, settings: AuditSettings
) -> Material:
    """Return the rerun's curves by seed and arm, of the validation split where there is one."""
    runs = [c for c in curves.curves if c.run]
    splits = sorted({c.run.split for c in runs if c.run}, key=lambda s: (s != settings.split, s))
    samples: dict[int, dict[str, Line]] = {}
    for curve in runs:
        line = Line.of_curve(curve)
        if curve.run and line and curve.run.split == splits[0]:
            samples.setdefault(curve.run.seed, {})[curve.run.arm] = line
    present = {arm for sample in samples.values() for arm in sample}
    missing = {arm: f"the rerun has no arm {arm}" for arm in sheet.arms if arm not in present}
    arms = (record or {}).get("arms")
    told = [a for a in arms if isinstance(a, Mapping)] if isinstance(arms, list | tuple) else []
    diverged = frozenset(str(a.get("arm")) for a in told if a.get("diverged"))
    ordered = tuple(samples[seed] for seed in sorted(samples))
    scale, entropy = str((record or {}).get("scale", "")), _entropy(sheet, record or {})
    return Material(Evidence.RERUN, ordered, (), missing, scale, diverged, entropy)


def _entropy(sheet: FigureSheet, record: Mapping[str, object]) -> float | None:
    """Return the unigram entropy of a rerun's data, where its loss is a cross-entropy over a vocabulary."""
    facts = record.get("facts")
    found = facts.get("unigram_entropy") if isinstance(facts, Mapping) else None
    return float(found) if found is not None and sheet.set_up.vocabulary is not None else None
