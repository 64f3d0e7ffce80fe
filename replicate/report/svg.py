"""SVG elements as escaped markup."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape


def coordinate(value: float) -> str:
    """Return a drawing coordinate with one decimal at most, the same on every machine."""
    text = f"{value:.1f}"
    return "0" if text in ("0.0", "-0.0") else text.removesuffix(".0")


def element(tag: str, *children: str | Markup, **attributes: str | float | None) -> Markup:
    """Return an SVG element.

    Args:
        tag: Its name.
        *children: What stands in it; plain text is escaped, markup is kept.
        **attributes: Its attributes; ``_`` in a name stands for ``-``, a trailing one is dropped, numbers
            are rounded to a tenth, None leaves the attribute out.
    """
    written = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), _text(value))
        for name, value in attributes.items()
        if value is not None
    )
    inside = join(children)
    # Names of elements and attributes come from this package alone.
    return Markup(f"<{tag}{written}>{inside}</{tag}>") if inside else Markup(f"<{tag}{written}/>")  # noqa: S704


def join(children: Iterable[str | Markup]) -> Markup:
    """Return the children one after the other; plain text is escaped."""
    return Markup("").join(escape(child) for child in children)


def _text(value: str | float) -> str:
    """Return an attribute's value as text."""
    return value if isinstance(value, str) else coordinate(value)
