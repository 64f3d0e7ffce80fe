"""How each program is told to draw a chart; each function returns the bytes of a PDF or SVG."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from producers.chart import Chart, Series

R_DASH = {"solid": 1, "dashed": 2, "dotted": 3, "dashdot": 4}
GNUPLOT_DASH = {"solid": 1, "dashed": 2, "dotted": 3, "dashdot": 4}
VEGA_DASH = {"solid": [1, 0], "dashed": [6, 4], "dotted": [2, 2], "dashdot": [6, 3, 2, 3]}
PGF_DASH = {"solid": "solid", "dashed": "dashed", "dotted": "dotted", "dashdot": "dashdotted"}


def run(command: list[str], script: str, suffix: str, made: str) -> bytes:
    """Run a program on a script in a folder of its own and return the file that it makes."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"chart.{suffix}").write_text(script)
        subprocess.run(
            [*command, f"chart.{suffix}"], cwd=folder, check=True, capture_output=True, timeout=120
        )
        return (Path(folder) / made).read_bytes()


def gnuplot(chart: Chart, terminal: str) -> bytes:
    """Draw with gnuplot's "svg" or "pdfcairo" terminal."""
    lines = [f"set terminal {terminal} enhanced", "set output 'out'", "set encoding utf8"]
    lines += [
        f"set {a}range [{lo!r}:{hi!r}]" for a, (lo, hi) in (("x", chart.x_limits), ("y", chart.y_limits))
    ]
    lines += [
        f"set logscale {a}; set format {a} '10^{{%T}}'"
        for a, log in (("x", chart.x_log), ("y", chart.y_log))
        if log
    ]
    lines += [f"set xlabel '{chart.x_label}'", f"set ylabel '{chart.y_label}'"]
    lines += [f"set title '{chart.title}'"] if chart.title else []
    lines += ["set grid"] if chart.grid else []
    plots = []
    for i, s in enumerate(chart.series):
        rows = "\n".join(f"{x!r} {y!r}" for x, y in zip(s.x.tolist(), s.y.tolist(), strict=True))
        lines.append(f"$d{i} << EOD\n{rows}\nEOD")
        kind, points = ("linespoints", f"pt {i + 4}") if s.markers else ("lines", "")
        style = f"{kind} lc rgb '{s.color}' lw 2 dt {GNUPLOT_DASH[s.dash]} {points}"
        plots.append(f"$d{i} using 1:2 with {style} title '{_plain(s.name)}'")
    return run(["gnuplot"], "\n".join([*lines, "plot " + ", ".join(plots)]) + "\n", "gp", "out")


def _plain(name: str) -> str:
    """Return a name with the letters escaped that gnuplot takes for markup."""
    return "".join(f"\\\\{c}" if c in "_^@&~{}" else c for c in name).replace("\\\\", "\\")


def r_base(chart: Chart, device: str) -> bytes:
    """Draw with R's own graphics on its "pdf" or "svg" device."""
    log = f"{'x' if chart.x_log else ''}{'y' if chart.y_log else ''}"
    opening = "pdf('out', width=7, height=5)" if device == "pdf" else "svg('out', width=7, height=5)"
    lines = [
        opening,
        f"plot(NA, xlim=c{chart.x_limits!r}, ylim=c{chart.y_limits!r}, log='{log}', xaxs='i', yaxs='i',",
    ]
    lines += [
        f"  xlab='{chart.x_label}', ylab='{chart.y_label}', main='{chart.title}', las={int(chart.grid)})"
    ]
    lines += ["grid()"] if chart.grid else []
    for i, s in enumerate(chart.series):
        points = f"type='{'o' if s.markers else 'l'}', pch={i}"
        lines.append(f"lines({_r(s.x)}, {_r(s.y)}, col='{s.color}', lwd=2, lty={R_DASH[s.dash]}, {points})")
    names, colors = (
        ", ".join(f"'{v}'" for v in column)
        for column in zip(*((s.name, s.color) for s in chart.series), strict=True)
    )
    dashes = ", ".join(str(R_DASH[s.dash]) for s in chart.series)
    marks = f", pch=0:{len(chart.series) - 1}" if chart.series[0].markers else ""
    lines.append(f"legend('topright', legend=c({names}), col=c({colors}), lty=c({dashes}), lwd=2{marks})")
    return run(["Rscript", "--vanilla"], "\n".join([*lines, "invisible(dev.off())"]) + "\n", "R", "out")


def ggplot(chart: Chart, device: str) -> bytes:
    """Draw with R's ggplot2 on the "pdf" or the "svglite" device."""
    lines = ["library(ggplot2)", "d <- rbind("]
    frames = (f"data.frame(x={_r(s.x)}, y={_r(s.y)}, Run='{s.name}')" for s in chart.series)
    names, colors = (
        ", ".join(f"'{v}'" for v in column)
        for column in zip(*((s.name, s.color) for s in chart.series), strict=True)
    )
    lines += [",\n".join(frames), ")", f"d$Run <- factor(d$Run, levels=c({names}))"]
    lines += [
        "p <- ggplot(d, aes(x, y, colour=Run)) + geom_line()"
        + (" + geom_point()" if chart.series[0].markers else "")
    ]
    for a, log, limits in (("x", chart.x_log, chart.x_limits), ("y", chart.y_log, chart.y_limits)):
        scale = f"scale_{a}_{'log10' if log else 'continuous'}(limits=c{limits!r}, expand=c(0, 0))"
        lines[-1] += f" + {scale}"
    lines[-1] += (
        f" + scale_colour_manual(values=c({colors})) + labs(x='{chart.x_label}', y='{chart.y_label}')"
    )
    lines[-1] += f" + ggtitle('{chart.title}')" if chart.title else ""
    lines[-1] += "" if chart.grid else " + theme_bw()"
    opening = (
        "pdf('out', width=7, height=5)" if device == "pdf" else "svglite::svglite('out', width=7, height=5)"
    )
    lines += [opening, "print(p)", "invisible(dev.off())"]
    return run(["Rscript", "--vanilla"], "\n".join(lines) + "\n", "R", "out")


def _r(values: Any) -> str:
    """Return numbers as a vector of R."""
    return f"c({', '.join(repr(v) for v in values.tolist())})"


def pgfplots(chart: Chart, _: str) -> bytes:
    """Draw with LaTeX's pgfplots on a page of its own."""
    kind = {
        (False, False): "axis",
        (True, False): "semilogxaxis",
        (False, True): "semilogyaxis",
        (True, True): "loglogaxis",
    }
    axis = kind[chart.x_log, chart.y_log]
    options = [
        f"xmin={chart.x_limits[0]!r},xmax={chart.x_limits[1]!r},ymin={chart.y_limits[0]!r},ymax={chart.y_limits[1]!r}"
    ]
    options += [
        f"xlabel={{{chart.x_label}}},ylabel={{{chart.y_label}}},title={{{chart.title}}},width=11cm,height=8cm"
    ]
    options += ["grid=major"] if chart.grid else []
    lines = [
        r"\documentclass{article}\usepackage{pgfplots}\pgfplotsset{compat=newest}\pagestyle{empty}\begin{document}"
    ]
    lines += [f"\\definecolor{{c{i}}}{{HTML}}{{{s.color[1:].upper()}}}" for i, s in enumerate(chart.series)]
    lines += [rf"\begin{{tikzpicture}}\begin{{{axis}}}[{','.join(options)}]"]
    for i, s in enumerate(chart.series):
        rows = " ".join(f"({x!r},{y!r})" for x, y in zip(s.x.tolist(), s.y.tolist(), strict=True))
        mark = "mark=*" if s.markers else "no marks"
        lines.append(f"\\addplot[c{i},thick,{PGF_DASH[s.dash]},{mark}] coordinates {{{rows}}};")
        lines.append(f"\\addlegendentry{{{s.name.replace('_', chr(92) + '_')}}}")
    lines += [rf"\end{{{axis}}}\end{{tikzpicture}}\end{{document}}"]
    return run(["pdflatex", "-interaction=batchmode"], "\n".join(lines), "tex", "chart.pdf")


def vega(chart: Chart, _: str) -> bytes:
    """Draw with Vega-Lite."""
    import vl_convert

    rows = [
        {"x": x, "y": y, "run": s.name}
        for s in chart.series
        for x, y in zip(s.x.tolist(), s.y.tolist(), strict=True)
    ]
    scales = {
        a: {"domain": limits, "type": "log" if log else "linear", "nice": False}
        for a, limits, log in (("x", chart.x_limits, chart.x_log), ("y", chart.y_limits, chart.y_log))
    }
    domain = [s.name for s in chart.series]
    encoding: dict[str, Any] = {
        a: {
            "field": a,
            "type": "quantitative",
            "scale": scales[a],
            "title": title,
            "axis": {"grid": chart.grid},
        }
        for a, title in (("x", chart.x_label), ("y", chart.y_label))
    }
    colors = {"domain": domain, "range": [s.color for s in chart.series]}
    encoding["color"] = {"field": "run", "scale": colors, "title": "Run"}
    if len({s.dash for s in chart.series}) > 1:
        dashes = {"domain": domain, "range": [VEGA_DASH[s.dash] for s in chart.series]}
        encoding["strokeDash"] = {"field": "run", "scale": dashes, "title": "Run"}
    spec = {
        "width": 460, "height": 300, "title": chart.title or None, "data": {"values": rows}, "encoding": encoding,
        "mark": {"type": "line", "point": chart.series[0].markers},
    }  # fmt: skip
    return str(vl_convert.vegalite_to_svg(json.dumps(spec))).encode()


def plotly(chart: Chart, _: str) -> bytes:
    """Draw with plotly in a headless browser."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for s in chart.series:
        figure.add_scatter(
            x=s.x, y=s.y, name=s.name, mode="lines+markers" if s.markers else "lines", line=_plotly_line(s)
        )
    axes = {}
    for a, limits, log, title in (
        ("x", chart.x_limits, chart.x_log, chart.x_label),
        ("y", chart.y_limits, chart.y_log, chart.y_label),
    ):
        shown = [_log10(v) for v in limits] if log else list(limits)
        axes[f"{a}axis"] = {"range": shown, "type": "log" if log else "linear", "title": {"text": title}}
    template = "plotly" if chart.grid else "simple_white"
    figure.update_layout(**axes, title={"text": chart.title}, template=template, showlegend=True)
    return bytes(figure.to_image(format="svg", width=700, height=500))


def _plotly_line(series: Series) -> dict[str, str]:
    """Return plotly's line style."""
    dash = {"solid": "solid", "dashed": "dash", "dotted": "dot", "dashdot": "dashdot"}
    return {"color": series.color, "dash": dash[series.dash]}


def _log10(value: float) -> float:
    """Return the decimal logarithm."""
    import math

    return math.log10(value)


Draw = Callable[[Chart, str], bytes]
# Name: how it is drawn, on what, the file's suffix, and the program or module that must be there.
PRODUCERS: dict[str, tuple[Draw, str, str, str]] = {
    "gnuplot-svg": (gnuplot, "svg", "svg", "gnuplot"),
    "gnuplot-pdf": (gnuplot, "pdfcairo", "pdf", "gnuplot"),
    "r-pdf": (r_base, "pdf", "pdf", "Rscript"),
    "r-svg": (r_base, "svg", "svg", "Rscript"),
    "ggplot-pdf": (ggplot, "pdf", "pdf", "Rscript"),
    "ggplot-svg": (ggplot, "svglite", "svg", "Rscript"),
    "pgfplots-pdf": (pgfplots, "", "pdf", "pdflatex"),
    "vega-svg": (vega, "", "svg", "vl_convert"),
    "plotly-svg": (plotly, "", "svg", "plotly"),
}


def is_there(needed: str) -> bool:
    """Return whether a program or a Python module is installed."""
    from importlib.util import find_spec

    return bool(shutil.which(needed) or find_spec(needed))
