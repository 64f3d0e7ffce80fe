"""Measure a large report: the size of its page, and how long a browser takes until its charts can be explored.

    python tests/bench/report.py

The page has 8 charts of 6 curves of 2,000 noisy points each, and 25 claims. Without chromium only the size is said.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from report_sample import TOOL, large  # noqa: E402

from replicate.report.build import build_page  # noqa: E402
from replicate.report.figures import inks  # noqa: E402
from replicate.report.render import render_page  # noqa: E402

TRIES = 5


def time_in_browser(page: Path, chromium: str) -> tuple[list[float], list[float]]:
    """Return the milliseconds from request to the end of loading, and the main thread's own, for each try."""
    from playwright.sync_api import sync_playwright

    walls, threads = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(TRIES):
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            session = tab.context.new_cdp_session(tab)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            tab.goto(page.as_uri())
            metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
            threads.append(1000 * metrics["TaskDuration"])
            walls.append(tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            tab.close()
        browser.close()
    return walls, threads


def main() -> None:
    """Print what was measured."""
    source = large()
    html = render_page(build_page(source, TOOL, inks(source), None))
    print(f"8 charts of 6 curves of 2,000 points, 25 claims: {len(html.encode()):,} bytes")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, encoding="utf-8")
        walls, threads = time_in_browser(page, chromium)
    print(f"until it can be explored, ms, median of {TRIES}: {statistics.median(walls):.0f}", end="")
    print(f"; of the main thread's own time {statistics.median(threads):.0f}")


if __name__ == "__main__":
    main()
