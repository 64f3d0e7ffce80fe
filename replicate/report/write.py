"""Writing the reports: the one place of this package that touches the disk and knows all its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from replicate.audit.engine import audit_figure
from replicate.audit.findings import Verdict
from replicate.curves import Curve, CurveSet, format_curves
from replicate.files import write_atomic, write_json
from replicate.report import gather
from replicate.report.build import build_page
from replicate.report.crate import build_crate
from replicate.report.document import SCHEMA, Document, build_document, build_index
from replicate.report.figures import inks
from replicate.report.material import Material, Tool
from replicate.report.picture import load_picture
from replicate.report.render import render_index, render_page
from replicate.report.subject import subject_of
from replicate.report.summary import summarise
from replicate.report.tool import current_tool
from replicate.sheets import load_sheet


@dataclass(frozen=True, eq=False)
class ReportResult:
    """A report that was written.

    Attributes:
        name: The figure's name.
        html: The page.
        json: The audit for machines, as a file.
        curves: The published and rerun curves, as a file.
        document: The audit for machines, as a value.
        markdown: The summary that pastes into an issue.
        undecided: The ids of claims with an inconclusive verdict.
        doubtful: Whether the figure's confidence is below the threshold.
    """

    name: str
    html: Path
    json: Path
    curves: Path
    document: Document
    markdown: str
    undecided: tuple[str, ...]
    doubtful: bool

    @property
    def needs_a_person(self) -> bool:
        """Whether a claim could not be decided or the figure has to be checked."""
        return self.doubtful or bool(self.undecided)


def write_reports(
    names: Sequence[str],
    figures_dir: Path,
    curves_dir: Path,
    runs_dir: Path,
    out_dir: Path,
    command: Sequence[str],
    *,
    partial: bool = False,
) -> list[ReportResult]:
    """Audit every claim of the figures and write their pages, documents, curves, and the index over all.

    Args:
        names: The figures by the names of their sheets; empty for all.
        figures_dir: The figures and their sheets.
        curves_dir: The digitized curves.
        runs_dir: The reruns.
        out_dir: Where the reports go.
        command: The command line that asked for them.
        partial: Take a rerun that has not finished, too.

    Returns:
        What was written, a figure each.

    Raises:
        InputError: A sheet, a curve table or a record is missing or cannot be read.
        OutputError: A file cannot be written.
    """
    tool = current_tool(command)
    sheets = gather.sheet_paths(tuple(names), figures_dir)
    materials = [_material(path, curves_dir, runs_dir, partial=partial) for path in sheets]
    results = [write_report(material, out_dir, tool) for material in materials]
    write_overview(out_dir, tool)
    return results


def _material(sheet_path: Path, curves_dir: Path, runs_dir: Path, *, partial: bool) -> Material:
    """Return everything about one figure, audited."""
    name = sheet_path.stem
    sheet = load_sheet(sheet_path)
    image = gather.find_image(sheet_path)
    published = gather.read_published(curves_dir, name)
    digitization = gather.read_json(curves_dir / f"{name}.json") if published is not None else None
    rerun = gather.read_rerun(runs_dir, sheet.experiment, partial=partial)
    found = audit_figure(sheet, published, rerun.curves, rerun.record)
    paths = [("sheet", sheet_path), ("figure", image)]
    paths += [("curves", curves_dir / f"{name}.csv"), ("digitization record", curves_dir / f"{name}.json")]
    paths += rerun.paths
    return Material(
        name=name,
        subject=subject_of(sheet),
        findings=found.findings,
        consistency=found.consistency,
        image=image,
        published=published,
        digitization=digitization,
        rerun=rerun.curves,
        run=rerun.record,
        partial=rerun.unfinished,
        files=tuple(gather.hashed(role, path) for role, path in paths if path.is_file()),
        rule=found.rule,
        likeness=found.likeness,
        overlay=curves_dir / f"{name}.overlay.png" if published is not None else None,
    )


def write_report(material: Material, out: Path, tool: Tool) -> ReportResult:
    """Write one figure's page, document and curves.

    Raises:
        OutputError: A file cannot be written.
    """
    ink = inks(material)
    alt = f"The published figure: {material.subject.title}"
    picture = load_picture(
        material.image, alt, material.digitization, material.published, ink, material.overlay
    )
    name = material.name
    table = CurveSet(_curves(material.published) + _curves(material.rerun))
    curves = write_atomic(out / f"{name}.curves.csv", format_curves(table))
    written = gather.hashed("all curves of this report", curves)
    page = build_page(material, tool, ink, picture, [written])
    html = write_atomic(out / f"{name}.html", render_page(page))
    outputs = [gather.hashed("report", html), written]
    document = build_document(material, tool, outputs)
    path = write_json(out / f"{name}.json", document)
    undecided = tuple(dict.fromkeys(f.claim for f in material.findings if f.verdict is Verdict.INCONCLUSIVE))
    doubtful = page.published.doubtful
    return ReportResult(name, html, path, curves, document, summarise(page), undecided, doubtful)


def write_overview(out: Path, tool: Tool) -> Path:
    """Write the index and the research object of every report in a folder.

    Returns:
        The index.

    Raises:
        OutputError: A file cannot be written.
    """
    read = {path: gather.read_json(path) for path in sorted(out.glob("*.json"))}
    found = {path: d for path, d in read.items() if d and d.get("schema") == SCHEMA}
    documents = list(found.values())
    index = write_atomic(out / "index.html", render_index(build_index(documents, tool.version)))
    written = [
        gather.hashed("all audits", index),
        *(gather.hashed("audit for machines", path) for path in found),
    ]
    write_json(out / "ro-crate-metadata.json", build_crate(documents, written))
    return index


def _curves(curves: CurveSet | None) -> tuple[Curve, ...]:
    """Return the curves of a set, none for None."""
    return curves.curves if curves is not None else ()
