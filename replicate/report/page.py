"""What a report page says, as values: built by `report.build`, written out by `report.render`."""

from __future__ import annotations

from dataclasses import dataclass

from replicate.audit.findings import Evidence, Verdict
from replicate.report.charts import LineChart, WindowChart
from replicate.report.gauges import Gauge
from replicate.report.picture import Picture


@dataclass(frozen=True)
class Table:
    """A plain table.

    Attributes:
        caption: What it holds.
        header: The columns' names.
        rows: Its cells, as many a row as there are columns.
        code: The columns (from 0) whose cells are hashes, commands or file names.
        numeric: The columns (from 0) whose cells are numbers.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    code: tuple[int, ...] = ()
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True)
class Link:
    """A link: its text and where it leads; empty ``href`` for plain text."""

    text: str
    href: str = ""


@dataclass(frozen=True)
class Figure:
    """A chart with the numbers it shows.

    Attributes:
        chart: The chart.
        table: Some of its readings, evenly spaced.
    """

    chart: LineChart
    table: Table


@dataclass(frozen=True)
class Effect:
    """A claim's number against one evidence, for the table of claims.

    Attributes:
        evidence: What it was measured on.
        text: The number with its unit.
        bounds: Its interval as text, or empty.
        gauge: The number on its scale, or None where it has none.
    """

    evidence: Evidence
    text: str
    bounds: str
    gauge: Gauge | None


@dataclass(frozen=True)
class EstimateRow:
    """One definition of a claim's number.

    Attributes:
        definition: How the number is defined.
        text: The number with its unit.
        bounds: Its interval as text, or empty.
        expected: What the claim expects, as text, or empty.
        support: "supports", "does not support" or "undecided".
        basis: How many seeds it rests on and the test over them, or empty.
        gauge: The number on the scale of its group, or None.
        best: Whether it is the one of several definitions that supports the claim best.
    """

    definition: str
    text: str
    bounds: str
    expected: str
    support: str
    basis: str
    gauge: Gauge | None
    best: bool = False


@dataclass(frozen=True)
class EstimateGroup:
    """The definitions whose numbers share a unit and so a scale.

    Attributes:
        unit: The unit.
        rows: The definitions, the primary one first.
        ruler: Their scale, or None where none gave a number.
        specification: All numbers in ascending order, where there are many.
        summary: How many support the claim, where there are many.
        title: What sets these numbers apart from those the verdict rests on, or empty.
    """

    unit: str
    rows: tuple[EstimateRow, ...]
    ruler: Gauge | None
    specification: Gauge | None = None
    summary: str = ""
    title: str = ""

    @property
    def leading(self) -> tuple[EstimateRow, ...]:
        """The primary definition, and the one that supports the claim best."""
        return tuple(row for i, row in enumerate(self.rows) if i == 0 or row.best)

    @property
    def others(self) -> tuple[EstimateRow, ...]:
        """All other definitions."""
        return tuple(row for i, row in enumerate(self.rows) if i and not row.best)


@dataclass(frozen=True)
class EvidenceView:
    """A claim against one evidence.

    Attributes:
        evidence: Which.
        anchor: Its id in the page.
        verdict: The verdict.
        reason: Why, one sentence.
        predicate: What judged it, or empty.
        window: The stretch it rests on, as text, or empty.
        chart: The curves with the window marked, or None.
        groups: The numbers behind the verdict.
        table: The readings that the chart shows in its window, or None.
    """

    evidence: Evidence
    anchor: str
    verdict: Verdict
    reason: str
    predicate: str
    window: str
    chart: WindowChart | None
    groups: tuple[EstimateGroup, ...]
    table: Table | None = None


@dataclass(frozen=True)
class ClaimView:
    """A claim with everything that was found about it.

    Attributes:
        id: Its id in the sheet.
        anchor: Its id in the page.
        number: Its number in the page, from 1.
        sentence: What was published.
        described: Whether it is a described axis or value rather than a sentence.
        note: How the sentence was read, or empty.
        evidences: One view an evidence, in the order text, figure, rerun.
        effects: The primary numbers.
        objections: What does not add up about it, beyond its verdicts.
        untestable: Whether no curve can show it.
    """

    id: str
    anchor: str
    number: int
    sentence: str
    described: bool
    note: str
    evidences: tuple[EvidenceView, ...]
    effects: tuple[Effect, ...]
    objections: tuple[str, ...]
    untestable: bool


@dataclass(frozen=True)
class Objection:
    """Something that does not add up: its kind in words, what disagrees, and the claims concerned."""

    kind: str
    message: str
    claims: tuple[Link, ...]


@dataclass(frozen=True)
class PublishedView:
    """The published figure and what was read off it.

    Attributes:
        picture: The picture with the curves over it, or None.
        confidence: The digitizer's confidence, as text, or empty.
        doubtful: Whether the confidence is below the threshold.
        warnings: What a person should look at.
        series: How each curve was read.
        ticks: The calibration ticks.
        missing: Why there are no curves, or empty.
    """

    picture: Picture | None
    confidence: str
    doubtful: bool
    warnings: tuple[str, ...]
    series: Table | None
    ticks: Table | None
    missing: str


@dataclass(frozen=True)
class RerunView:
    """What was rerun and how it differs.

    Attributes:
        statement: At which scale the verdicts on the rerun hold, one or two sentences.
        differences: What was published, what was run, and why; or None where nothing was rerun.
        arms: The arms and their seeds.
        partial: Whether the run was not finished.
        likeness: The figure held against the rerun, respect by respect; or None where one is missing.
    """

    statement: str
    differences: Table | None
    arms: Table | None
    partial: bool
    likeness: Table | None


@dataclass(frozen=True)
class Tally:
    """How often each verdict was given for one evidence, in the order of the verdict words."""

    evidence: Evidence
    counts: tuple[tuple[Verdict, int], ...]

    def count(self, verdict: Verdict) -> int:
        """Return how often a verdict was given."""
        return dict(self.counts).get(verdict, 0)


@dataclass(frozen=True)
class Page:
    """A report page.

    Attributes:
        name: The figure's name; files are named after it.
        title: The figure's title.
        citation: Where it was published.
        links: Where that can be found.
        image_note: Whether the picture is the original or redrawn, and how.
        lead: What was audited, one or two sentences.
        tallies: The verdict counts, one an evidence.
        claims: The claims.
        figures: Published and rerun curves, in pairs: absolute, and as share of the run.
        objections: What does not add up.
        rule: How a verdict follows from the numbers, or empty.
        published: The published figure.
        rerun: The rerun.
        checklist: The reproducibility checklist.
        provenance: Commands, versions, files and machines.
        downloads: The files beside the page.
        version: The version of the tool that wrote the page.
    """

    name: str
    title: str
    citation: str
    links: tuple[Link, ...]
    image_note: str
    lead: str
    tallies: tuple[Tally, ...]
    claims: tuple[ClaimView, ...]
    figures: tuple[Figure, ...]
    objections: tuple[Objection, ...]
    rule: str
    published: PublishedView
    rerun: RerunView
    checklist: Table
    provenance: tuple[Table, ...]
    downloads: tuple[Link, ...]
    version: str


@dataclass(frozen=True)
class IndexRow:
    """An audit in the index: its name, title, citation, file, verdict counts and open matters."""

    name: str
    title: str
    citation: str
    href: str
    claims: int
    tallies: tuple[Tally, ...]
    objections: int


@dataclass(frozen=True)
class Index:
    """The page that lists all audits."""

    rows: tuple[IndexRow, ...]
    version: str
