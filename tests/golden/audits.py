"""Write the golden findings on both figures anew: ``python tests/golden/audits.py [RUNS]``.

They rest on the digitized curves in reference_curves/ and on the reruns recorded in tests/golden/audit/. With RUNS,
a folder that ``replicate rerun`` wrote, those are recorded anew, their held-out loss only. Look at the difference
before committing it: a changed verdict wants a reason.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from replicate.audit.document import audit_to_json
from replicate.audit.engine import audit_figure
from replicate.curves import CurveSet, read_curves, write_curves
from replicate.files import write_json
from replicate.sheets import load_sheet

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "audit"
FIGURES = ("fig1", "fig2")
KEPT = (
    "schema",
    "experiment",
    "scale",
    "complete",
    "x",
    "y",
    "arms",
    "seeds",
    "rates",
    "differences",
    "facts",
    "tool",
)


def findings(name: str) -> dict[str, Any]:
    """Return what the audit finds about a figure, numbers to four digits and without the definitions' sentences."""
    sheet = load_sheet(ROOT / "figures" / f"{name}.yaml")
    recorded = FOLDER / sheet.experiment
    audit = audit_figure(
        sheet,
        read_curves(ROOT / "reference_curves" / f"{name}.csv"),
        read_curves(recorded / "curves.csv"),
        json.loads((recorded / "record.json").read_text(encoding="utf-8")),
    )
    shortened: dict[str, Any] = _short(audit_to_json(audit))
    return shortened


def _short(value: Any) -> Any:
    """Return a value with its numbers rounded to four significant digits."""
    if isinstance(value, dict):
        return {k: _short(v) for k, v in value.items() if k != "definition"}
    if isinstance(value, list):
        return [_short(v) for v in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def record(runs: Path) -> None:
    """Record the held-out loss of reruns, and what the audit reads of their records."""
    for home in sorted(p.parent for p in runs.glob("*/record.json")):
        curves = read_curves(home / "curves.csv").select(split="val")
        full = json.loads((home / "record.json").read_text(encoding="utf-8"))
        write_curves(FOLDER / home.name / "curves.csv", CurveSet(curves.curves))
        write_json(FOLDER / home.name / "record.json", {key: full[key] for key in KEPT})


def main() -> None:
    """Write the golden files."""
    if len(sys.argv) > 1:
        record(Path(sys.argv[1]))
    for name in FIGURES:
        print(write_json(FOLDER / f"{name}.json", findings(name)))


if __name__ == "__main__":
    main()
