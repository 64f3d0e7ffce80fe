"""Write docs/claims.md from the predicates' docstrings, or with --check say whether it is in step."""

from __future__ import annotations

import sys
from pathlib import Path

from replicate.audit.judge import RULE
from replicate.claims.reference import Entry, arms_of, entries, relations_of, unit_of

PAGE = Path(__file__).parents[1] / "docs" / "claims.md"
HEAD = """# What a claim can say

Written by `scripts/claims_reference.py` from the code; `make check` fails where it is out of step.
`replicate claims` prints the same list, `replicate new figures/mine.png` writes a sheet to fill in.

## A claim in a sheet

```yaml
claims:
  - id: faster                     # a short name
    text: Ours is 20-30 % faster at first.
    kind: speedup                  # a predicate of the list below
    arms: [ours, baseline]         # the one spoken of first, the one it is compared with last
    window: {share: [0, 0.2]}      # where in the run; the whole run by default
    scale: linear                  # or log: the predicate looks at log10 y
    expect: {between: [20, 30], tolerance: 2.5, unit: "%"}
    definitions:                   # where the sentence leaves it open: every combination is judged
      kinds: [steps_saved, reduction_ratio]
      windows: [{share: [0, 0.1]}]
```

- `window`: `{steps: [0, 10000]}`, `{share: [0, 0.2]}` of the run, or `{loss: [11, 6]}`: from where the last arm
  listed first reaches 11 (its start, where it starts below that) to where it first reaches 6. One number is a single
  point: `{steps: 10000}`, `{share: 1}`, `{loss: 6}`.
- `expect`: a relation of the predicate (`faster`), or an interval with its unit: `at_least`, `at_most`, `between`,
  `about`, widened by `tolerance`. A relation with a tolerance:
  `{relation: falls, tolerance: 1, unit: "% of the drop"}`.
- `all`, `any`: several conditions in place of `kind`. Each has a kind, arms, window, scale, expect and definitions of
  its own, or again `all` or `any`.
- `testable: false`: a sentence that no curve can show; `reason` then says why.

## The verdict

{rule}

Where a predicate measures steps to a loss, its window begins where the baseline reaches the unigram entropy of the
data (`set_up: unigram_entropy` in the sheet, the record of a rerun), where that is known, and the speed-up is also
judged over all losses, early (the first fifth of the run) and persistent (the last fifth), each apart.

## The predicates
"""


def section(entry: Entry) -> str:
    """Return a predicate's part of the page."""
    rows = [("arms", arms_of(entry)), ("unit", unit_of(entry))]
    rows.append(("relations", relations_of(entry) or "none; give an interval"))
    if entry.published_scale:
        rows.append(("rerun", "only at the published size: the number is a published loss or step itself"))
    rows.append(("source", entry.source))
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    text = f"{entry.definition} {entry.details}".strip()
    return f"### {entry.name}\n\n{text}\n\n| | |\n|---|---|\n{table}\n"


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD.replace("{rule}", RULE), *map(section, entries())])


def main() -> int:
    """Write the page, or check it."""
    if sys.argv[1:] == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page():
            return 0
        print(f"{PAGE} is out of step: run python scripts/claims_reference.py", file=sys.stderr)
        return 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
