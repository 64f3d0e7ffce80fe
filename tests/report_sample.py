"""A small audit to test the report with: made-up curves, findings and records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from replicate.audit.findings import Consistency, Estimate, Evidence, Finding, Likeness, Verdict
from replicate.curves import Curve, CurveSet, Run
from replicate.report.build import build_page
from replicate.report.figures import inks
from replicate.report.material import ClaimText, FileHash, Material, Subject, Tool
from replicate.report.page import Page

INF = float("inf")
TOOL = Tool("1.2.3", "c0ffee" * 6 + "c0ff", True, ("replicate", "report", "made"), "2026-03-04")
SERIES = ("Base", "Small")


def published(names: tuple[str, ...] = SERIES, points: int = 101) -> CurveSet:
    """Return curves that fall from 11 towards 4.5 and 4 over 1,000 steps."""
    x = np.linspace(0, 1000, points)
    ends = np.linspace(4.5, 4.0, len(names))
    return CurveSet(
        tuple(
            Curve.from_points(n, x, e + (11 - e) * np.exp(-x / 150)) for n, e in zip(names, ends, strict=True)
        )
    )


def rerun(names: tuple[str, ...] = SERIES, seeds: int = 3) -> CurveSet:
    """Return curves of every arm and seed over 100 steps, seeds 0.1 apart, with a training loss beside them."""
    x = np.arange(0, 101, 10.0)
    curves = []
    for arm, name in enumerate(names):
        for seed in range(seeds):
            y = 5 - 0.2 * arm + 0.1 * seed + 4 * np.exp(-x / 20)
            for split, shift in (("val", 0.0), ("train", -0.3)):
                curves.append(Curve.from_points(name, x, y + shift, run=Run(f"arm{arm}", seed, split)))
    return CurveSet(tuple(curves))


def axis(values: list[float], pixels: list[float], label: str, scale: str = "linear") -> dict[str, Any]:
    """Return an axis of a digitization record."""
    ticks = [
        {"pixel": p, "text": f"{v:g}", "value": v, "used": True} for v, p in zip(values, pixels, strict=True)
    ]
    return {
        "scale": scale,
        "label": label,
        "limits": [values[0], values[-1]],
        "ticks": ticks,
        "residual_px": 0.04,
    }


def digitization(names: tuple[str, ...] = SERIES) -> dict[str, Any]:
    """Return the record of a figure of 400 x 300 pixels."""
    colours = ("#1f77b4", "#ff7f0e")
    series = [
        {
            "name": name,
            "name_from": "legend",
            "color": colour,
            "axis": "y",
            "style": "solid",
            "points": 101,
            "observed_share": 0.97,
            "confidence": 0.95,
        }
        for name, colour in zip(names, colours, strict=True)
    ]
    panel = {
        "box": [50, 20, 350, 260],
        "x_axis": axis([0.0, 500.0, 1000.0], [50.0, 200.0, 350.0], "Step"),
        "y_axis": axis([4.0, 8.0, 12.0], [260.0, 140.0, 20.0], "Loss"),
        "y2_axis": None,
        "title": None,
        "confidence": 0.93,
        "series": series,
    }
    return {
        "schema": "replicate.digitization/1",
        "source": {
            "file": "made.png",
            "sha256": "ab" * 32,
            "width": 400,
            "height": 300,
            "kind": "raster",
            "page": None,
        },
        "tool": {"version": "1.2.3", "command": ["replicate", "digitize", "figures/made.png"]},
        "confidence": 0.93,
        "panels": [panel],
        "warnings": [{"code": "curves-overlap", "message": "Two curves overlap.", "where": None}],
    }


def run_record(names: tuple[str, ...] = SERIES) -> dict[str, Any]:
    """Return the record of a rerun at the quick scale."""
    return {
        "schema": "replicate.rerun/1",
        "experiment": "made_up",
        "figure": "made",
        "scale": "quick",
        "x": "step",
        "y": "validation loss",
        "arms": [
            {"arm": f"arm{i}", "series": n, "role": "published", "rate": 0.0004, "diverged": []}
            for i, n in enumerate(names)
        ],
        "seeds": [0, 1, 2],
        "rates": [0.0004],
        "differences": [{"what": "Steps", "published": "1,000", "ours": 100, "why": "It is enough."}],
        "facts": {"parameters": 3241984},
        "configuration": {"model": {"layers": 4, "width": 128}, "lr": 0.0004},
        "environment": {"device": "cpu", "threads": 2, "torch": "2.13.0"},
        "data": {"name": "made-up text", "sha256": "cd" * 32, "tokens": 993000},
        "wall_seconds": 61.5,
        "started": "2026-05-06T07:08:09+00:00",
        "tool": {"version": "1.2.3", "command": ["replicate", "rerun", "--experiment", "made_up"]},
    }


def findings() -> tuple[Finding, ...]:
    """Return findings with every kind of verdict."""
    share = "Share of steps saved to reach a loss of 6."
    drop = "Share by which the drop since step 0 is larger, by step 100."
    low = "Share of steps at which it is lower."
    return (
        Finding("lower", Evidence.TEXT, "ordering", Verdict.NOT_REPLICATED, "The text contradicts itself."),
        Finding(
            "lower",
            Evidence.FIGURE,
            "lower_everywhere",
            Verdict.REPLICATED,
            "It is lower at every step but the first.",
            (Estimate(low, 99.0, (98.0, 100.0), "%", (95.0, INF), True),),
            None,
            SERIES,
        ),
        Finding(
            "lower",
            Evidence.RERUN,
            "lower_everywhere",
            Verdict.PARTLY,
            "The seeds disagree at the start.",
            (Estimate(low, 90.0, (80.0, 100.0), "%", (95.0, INF), None),),
            None,
            SERIES,
        ),
        Finding(
            "faster",
            Evidence.FIGURE,
            "steps_saved",
            Verdict.INCONCLUSIVE,
            "Two definitions disagree.",
            (
                Estimate(drop, 7.5, (7.0, 8.0), "%", (20.0, 30.0), False),
                Estimate(share, 22.0, (21.0, 23.0), "%", (20.0, 30.0), True),
                Estimate("Loss at which no curve arrives.", None, None, "loss"),
            ),
            (0.0, 100.0),
            ("Small",),
        ),
    )


def material(names: tuple[str, ...] = SERIES, **changes: Any) -> Material:
    """Return everything about the made-up figure, with some of it replaced."""
    subject = Subject(
        title="A made-up figure",
        citation="Nobody, Proceedings of Nowhere, 2026, figure 1.",
        links=(("arXiv", "https://arxiv.org/abs/0000.00000"), ("bad", "javascript:alert(1)")),
        image_note="Drawn for a test.",
        experiment="made_up",
        claims=(
            ClaimText("lower", "Small is lower at every step.", "lower_everywhere"),
            ClaimText("faster", "About 20-30 % faster.", "steps_saved"),
            ClaimText("cause", "Size is the cause.", "untestable"),
        ),
        stated={"seeds": "one"},
    )
    values: dict[str, Any] = {
        "name": "made",
        "subject": subject,
        "findings": findings(),
        "consistency": (Consistency("text-text", "Two sentences disagree.", ("lower",)),),
        "image": Path("figures/made.png"),
        "published": published(names),
        "digitization": digitization(names),
        "rerun": rerun(names),
        "run": run_record(names),
        "partial": False,
        "files": (FileHash("figure", "figures/made.png", 1234, "ab" * 32),),
    }
    return Material(**{**values, **changes})


def page_of(source: Material) -> Page:
    """Return the page without a picture."""
    return build_page(source, TOOL, inks(source), None)


def large() -> Material:
    """Return an audit of a figure of 8 panels with 6 noisy curves of 2,000 points each, and 25 claims."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1000, 2000)
    falling = 6 * np.exp(-x / 100)
    curves = [
        Curve.from_points(f"s{i}", x, 5 + i + falling + rng.normal(0, 0.3, 2000), panel=panel)
        for panel in range(8)
        for i in range(6)
    ]
    claims = tuple(ClaimText(f"c{i}", f"Claim {i}: s{i % 6} is lower at every step.", "x") for i in range(25))
    found = tuple(
        replace(f, claim=c.id, series=(f"s{i % 6}",)) for i, c in enumerate(claims) for f in findings()[:3]
    )
    subject = replace(material().subject, claims=claims)
    return material(digitization=None, published=CurveSet(tuple(curves)), subject=subject, findings=found)


def hostile() -> tuple[str, ...]:
    """Return texts that would act where a page took them for more than text: each sets ``window.hit`` if it can."""
    act = "window.hit=1"
    return (
        f"<script>{act}</script>",
        f"</script><script>{act}</script>",
        f"<ScRiPt >{act}</sCrIpT>",
        f"<script src=data:text/javascript,{act}></script>",
        f'"><img src=x onerror={act}>',
        f"'><img src=x onerror={act}>",
        f"<img src=x onerror={act}//",
        f"' onmouseover='{act}",
        f'" onfocus="{act}" autofocus tabindex="1',
        f"` onclick=`{act}`",
        f"</style><svg onload={act}>",
        f"<svg><script>{act}</script></svg>",
        f'<svg><use href="data:image/svg+xml,<svg id=x onload={act}>#x"/></svg>',
        f"<svg><animate onbegin={act} attributeName=x dur=1s>",
        f"</title><script>{act}</script>",
        f"</textarea><script>{act}</script>",
        f"]]><script>{act}</script>",
        f"--><script>{act}</script><!--",
        f"<iframe srcdoc='<script>parent.{act}</script>'></iframe>",
        f"<iframe src=javascript:parent.{act}></iframe>",
        f"<object data=javascript:{act}></object>",
        f"<details open ontoggle={act}>",
        f"<a href=javascript:{act}>x</a>",
        f"javascript:{act}",
        f"<form action=javascript:{act}><button>x</button></form>",
        "<link rel=stylesheet href=//example.org/x.css>",
        "<meta http-equiv=refresh content='0;url=//example.org/'>",
        "<base href=//example.org/>",
        f"{{{{ self.__init__.__globals__ }}}}{{% raw %}}${{{act}}}",
        f"&lt;script&gt;{act}&lt;/script&gt;\u2028\u202e\\u003cscript\\u003e\\",
    )


def hostile_material(payload: str) -> Material:
    """Return an audit in which every text that comes from outside is the payload."""
    names = (payload, "Small")
    claims = (ClaimText(payload, payload, payload, note=payload),)
    number = Estimate(payload, 1.0, (0.0, 2.0), payload, (0.0, 1.0), True)
    found = Finding(
        payload,
        Evidence.FIGURE,
        payload,
        Verdict.REPLICATED,
        payload,
        (number,),
        (0.0, 10.0),
        names,
        None,
        (number,),
    )
    subject = Subject(payload, payload, ((payload, payload),), payload, payload, claims, {"seeds": payload})
    read = digitization(names)
    read["tool"] = {"version": payload, "command": [payload]}
    read["warnings"] = [{"code": payload, "message": payload, "where": None}]
    [panel] = read["panels"]
    for axis_ in (panel["x_axis"], panel["y_axis"]):
        axis_["label"] = payload
        axis_["ticks"][0]["text"] = payload
    panel["series"][0]["name_from"] = panel["series"][0]["style"] = payload
    run = {
        **run_record(names),
        "scale": payload,
        "x": payload,
        "y": payload,
        "author_artifacts_used": payload,
    }
    run["differences"] = [{"what": payload, "published": payload, "ours": payload, "why": payload}]
    run["arms"] = [{**arm, "arm": payload, "role": "published"} for arm in run["arms"]]
    run["environment"] = run["configuration"] = run["data"] = {payload: payload, "name": payload}
    run["tool"] = {"version": payload, "command": [payload]}
    return material(
        names,
        name=payload,
        subject=subject,
        findings=(found,),
        consistency=(Consistency("text-text", payload, (payload,)),),
        likeness=(Likeness("shape", (payload,), number, number, None),),
        digitization=read,
        run=run,
        rule=payload,
        files=(FileHash(payload, payload, 1, "ab" * 32),),
    )
