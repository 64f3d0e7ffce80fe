"""Coordinate systems within an SVG: nested drawings, used symbols, and the content of markers."""

from __future__ import annotations

import math
from dataclasses import replace

from replicate.digitizer.model import Box
from replicate.digitizer.vector.svg_geometry import (
    Matrix,
    Viewport,
    fit_viewbox,
    intersect,
    numbers,
    parse_viewbox,
)
from replicate.digitizer.vector.svg_state import State
from replicate.digitizer.vector.svg_style import Element


def nested(element: Element, state: State, size: tuple[float, float] | None = None) -> State:
    """Return the state inside a nested `svg` or a used `symbol`: a viewport of its own, that clips.

    Args:
        element: The `svg` or `symbol`.
        state: The state at the element.
        size: Width and height where they are not the element's own.
    """
    view = state.viewport
    x, y = state.length(element, "x", view.width), state.length(element, "y", view.height)
    width, height = size or (
        state.length(element, "width", view.width, view.width),
        state.length(element, "height", view.height, view.height),
    )
    matrix = state.matrix.then_inner(Matrix(e=x, f=y))
    frame = matrix.box(Box(0.0, 0.0, max(width, 0.0), max(height, 0.0)))
    clip = state.clip if element.get("overflow") == "visible" else intersect(state.clip, frame)
    viewbox = parse_viewbox(element.get("viewBox"))
    if viewbox:
        matrix = matrix.then_inner(fit_viewbox(viewbox, width, height, element.get("preserveAspectRatio")))
    inner = Viewport(*viewbox[2:]) if viewbox else Viewport(width, height)
    return replace(state, matrix=matrix, clip=clip, viewport=inner)


def within_marker(
    marker: Element, state: State, at: tuple[float, float], direction: float, width: float
) -> State:
    """Return the state outside of a marker's content: turned and scaled, its reference point at the vertex.

    Args:
        marker: The `marker`.
        state: The state at the shape.
        at: The vertex, page units.
        direction: The path's direction there, radians.
        width: Of the shape's line, user units.
    """
    orient = marker.get("orient") or "0"
    turn = direction if orient.startswith("auto") else math.radians((numbers(orient) or [0.0])[0])
    grown = state.matrix.scale * (1.0 if marker.get("markerUnits") == "userSpaceOnUse" else width)
    cos, sin = math.cos(turn) * grown, math.sin(turn) * grown
    viewbox = parse_viewbox(marker.get("viewBox"))
    wide, high = (state.length(marker, k, 3.0, 3.0) for k in ("markerWidth", "markerHeight"))
    fit = fit_viewbox(viewbox, wide, high, marker.get("preserveAspectRatio")) if viewbox else Matrix()
    x, y = fit.point(*(state.length(marker, k, 0.0) for k in ("refX", "refY")))
    # a marker takes its properties from where it is defined, not from the shape that it stands on
    style = {k: v for k, v in state.style.items() if not k.startswith(("fill", "stroke", "marker"))}
    placed = Matrix(cos, sin, -sin, cos, *at).then_inner(Matrix(e=-x, f=-y)).then_inner(fit)
    return replace(state, matrix=placed, style=style)
