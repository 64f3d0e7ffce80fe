"""The figure sheet: both figures' sheets load whole, and every mistake is one line with file, line and key."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml

from replicate.claims import PREDICATES
from replicate.cli import run
from replicate.errors import ExitCode, InputError
from replicate.sheets import Anchor, Axis, Expect, Window, load_sheet

FIGURES = Path(__file__).parents[2] / "figures"

PLAIN = """\
source:
  title: A figure
  citation: A paper
  url: https://example.org
  licence: none stated
  image: original
described:
  x_axis: {label: Step, range: [0, 100], tick: 20}
  y_axis: {label: Loss, range: [1, 9], tick: 1}
  series:
    Old: {anchors: [{x: 0, y: 8}]}
experiment: trial
arms:
  old: {series: Old}
  new: {series: New}
claims:
  - id: below
    text: New is lower at every step.
    kind: lower_everywhere
    arms: [new, old]
    expect: lower
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def message(tmp_path: Path, old: str, new: str) -> str:
    """Return the error after one change to a sheet that is right."""
    assert old in PLAIN
    with pytest.raises(InputError) as caught:
        load_sheet(write(tmp_path, PLAIN.replace(old, new, 1)))
    assert caught.value.exit_code == ExitCode.BAD_INPUT
    line = str(caught.value)
    assert "\n" not in line
    assert "mine.yaml" in line
    return line


def test_described_axes_and_values_become_the_first_claims(tmp_path: Path) -> None:
    sheet = load_sheet(write(tmp_path, PLAIN))
    assert [c.id for c in sheet.claims] == ["axis-x", "axis-y", "value-old-0", "below"]
    value = sheet.claims[2]
    assert (value.kind, value.arms, value.window) == ("value_at", ("old",), Window(steps=0))
    assert value.expect == Expect(between=(7.8, 8.2), unit="loss")
    assert value.text == "Old is at about 8 at step 0."


@pytest.mark.parametrize(("name", "claims", "definitions"), [("fig1", 24, 46), ("fig2", 20, 57)])
def test_the_sheets_of_both_figures_are_whole(name: str, claims: int, definitions: int) -> None:
    sheet = load_sheet(FIGURES / f"{name}.yaml")
    assert len(sheet.claims) == claims
    assert sum(len(p.readings()) for c in sheet.claims for p in c.predicates) == definitions
    assert sheet.source.image == "redrawn"
    assert all(said.anchors for said in sheet.described.series.values())


def test_every_anchor_of_the_description_is_in_the_sheets() -> None:
    ids = {c.id for name in ("fig1", "fig2") for c in load_sheet(FIGURES / f"{name}.yaml").claims}
    assert {f"value-baseline-{x}" for x in (0, 10000, 30000, 50000)} <= ids
    assert {f"value-small_init_emb-{x}" for x in (0, 10000, 50000)} <= ids
    assert {f"value-svd_ln-{x}" for x in (0, 2500, 17500)} <= ids


def test_the_amount_claim_has_the_published_range_over_several_definitions() -> None:
    claim = next(c for c in load_sheet(FIGURES / "fig2.yaml").claims if c.id == "faster-by-20-to-30")
    readings = claim.readings()
    assert {(r.expected.low, r.expected.high) for r in readings} == {(17.5, 32.5)}
    assert {"reduction_ratio", "steps_saved", "speedup"} <= {r.predicate.name for r in readings}
    assert len({r.window for r in readings}) == 3


def test_an_unknown_key_names_its_line(tmp_path: Path) -> None:
    line = message(tmp_path, "    expect: lower\n", "    expect: lower\n    colour: red\n")
    assert "line 22: claims.0.colour" in line


def test_an_unknown_predicate_lists_those_there_are(tmp_path: Path) -> None:
    line = message(tmp_path, "kind: lower_everywhere", "kind: lower_nowhere")
    assert "line 19: claims.0.kind: claim 'below': no predicate 'lower_nowhere'" in line
    assert all(name in line for name in PREDICATES)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("arms: [new, old]", "arms: [new, older]", "line 20: claims.0.arms: claim 'below': no arm 'older'"),
        (
            "arms: [new, old]",
            "arms: [new]",
            "line 20: claims.0.arms: claim 'below': lower_everywhere takes 2",
        ),
        (
            "expect: lower",
            "expect: higher",
            "line 21: claims.0.expect: claim 'below': lower_everywhere knows",
        ),
        ("expect: lower", "expect: {at_least: 1, unit: '%'}", "claims.0.expect.unit: claim 'below'"),
        (
            "expect: lower",
            "expect: {at_least: 1}",
            "line 21: claims.0.expect.unit: claim 'below': Field required",
        ),
        ("expect: lower", "expect: {relation: nearer, unit: loss}", "knows no relation 'nearer'"),
        (
            "expect: lower",
            "expect: {relation: lower, tolerance: 1, unit: steps}",
            "is in 'loss', not 'steps'",
        ),
        ("expect: lower", "expect: {relation: lower, about: 1, unit: loss}", "expect one of"),
        ("expect: lower", "expect: ''", "knows no relation ''"),
        ("expect: lower", "expect: lower\n    window: {loss: [2, 3]}", "a window by loss descends"),
        (
            "expect: lower",
            "expect: lower\n    window: {loss: [9, 0.5]}",
            "line 22: claims.0.window: claim 'below'",
        ),
        (
            "expect: lower",
            "expect: lower\n    definitions: {windows: [{steps: [50, 200]}]}",
            "claims.0.definitions.windows: claim 'below': the window (50.0, 200.0) lies outside the run",
        ),
        (
            "    kind: lower_everywhere\n    arms: [new, old]\n    expect: lower\n",
            "    all: [{kind: monotone, arms: [new], expect: falls}, {kind: monoton, arms: [old], expect: falls}]\n",
            "line 19: claims.0.all.1.kind: claim 'below': no predicate 'monoton'",
        ),
        (
            "    kind: lower_everywhere\n    arms: [new, old]\n    expect: lower\n",
            "    any: [{kind: monotone, arms: [newer], expect: falls}]\n",
            "line 19: claims.0.any.0.arms: claim 'below': no arm 'newer'",
        ),
        (
            "    arms: [new, old]\n",
            "    arms: [new, old]\n    all: []\n    any: [{kind: monotone}]\n",
            "needs `kind`",
        ),
        (
            "    kind: lower_everywhere\n",
            "    any: [{kind: monotone, arms: [new], expect: falls}]\n",
            "stand in the parts",
        ),
        ("expect: lower", "expect: lower\n    window: {steps: [0, 101]}", "line 22: claims.0.window"),
        ("expect: lower", "expect: lower\n    window: {share: [0, 2]}", "between 0 and 1"),
        ("expect: lower", "expect: lower\n    window: {share: 0, steps: 1}", "one of them"),
        ("    kind: lower_everywhere\n", "", "needs `kind` and `expect`"),
        ("    kind: lower_everywhere\n", "    testable: false\n", "needs a `reason`"),
        ("id: below", "id: axis-x", "two claims have the id 'axis-x'"),
        ("    Old: {", "    Elder: {", "line 11: described.series.Elder: no arm has the legend name 'Elder'"),
        ("image: original", "image: redrawn", "needs `redrawn_from` and `how`"),
        ("image: original", "image: copied", "line 6: source.image"),
        ("range: [0, 100]", "range: [100, 0]", "line 8: described.x_axis: a range ascends"),
        ("range: [1, 9], tick: 1", "range: [0, 9], tick: 1, scale: log", "positive"),
        (
            "  title: A figure\n",
            "  title: A figure\n  title: B\n",
            "line 3: title: the key stands there twice",
        ),
        ("  title: A figure\n", "  title: [A figure\n", "line 3"),
        ("  title: A figure\n", "  title: &a A figure\n  how: *a\n", "an alias"),
    ],
)
def test_a_mistake_is_one_line_that_names_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in message(tmp_path, old, new)


def test_a_relation_takes_a_tolerance_at_its_finite_ends(tmp_path: Path) -> None:
    text = PLAIN.replace("expect: lower", "expect: {relation: lower, tolerance: 0.2, unit: loss}")
    (reading,) = load_sheet(write(tmp_path, text)).claims[-1].readings()
    assert (reading.expected.low, reading.expected.high, reading.expected.strict) == (-0.2, math.inf, True)
    assert reading.relation == "lower"


def test_conditions_stand_within_one_another(tmp_path: Path) -> None:
    leaves = [f"{{kind: monotone, arms: [{arm}], expect: falls}}" for arm in ("new", "old")]
    parts = f"all: [{{any: [{leaves[0]}]}}, {leaves[1]}]"
    old = "kind: lower_everywhere\n    arms: [new, old]\n    expect: lower"
    claim = load_sheet(write(tmp_path, PLAIN.replace(old, parts))).claims[-1]
    assert claim.every_arm == ("new", "old")
    assert [leaf.kind for leaf in claim.predicates] == ["monotone", "monotone"]
    assert claim.readings() == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("kind: lower_everywhere", "kind: lowest", "claims.0.kind: claim 'below': no predicate 'lowest'"),
        ("arms: [new, old]", "arms: [new, olds]", "claims.0.arms: claim 'below': no arm 'olds'"),
        ("expect: lower", "expect: lower\n    window: {steps: 101}", "claims.0.window: claim 'below'"),
        ("expect: lower", "expect: {at_least: 1}", "claims.0.expect.unit: claim 'below'"),
    ],
)
def test_a_bad_sheet_ends_the_command_with_one_line_and_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
) -> None:
    write(tmp_path, PLAIN.replace(old, new, 1))
    assert run(["report", "mine", "--figures", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "mine.yaml, line " in line and told in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["", "# only a comment\n", "just words\n", "- a list\n"])
def test_a_file_that_is_no_sheet_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"mine\.yaml"):
        load_sheet(write(tmp_path, text))


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_sheet(tmp_path / "absent.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load_sheet(tmp_path / "binary.yaml")


def test_about_is_a_fifth_of_a_tick() -> None:
    linear = Axis(label="Loss", range=(4, 11), tick=1)
    log = Axis(label="Loss", range=(10, 1e4), tick=1, scale="log")
    assert Anchor(x=0, y=7.5).bounds(linear) == (7.3, 7.7)
    assert Anchor(x=0, y=100).bounds(log) == pytest.approx((63.0957, 158.489), rel=1e-5)
    assert Anchor(x=0, y=7.5, tolerance=0.1).bounds(linear) == (7.4, 7.6)
    assert Anchor(x=0, y=10, factor=2).bounds(log) == (5, 20)


def test_a_sheet_holds_no_more_than_its_yaml() -> None:
    raw = yaml.safe_load((FIGURES / "fig2.yaml").read_text(encoding="utf-8"))
    sheet = load_sheet(FIGURES / "fig2.yaml")
    assert [c["id"] for c in raw["claims"]] == [c.id for c in sheet.claims][9:]
    assert sheet.arm_of("Small Init Emb") == "small_init_emb"
