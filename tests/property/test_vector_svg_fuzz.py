"""Whatever stands in its attributes, an SVG is read or refused in one line, and what is read is finite."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replicate.digitizer.vector.svg import read_svg
from replicate.errors import InputError

TEMPLATE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
<style>.a{{{0}}} g > .a{{fill:{1}}}</style>
<defs><path id="p" d="M0 0L1 {2}"/><marker id="m" refX="{3}" viewBox="{4}"><use href="#p"/></marker></defs>
<clipPath id="c"><rect x="{5}" width="{6}" height="9" rx="{7}"/></clipPath>
<g transform="{8}" stroke="red" stroke-width="{9}" stroke-dasharray="{10}" clip-path="url(#c)">
<path class="a" d="{11}" marker-mid="url(#m)"/><circle r="{12}"/><use href="#p" x="{13}"/></g>
<text x="{14}" dy="{15}" font-size="{16}" style="{17}">1{18}<tspan baseline-shift="{19}">2</tspan></text></svg>"""

WORDS = (
    "0 1 -1 .5 1e9 1e400 -1e300 1e-400 nan inf % px em M m L l z C c Q A a 0011 , ; : none inherit auto "
    "rgb( ) scale( rotate( matrix( translate( url(#p) url(#m) fill: opacity: font: #12 red currentColor"
)
values = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)
path_data = st.lists(st.sampled_from(WORDS.split()), max_size=12).map(
    lambda words: "M 0 0 " + " ".join(words)
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
@given(st.lists(values, min_size=20, max_size=20), path_data)
def test_any_attributes_are_read_or_refused(attributes: list[str], data: str) -> None:
    attributes[11] = data
    try:
        drawing = read_svg(TEMPLATE.format(*attributes).encode(), "a.svg")
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert all(np.isfinite(s.points).all() for p in drawing.paths for s in p.subpaths)
    assert all(np.isfinite(p.width) and np.isfinite(p.dash).all() for p in drawing.paths)
    assert all(np.isfinite(t.box).all() and np.isfinite(t.size) for t in drawing.texts)
