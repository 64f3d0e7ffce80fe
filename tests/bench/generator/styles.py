"""How a figure looks: matplotlib's style sheets, and looks of other programs set by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import matplotlib as mpl
from matplotlib import style
from matplotlib.colors import to_hex, to_rgb

FONTS = (
    "DejaVu Sans",
    "DejaVu Sans",
    "DejaVu Serif",
    "STIXGeneral",
    "DejaVu Sans Mono",
)  # come with matplotlib

# Name: the style sheets it is built on, then settings on top.
STYLES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "default": ((), {}),
    "seaborn-darkgrid": (("seaborn-v0_8", "seaborn-v0_8-darkgrid"), {}),
    "seaborn-whitegrid": (("seaborn-v0_8-whitegrid", "seaborn-v0_8-deep"), {}),
    "seaborn-ticks": (("seaborn-v0_8-ticks", "seaborn-v0_8-muted"), {}),
    "ggplot": (("ggplot",), {}),
    "bmh": (("bmh",), {}),
    "classic": (("classic",), {}),
    "dark_background": (("dark_background",), {}),
    "fivethirtyeight": (("fivethirtyeight",), {"lines.linewidth": 2.5}),
    "grayscale": (("grayscale",), {}),
    "tableau": (("tableau-colorblind10",), {}),
    "solarized": (("Solarize_Light2",), {}),
    "petroff": (("petroff10",), {}),
    "science": (
        (),
        {
            "font.family": "STIXGeneral",
            "mathtext.fontset": "stix",
            "xtick.direction": "in",
            "ytick.direction": "in",
            "xtick.top": True,
            "ytick.right": True,
            "xtick.minor.visible": True,
            "ytick.minor.visible": True,
            "lines.linewidth": 1.0,
            "axes.linewidth": 0.6,
            "legend.frameon": False,
        },
    ),
    "open": ((), {"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False}),
    "dashboard": (
        (),
        {
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.spines.left": False,
            "axes.edgecolor": "#c8ccd4",
            "axes.grid": True,
            "axes.grid.axis": "y",
            "grid.color": "#e6e8ec",
            "xtick.color": "#6b7280",
            "ytick.color": "#6b7280",
            "ytick.major.size": 0,
            "text.color": "#30343b",
            "legend.frameon": False,
        },
    ),
    "night": (
        (),
        {
            "figure.facecolor": "#1c1f2b",
            "axes.facecolor": "#1c1f2b",
            "savefig.facecolor": "#1c1f2b",
            "axes.edgecolor": "#3a3f52",
            "axes.labelcolor": "#d6d9e2",
            "text.color": "#d6d9e2",
            "xtick.color": "#d6d9e2",
            "ytick.color": "#d6d9e2",
            "axes.grid": True,
            "grid.color": "#2d3142",
            "legend.facecolor": "#1c1f2b",
            "legend.edgecolor": "#3a3f52",
        },
    ),
}
# fmt: off
PLAIN_STYLES = ("default", "default", "default", "seaborn-whitegrid", "seaborn-ticks", "ggplot", "bmh",
                "classic", "tableau", "petroff", "open")
DARK_STYLES = ("dark_background", "night")

# Palettes beyond those of the style sheets; sequential ones hold near-equal hues.
PALETTES: dict[str, tuple[str, ...]] = {
    "set1": ("#e41a1c", "#377eb8", "#4daf4a", "#984ea3", "#ff7f00", "#a65628", "#f781bf", "#666666",
             "#17becf", "#bcbd22"),
    "dark2": ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02", "#a6761d", "#666666",
              "#1f78b4", "#b2182b"),
    "wong": ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000",
             "#7f3c8d", "#8c6d31"),
    "primary": ("blue", "red", "green", "magenta", "black", "cyan", "orange", "purple", "brown", "olive"),
}
# fmt: on
SEQUENTIAL = ("viridis", "plasma", "Blues", "YlOrRd", "cividis", "Greens")


@cache
def style_colors(name: str) -> tuple[str, ...]:
    """Return the colours of a style's cycle as "#rrggbb"."""
    sheets, settings = STYLES[name]
    with style.context(["default", *sheets, settings]):
        return tuple(to_hex(c) for c in mpl.rcParams["axes.prop_cycle"].by_key()["color"])


@cache
def axes_ground(name: str) -> str:
    """Return the colour behind a style's curves as "#rrggbb"."""
    sheets, settings = STYLES[name]
    with style.context(["default", *sheets, settings]):
        return to_hex(mpl.rcParams["axes.facecolor"])


def contrast(one: str, other: str) -> float:
    """Return the distance of two colours in unit RGB, 0 to √3."""
    return float(sum((a - b) ** 2 for a, b in zip(to_rgb(one), to_rgb(other), strict=True)) ** 0.5)
