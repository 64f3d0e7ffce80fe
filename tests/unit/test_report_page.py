"""The page of an audit: what it says, and that nothing in it can act."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from report_sample import (
    SERIES,
    TOOL,
    digitization,
    findings,
    hostile,
    hostile_material,
    large,
    material,
    page_of,
    published,
    rerun,
    run_record,
)

from replicate.audit.findings import Estimate, Evidence, Finding, Verdict
from replicate.curves import Curve, CurveSet, Run
from replicate.report.document import build_document, build_index
from replicate.report.figures import inks, published_charts, rerun_charts, shown_runs, zoomed
from replicate.report.packing import chart_data
from replicate.report.render import render_index, render_page
from replicate.report.summary import summarise


class Outline(HTMLParser):
    """The elements of a page: names, ids, links within the page, headings, attributes that could act."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.headings: list[int] = []
        self.acting: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and (value or "").startswith("#"):
                self.targets.append((value or "")[1:])
            address = name in ("href", "src", "data", "action") and not re.match(
                r"[#\w.%-]*$|https?://|data:,|data:image/", value or ""
            )
            if name.startswith("on") or name == "style" or address:
                self.acting.append(f"{tag} {name}={value}")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))


def outline(html: str) -> Outline:
    """Return the elements of a page."""
    parser = Outline()
    parser.feed(html)
    return parser


def test_every_claim_shows_its_verdicts_and_numbers() -> None:
    html = render_page(page_of(material()))
    for text in ("Small is lower at every step.", "About 20-30 % faster.", "Size is the cause."):
        assert html.count(text) == 2  # in the table and at its evidence
    for verdict in Verdict:
        assert f">{verdict}</span>" in html.replace("</svg>", ">")
    assert "99\N{NO-BREAK SPACE}%" in html
    assert "[98, 100]" in html


def test_the_best_definition_and_numbers_judged_apart_are_shown() -> None:
    numbers = tuple(Estimate(f"By definition {i}.", float(i), (i - 0.5, i + 0.5), "%") for i in range(6))
    apart = (Estimate("Early.", 3.0, (2.0, 4.0), "%"),)
    judged = Finding("lower", Evidence.FIGURE, "x", Verdict.PARTLY, "So.", numbers, None, SERIES, 4, apart)
    page = page_of(material(findings=(judged,)))
    open_, later = page.claims[0].evidences[1].groups
    assert [row.definition for row in open_.leading] == ["By definition 0.", "By definition 4."]
    assert len(open_.others) == 4
    assert later.title == "Over all losses, early and late, judged apart"
    html = render_page(page)
    assert html.count("Supports the claim best.") == 1
    assert html.count("Early.") == 1


def test_what_was_not_judged_reads_not_run() -> None:
    [*_, cause] = page_of(material()).claims
    assert [v.verdict for v in cause.evidences] == [Verdict.NOT_RUN] * 3
    assert cause.evidences[2].reason == "This cannot be read off the rerun's curves."


def test_without_rerun_and_curves_the_page_is_whole() -> None:
    bare = material(published=None, digitization=None, rerun=None, run=None, findings=())
    page = page_of(bare)
    html = render_page(page)
    assert page.figures == ()
    assert "replicate rerun --experiment made_up does it." in html
    assert "replicate digitize figures/made.png does it." in html
    assert all(v.verdict is Verdict.NOT_RUN for c in page.claims for v in c.evidences)


def test_the_scale_of_the_rerun_is_said() -> None:
    html = render_page(page_of(material()))
    assert "Rerun at the quick scale, with the changes listed below." in html
    assert "it is not a verdict on the published run" in html
    assert "had not finished" in render_page(page_of(material(partial=True)))


def test_the_same_inputs_give_the_same_bytes() -> None:
    assert render_page(page_of(material())) == render_page(page_of(material()))


def test_links_within_the_page_lead_somewhere_and_ids_are_unique() -> None:
    parsed = outline(render_page(page_of(material())))
    assert len(parsed.ids) == len(set(parsed.ids))
    assert set(parsed.targets) <= set(parsed.ids)


def test_headings_descend_one_by_one() -> None:
    levels = outline(render_page(page_of(material()))).headings
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False))


def test_landmarks_and_language() -> None:
    html = render_page(page_of(material()))
    tags = outline(html).tags
    assert [tags.count(t) for t in ("header", "main", "footer")] == [1, 1, 1]
    assert '<html lang="en">' in html
    assert '<a class="skip" href="#main">' in html


def test_policy_names_the_hash_of_what_is_in_the_page() -> None:
    html = render_page(page_of(material()))
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy.startswith("default-src &#39;none&#39;; ")
    for tag in ("style", "script"):
        [content] = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy.replace("&#43;", "+")


def test_nothing_is_requested() -> None:
    html = render_page(page_of(material()))
    assert not re.findall(r'(?:src|data|action|srcset|poster)="(?!data:)', html)
    links = re.findall(r'<link[^>]+href="([^"]*)"', html)
    assert links == ["data:,"]
    assert "@import" not in html
    assert "url(http" not in html


def test_only_addresses_of_the_web_become_links() -> None:
    html = render_page(page_of(material()))
    assert '<a href="https://arxiv.org/abs/0000.00000">arXiv</a>' in html
    assert "javascript:" not in html


@pytest.mark.parametrize("payload", hostile())
def test_hostile_text_is_text_everywhere(payload: str) -> None:
    bad = hostile_material(payload)
    page = page_of(bad)
    parsed = outline(render_page(page) + render_index(build_index([build_document(bad, TOOL, [])], "1")))
    plain = outline(
        render_page(page_of(material()))
        + render_index(build_index([build_document(material(), TOOL, [])], "1"))
    )
    assert parsed.acting == []
    assert parsed.tags.count("script") == plain.tags.count("script") == 3
    assert parsed.tags.count("style") == 2
    assert "img" not in parsed.tags
    assert re.sub(r"\\.", "", summarise(page)).count("<") == 2  # <sub> and </sub>, our own


def test_low_confidence_and_warnings_are_said() -> None:
    record = {**digitization(), "confidence": 0.41}
    html = render_page(page_of(material(digitization=record)))
    assert "<b>0.41</b>: <strong>below the threshold" in html
    assert "Two curves overlap. (curves-overlap)" in html


def test_held_out_loss_is_what_a_chart_shows() -> None:
    assert {c.run.split for c in shown_runs(material().rerun) if c.run} == {"val"}
    [chart] = rerun_charts(material(), inks(material()), log=False)
    assert [len(s.strands) for s in chart.series] == [3, 3]
    assert chart.note == "3 seeds: each a line, their range shaded"


def test_published_axes_are_those_of_the_record() -> None:
    [chart] = published_charts(material(), inks(material()))
    assert (chart.x.low, chart.x.high, chart.x.label) == (0.0, 1000.0, "Step")
    assert (chart.y.low, chart.y.high, chart.y.label) == (4.0, 12.0, "Loss")


def test_published_curves_stand_in_the_order_of_the_legend() -> None:
    record = digitization()
    record["panels"][0]["series"].reverse()
    [chart] = published_charts(material(digitization=record), inks(material()))
    assert [s.name for s in chart.series] == ["Small", "Base"]


@pytest.mark.parametrize(
    ("kind", "values", "texts", "first"),
    [
        ("date", [2020.0, 2020.5, 2021.0], ["2020", "Jul", "2021"], "2020-01-01"),
        ("category", [0.0, 1.0, 2.0], ["a", "b", "c"], "a"),
    ],
)
def test_dates_and_categories_keep_their_names(
    kind: str, values: list[float], texts: list[str], first: str
) -> None:
    record = digitization()
    axis = record["panels"][0]["x_axis"]
    axis.update(scale=kind, limits=[values[0], values[-1]])
    for tick, value, text in zip(axis["ticks"], values, texts, strict=True):
        tick.update(value=value, text=text)
    whole = published()
    x = np.linspace(values[0], values[-1], len(whole.curves[0].x))
    source = material(digitization=record, published=CurveSet(tuple(replace(c, x=x) for c in whole.curves)))
    page = page_of(source)
    [chart] = published_charts(source, inks(source))
    assert [t.text for t in chart.x.ticks(5)] == texts
    assert page.figures[0].table.rows[0][0] == first
    assert f"from 11 at {first}" in render_page(page)
    data = chart_data([chart])["charts"]["published-chart"]["x"]
    assert data["marks"] == tuple(zip(values, texts, strict=True))
    assert data["dates"] is (kind == "date")


def test_shares_share_one_axis() -> None:
    page = page_of(material())
    published_share, rerun_share = page.figures[2].chart, page.figures[3].chart
    assert (published_share.y.low, published_share.y.high) == (rerun_share.y.low, rerun_share.y.high)
    assert (published_share.y.label, rerun_share.y.label) == ("Loss", "Validation loss")
    assert published_share.series[0].strands[0][0][-1] == pytest.approx(100)
    assert rerun_share.series[0].strands[0][0][-1] == pytest.approx(100)


def test_a_short_window_gets_a_chart_of_its_own() -> None:
    [chart] = published_charts(material(), inks(material()))
    near = zoomed(chart, "near", (0.0, 100.0))
    assert near is not None
    assert (near.x.low, near.x.high) == (0.0, 125.0)
    assert near.series[0].strands[0][0].tolist() == list(range(0, 140, 10))
    assert zoomed(chart, "near", (0.0, 600.0)) is None
    assert zoomed(chart, "near", (50.0, 50.0)) is None


def test_a_short_window_is_drawn_once_and_referred_to_after_that() -> None:
    again = tuple(replace(f, claim="cause") for f in findings() if f.claim == "faster")
    page = page_of(material(findings=(*findings(), *again)))
    first, second = (c.evidences[1].chart for c in page.claims[1:])
    assert first is not None
    assert second is not None
    assert (first.in_page, second.in_page) == (False, True)
    assert second.base is first.base
    html = render_page(page)
    assert html.count(f'id="{first.base.id}-s0"') == 1
    assert html.count(f'href="#{first.base.id}-s0"') == 1


def test_readings_under_a_window() -> None:
    [lower, faster, _] = page_of(material()).claims
    whole, near = lower.evidences[1].table, faster.evidences[1].table
    assert whole is not None
    assert near is not None
    assert whole.header == ("Step", *SERIES)
    assert [row[0] for row in whole.rows] == ["0", "500", "1,000"]
    assert near.header == ("Step", "Small")
    assert [row[0] for row in near.rows] == ["0", "50", "100"]
    assert near.rows[0] == ("0", "11")


def test_readings_under_a_chart() -> None:
    table = page_of(material()).figures[0].table
    assert table.header == ("Step", *SERIES)
    assert table.rows[0] == ("0", "11", "11")
    assert len(table.rows) == 9


def test_a_single_panel_is_the_one_meant_whatever_its_number() -> None:
    whole = published()
    curves = CurveSet(tuple(replace(c, panel=3) for c in whole.curves))
    [chart] = published_charts(material(published=curves), inks(material()))
    assert (chart.x.low, chart.x.high, chart.x.label) == (0.0, 1000.0, "Step")


def test_axes_without_limits_hold_the_curves() -> None:
    record = digitization()
    record["panels"][0]["y_axis"]["limits"] = [None, 12.0]
    [chart] = published_charts(material(digitization=record), inks(material()))
    assert (chart.y.low, chart.y.high) == (4.0, 11.0)


def test_inks_are_the_same_for_published_and_rerun() -> None:
    ink = inks(material())
    assert ink["Base"].name == "blue"
    assert ink["Small"].name == "orange"


def test_a_long_name_of_an_axis_stands_in_the_note() -> None:
    name = "KL divergence to the teacher, nats, summed over the 32 tokens of a sequence"
    source = material(run={**run_record(), "y": name})
    [chart] = rerun_charts(source, inks(source), log=False)
    assert chart.y.label == "KL divergence to the teacher"
    assert chart.note.endswith(f". {name}")


def test_ablations_and_other_rates_have_a_chart_of_their_own() -> None:
    x = [0.0, 50.0, 100.0]
    more = [
        Curve.from_points("Small, lr 1e-3", x, [9, 6, 5], run=Run("arm1@lr=1e-3", 0, "val")),
        Curve.from_points("Small, lr 2e-3", x, [9, 7, 6], run=Run("arm1@lr=2e-3", 0, "val")),
        Curve.from_points("Norm only", x, [9, 5, 4], run=Run("norm", 0, "val")),
    ]
    record = run_record()
    record["arms"] = [*record["arms"], {"arm": "norm", "series": "Norm only", "role": "ablation"}]
    source = material(rerun=CurveSet(rerun().curves + tuple(more)), run=record)
    ink = inks(source)
    main, others = rerun_charts(source, ink, log=False)
    assert [s.name for s in main.series] == list(SERIES)
    assert [s.name for s in others.series] == ["Small, lr 1e-3", "Small, lr 2e-3", "Norm only"]
    assert {ink[n].name for n in ("Small", "Small, lr 1e-3", "Small, lr 2e-3")} == {"orange"}
    assert len({ink[n].dash for n in ("Small", "Small, lr 1e-3", "Small, lr 2e-3")}) == 3
    assert ink["Norm only"].name not in ("blue", "orange")


def test_a_name_read_a_little_differently_keeps_its_ink() -> None:
    names = ("Baseline", "Smal1 Init Emb")
    source = material(
        ("Baseline", "Small Init Emb"), published=published(names), digitization=digitization(names)
    )
    assert inks(source)["Small Init Emb"] == inks(source)["Smal1 Init Emb"]


def test_an_unfinished_rerun_that_was_not_asked_for_is_said() -> None:
    html = render_page(page_of(material(rerun=None, run=None, partial=True)))
    assert "replicate report --partial takes what there is" in html


def test_size_of_a_page_with_many_points() -> None:
    page = page_of(large())
    assert len([f for f in page.figures if len(f.chart.series) == 6]) == 8
    assert len(render_page(page).encode()) < 1_100_000  # and the published picture, of 80 kB at most
