"""The axes of a chart: grid, ticks that stand apart, titles."""

from __future__ import annotations

from markupsafe import Markup

from replicate.report.layout import CHARACTER, Frame, Layout
from replicate.report.scales import Scale, Tick
from replicate.report.svg import coordinate, element, join


def draw_axes(x: Scale, y: Scale, frame: Frame, layout: Layout) -> Markup:
    """Return grid, tick labels and titles of both axes."""
    x_ticks = _fitting(x, layout.ticks_x, frame.right - frame.left)
    y_ticks = y.ticks(layout.ticks_y)
    places = [(t, float(frame.x(x, t.value))) for t in x_ticks]
    heights = [(t, float(frame.y(y, t.value))) for t in y_ticks]
    across = f"H{coordinate(frame.right)}"
    left, bottom = coordinate(frame.left), coordinate(frame.bottom)
    strong = "".join(f"M{left} {coordinate(at)}{across}" for t, at in heights if t.text)
    faint = "".join(f"M{left} {coordinate(at)}{across}" for t, at in heights if not t.text)
    base = f"M{left} {bottom}{across}"
    base += "".join(
        f"M{coordinate(at)} {bottom}v{layout.tick if t.text else layout.tick / 2:g}" for t, at in places
    )
    middle = (frame.left + frame.right) / 2
    return join(
        (
            element("path", d=strong, class_="grid"),
            element("path", d=faint, class_="grid minor") if faint else "",
            element("path", d=base, class_="base"),
            *(_tick_text(t, frame.left - 6, at + 4, "end") for t, at in heights if t.text),
            *(_tick_text(t, at, frame.bottom + 17, "middle") for t, at in places if t.text),
            element("text", y.label, x=0.0, y=11.0, class_="axis"),
            element("text", x.label, x=middle, y=layout.height - 6, class_="axis", text_anchor="middle"),
        )
    )


def _fitting(scale: Scale, count: int, width: float) -> tuple[Tick, ...]:
    """Return the most ticks whose labels stand apart on an axis of that width."""
    while count > 1:
        ticks = scale.ticks(count)
        labelled = [t for t in ticks if t.text]
        room = max((len(t.text) for t in labelled if t.power is None), default=3) * CHARACTER + 8
        if room * len(labelled) <= width + room:
            return ticks
        count -= 1
    return scale.ticks(1)


def _tick_text(tick: Tick, x: float, y: float, anchor: str) -> Markup:
    """Return a tick's label; a power of ten has its exponent raised."""
    if tick.power is None:
        return element("text", tick.text, x=x, y=y, text_anchor=anchor)
    power = str(tick.power).replace("-", "\N{MINUS SIGN}")
    raised = element("tspan", power, dy=-5.0, class_="power")
    return element("text", "10", raised, x=x, y=y, text_anchor=anchor)
