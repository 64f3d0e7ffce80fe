"""What a figure is, before it is drawn: plain frozen values, from which the list of its features follows."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.axes import AxisPlan
from generator.shapes import Shape


@dataclass(frozen=True)
class CurvePlan:
    """One series.

    Attributes:
        name: As in the legend.
        shape: Its values.
        color: "#rrggbb".
        dash: Line style: "-", "--", ":", "-.", or "" where only markers are drawn.
        width: Of the line, points.
        marker: "" where there is none.
        markevery: Every how many points a marker stands.
        opacity: 0 to 1.
        stairs: Whether the line goes in steps.
        bounds: "" or "bars" or "band".
        smoothed: "" or, where a smoothed curve is drawn over this one made faint, "named" if the legend names
            both, "unnamed" if it names the smoothed one alone.
        second: Whether the curve belongs to the second y axis.
    """

    name: str
    shape: Shape
    color: str
    dash: str = "-"
    width: float = 1.5
    marker: str = ""
    markevery: int = 1
    opacity: float = 1.0
    stairs: bool = False
    bounds: str = ""
    smoothed: str = ""
    second: bool = False


@dataclass(frozen=True)
class LegendPlan:
    """Where the names stand.

    Attributes:
        where: A place inside each panel ("best", "upper right", …), "right", "above" or "below" for one legend
            outside all panels, "labels" for names at the curves' ends, or "none".
        columns: Number of columns.
        frame: Whether it has a frame.
        opacity: Of its background, 0 to 1.
        title: Its title, or empty.
        size: Font size in points, or 0 for the style's.
    """

    where: str = "best"
    columns: int = 1
    frame: bool | None = None
    opacity: float = 0.8
    title: str = ""
    size: float = 0.0


@dataclass(frozen=True)
class PanelPlan:
    """One set of axes with its curves."""

    x: AxisPlan
    y: AxisPlan
    curves: tuple[CurvePlan, ...]
    y2: AxisPlan | None = None
    top_x: AxisPlan | None = None
    branch_at: float = 0.0
    title: str = ""


@dataclass(frozen=True)
class LookPlan:
    """What the style sheet leaves open: ticks, grid, spines and minus signs; None leaves the style's."""

    style: str = "default"
    font: str = "DejaVu Sans"
    ticks: str | None = None  # "in", "out", "inout" or "none"
    grid: str | None = None  # "none", "major", "both", "y" or "dashed"
    spines: str | None = None  # "open", "bottom" or "offset"
    hyphen_minus: bool = False


@dataclass(frozen=True)
class PicturePlan:
    """What happens to the picture after it is drawn.

    Attributes:
        form: "rgb", "rgba" (transparent ground), "rgb16", "grey", "grey16", "palette" or "jpeg".
        quality: Of the JPEG.
        rotation: Degrees, anticlockwise.
        noise: Standard deviation of a scan's noise, grey levels; above 0 the paper is unevenly lit too.
        surroundings: "" or "browser", "card" or "page": what stands around the figure.
        shrink: Factor by which the drawn picture is made smaller, at most 1.
    """

    form: str = "rgb"
    quality: int = 90
    rotation: float = 0.0
    noise: float = 0.0
    surroundings: str = ""
    shrink: float = 1.0


@dataclass(frozen=True)
class VectorPlan:
    """How a figure is written as a vector file.

    Attributes:
        suffix: "pdf" or "svg".
        fonts: How letters are written: "42" (TrueType) or "3" (outlines) in a PDF, "none" (text) or "path"
            (outlines) in an SVG.
        simplified: Whether matplotlib leaves out vertices that hardly change a line.
    """

    suffix: str
    fonts: str
    simplified: bool


@dataclass(frozen=True)
class FigurePlan:
    """A whole figure.

    Attributes:
        width: Of the drawn picture, pixels.
        height: Of the drawn picture, pixels.
        dpi: Pixels an inch; with the sizes of text and lines in points it says how large those are.
        panels: In reading order.
        legend: Where the names stand.
        look: What the style sheet leaves open.
        picture: What happens to the picture afterwards.
        vector: How it is written as a vector file instead, or None; its pixels are then points.
        columns: Number of columns of panels.
        share_y: Whether the panels have one y axis, labelled at the left only.
        share_x: Whether the panels have one x axis, labelled at the bottom only.
        pad: Room around the panels, inches.
    """

    width: int
    height: int
    dpi: float
    panels: tuple[PanelPlan, ...]
    legend: LegendPlan
    look: LookPlan = field(default_factory=LookPlan)
    picture: PicturePlan = field(default_factory=PicturePlan)
    vector: VectorPlan | None = None
    columns: int = 1
    share_y: bool = False
    share_x: bool = False
    pad: float = 0.04

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.panels) // self.columns)


def features(plan: FigurePlan) -> list[str]:
    """Return the features of a figure, each a topic and, after a colon, its kind; sorted."""
    found = {f"style:{plan.look.style}", f"width:{_width(plan)}"}
    found |= {f"legend:{w}" for w in _legend(plan.legend)}
    found |= {f"file:{p}" for p in _vector(plan.vector)}
    found |= set() if plan.vector else {f"picture:{p}" for p in _picture(plan.picture)}
    found |= {f"ticks:{plan.look.ticks}"} if plan.look.ticks else set()
    found |= {f"grid:{plan.look.grid}"} if plan.look.grid else set()
    found |= {f"spines:{plan.look.spines}"} if plan.look.spines else set()
    found |= {"text:hyphen-minus"} if plan.look.hyphen_minus else set()
    found |= {"panels:many"} if len(plan.panels) > 1 else set()
    found |= {"panels:shared-y"} if plan.share_y else set()
    found |= {"panels:shared-x"} if plan.share_x else set()
    for panel in plan.panels:
        found |= _panel(panel)
    return sorted(found)


def clean_names(plan: FigurePlan, panel: PanelPlan) -> list[str]:
    """Return the names of the curves that are drawn as clearly as can be: what is left is the reader's own error.

    A clean curve is solid, opaque, without noise, markers, steps or bounds, in a picture that nothing was done to.
    """
    picture = plan.picture
    if picture.form == "jpeg" or picture.rotation or picture.noise or picture.shrink < 1:
        return []
    return [
        c.name
        for c in panel.curves
        if c.dash == "-" and c.opacity == 1 and not (c.marker or c.stairs or c.bounds or c.smoothed)
        if not (c.shape.noise or c.shape.spikes or c.shape.drops)
    ]


def _panel(panel: PanelPlan) -> set[str]:
    """Return the features of one panel."""
    found = {f"x:{panel.x.kind}", f"y:{panel.y.kind}", f"curves:{_many(len(panel.curves))}"}
    found |= {f"{n}:reversed" for n, a in (("x", panel.x), ("y", panel.y)) if a.reverse}
    found |= {"x:rotated"} if panel.x.rotation else set()
    found |= {"y:twin"} if panel.y2 else set()
    found |= {"x:second"} if panel.top_x else set()
    found |= {"curves:coinciding"} if panel.branch_at else set()
    found |= {"curves:clipped"} if panel.y.cut else set()
    colors = [c.color for c in panel.curves]
    found |= {"curves:same-colour"} if len(set(colors)) < len(colors) else set()
    for curve in panel.curves:
        found |= _curve(curve)
    return found


def _curve(curve: CurvePlan) -> set[str]:
    """Return the features of one curve."""
    dashes = {"--": "dashed", ":": "dotted", "-.": "dashdot", "": "markers-only"}
    found = {f"curve:{dashes[curve.dash]}"} if curve.dash in dashes else set()
    found |= {"curve:markers"} if curve.marker and curve.dash else set()
    found |= {"curve:stairs"} if curve.stairs else set()
    found |= {f"curve:{curve.bounds}"} if curve.bounds else set()
    found |= {f"curve:smoothed-{curve.smoothed}"} if curve.smoothed else set()
    found |= {"curve:translucent"} if curve.opacity < 1 and not curve.smoothed else set()
    found |= {"curve:spikes"} if curve.shape.spikes else set()
    found |= {"curve:drops"} if curve.shape.drops else set()
    found |= {"curve:very-noisy"} if curve.shape.noise > 0.03 and curve.shape.points > 1000 else set()
    found |= {"curve:partial"} if curve.shape.span != (0.0, 1.0) else set()
    return found


def _legend(plan: LegendPlan) -> list[str]:
    """Return the features of the legend."""
    if plan.where in ("labels", "none"):
        return [plan.where]
    found = [plan.where if plan.where in ("right", "above", "below") else "inside"]
    found += ["columns"] if plan.columns > 1 else []
    found += ["frameless"] if plan.frame is False else []
    found += ["titled"] if plan.title else []
    return found + (["see-through"] if plan.opacity < 0.7 else ["opaque"] if plan.opacity == 1 else [])


def _vector(vector: VectorPlan | None) -> list[str]:
    """Return the features of a vector file."""
    if vector is None:
        return []
    return [f"{vector.suffix}-{vector.fonts}", "simplified" if vector.simplified else "every-vertex"]


def _picture(picture: PicturePlan) -> list[str]:
    """Return the features of the picture."""
    form = f"jpeg-{picture.quality // 20 * 20}" if picture.form == "jpeg" else picture.form
    found = [form]
    found += ["rotated"] if picture.rotation else []
    found += ["scanned"] if picture.noise else []
    found += ["shrunk"] if picture.shrink < 1 else []
    return found + ([picture.surroundings] if picture.surroundings else [])


def _width(plan: FigurePlan) -> str:
    """Return the class of the picture's width."""
    width = plan.width * plan.picture.shrink
    return next((f"under-{w}" for w in (450, 800, 1400, 2200) if width < w), "large")


def _many(count: int) -> str:
    """Return the class of the number of curves."""
    return "1" if count == 1 else "2-4" if count <= 4 else "5-10"
