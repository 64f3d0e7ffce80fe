"""A drawing becomes the files of a case: the picture, its truth table and its description."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from generator.axes import AxisPlan
from generator.draw import Drawing, Panel, Series, draw
from generator.picture import Picture, finish
from generator.plan import FigurePlan, clean_names, features


def write_case(plan: FigurePlan, slug: str, out: Path) -> list[Path]:
    """Draw the figure and write a case for each of its panels and y axes.

    Args:
        plan: What to draw.
        slug: Name of the figure; its panels and second axes get ``@1y`` or ``@0y2`` after it.
        out: The folder that the cases' folders go into.

    Returns:
        The cases' folders.
    """
    drawing = draw(plan)
    picture = _picture(plan, drawing, seed=len(slug) + plan.width * 7 + plan.height)
    under = any(s.hidden.any() for p in drawing.panels for s in p.series if not p.plan.y.cut)
    found = sorted([*features(plan), *(["curves:under-legend"] if under else [])])
    folders = []
    for number, panel in enumerate(drawing.panels):
        for second in (False, True) if panel.plan.y2 else (False,):
            alone = len(drawing.panels) == 1 and not panel.plan.y2
            folder = out / (slug if alone else f"{slug}@{number}y{'2' if second else ''}")
            series = [s for s in panel.series if s.second == second]
            case = _describe(plan, panel, series, second) | {"slug": folder.name, "results": slug}
            case |= {
                "figure": f"figure.{picture.suffix}",
                "panel_box": picture.box(panel.box),
                "features": found,
            }
            folder.mkdir(parents=True, exist_ok=True)
            (folder / case["figure"]).write_bytes(picture.data)
            (folder / "truth.csv").write_text(_table(series))
            (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n")
            folders.append(folder)
    return folders


def _picture(plan: FigurePlan, drawing: Drawing, seed: int) -> Picture:
    """Return the figure's file; a vector file's origin is a corner, not the centre of a pixel."""
    if plan.vector is None:
        return finish(drawing.pixels, plan.picture, seed)
    return Picture(drawing.data, plan.vector.suffix, np.array([[1, 0, 0.5], [0, 1, 0.5]]))


def _describe(plan: FigurePlan, panel: Panel, series: list[Series], second: bool) -> dict[str, Any]:
    """Return the case's description without its names and files."""
    y_axis = panel.plan.y2 if second and panel.plan.y2 else panel.plan.y
    return {
        "x_scale": _scale(panel.plan.x),
        "y_scale": _scale(y_axis),
        "xlim": list(panel.plan.x.limits),
        "ylim": list(y_axis.limits),
        "series": [s.name for s in series],
        "clean": [s.name for s in series if s.name in clean_names(plan, panel.plan)],
        "names_unknown": plan.legend.where == "none",
        # curves of the other axis, and raw curves without a name, are drawn but have no truth in this case
        "partial_truth": bool(panel.plan.y2) or panel.unnamed_extra,
    }


def _scale(axis: AxisPlan) -> str:
    """Return the scale in the words of a case."""
    return "log" if axis.log else "linear"


def _table(series: list[Series]) -> str:
    """Return the truth table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("series", "x", "y", "hidden"))
    for s in series:
        for x, y, hidden in zip(s.x.tolist(), s.y.tolist(), s.hidden.tolist(), strict=True):
            writer.writerow((s.name, f"{x:.10g}", f"{y:.8g}", int(hidden)))
    return out.getvalue()
