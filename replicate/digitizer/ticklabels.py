"""What a tick label may mean.

A label is read in every way that its characters allow, each with a weight: how plausible the reading is
before the axis fit has looked at the other labels. The recogniser sees 10² as "102" as readily as "10²",
loses decimal points and minus signs, and takes O for 0; unlikely readings stay listed with small weights.
"""

from __future__ import annotations

import calendar
import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence

from replicate.digitizer.model import LabelReading

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺º°", "0123456789-+00")
_RAISED = re.compile(r"(?<=\d)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹º°]+")
_DASHES = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－ー", "-"))
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2009\u202f\u2002\u2003\u2007\t", " "))
_LATEX = re.compile(r"\\(?:mathdefault|mathrm|mathregular|text)|[${}]|\\,")
_LOOKALIKES = str.maketrans(
    {**dict.fromkeys("OoQD", "0"), **dict.fromkeys("lI|!i", "1"), "S": "5", "s": "5"}
    | {"Z": "2", "z": "2", "B": "8", "b": "6", "g": "9", "q": "9"}
)

_DIGITS = r"(?:\d+(?:\.\d*)?|\.\d+)"
_PLAIN = re.compile(rf"([+-]?)({_DIGITS})$")
_GROUPED = re.compile(r"([+-]?)(\d{1,3}(?:([,' ])\d{3})(?:\3\d{3})*)(\.\d+)?$")
_COMMA = re.compile(r"([+-]?\d+),(\d+)$")
_DOT_GROUPED = re.compile(r"([+-]?\d{1,3}(?:\.\d{3})+)$")
_EXPONENT = re.compile(rf"([+-]?{_DIGITS}) ?[eE] ?([+-]?)(\d{{1,3}})$")
_POWER = re.compile(rf"([+-]?)(?:({_DIGITS}) ?[×xX*·•] ?)?(10|2|e)(\^|\*\*|-)\(?([+-]?\d+(?:\.\d+)?)\)?$")
_FLAT_PRODUCT = re.compile(rf"([+-]?{_DIGITS}) ?[×xX*·•] ?10 ?(-?\d{{1,2}})$")
_FLAT_POWER = re.compile(r"(-?)(10|2)(\d{1,2})$")
_RAISED_MARK = re.compile(r"[1lI|tT][0oOQ] ?['\"°ºª*<>^~´]{1,2}")
_SUFFIXED = re.compile(r"(.*?\d\.?) ?(k|K|M|G|B|bn|T|mn|m|µ|μ|u|n|P)$")
_SUFFIXES = {
    "k": (3, 1.0), "K": (3, 1.0), "M": (6, 1.0), "mn": (6, 0.8), "G": (9, 1.0), "B": (9, 1.0),
    "bn": (9, 1.0), "T": (12, 1.0), "P": (15, 0.5), "m": (-3, 0.5), "µ": (-6, 0.8), "μ": (-6, 0.8),
    "u": (-6, 0.4), "n": (-9, 0.3),
}  # fmt: skip
_MONTHS = {name.casefold(): i for i, name in enumerate(calendar.month_abbr) if name}
_MONTHS |= {name.casefold(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS["sept"] = 9

LEAST_WEIGHT = 0.01


def parse(text: str, alternatives: Sequence[str] = ()) -> tuple[LabelReading, ...]:
    """Return everything a tick label may mean, the most plausible first.

    Args:
        text: What the recogniser read.
        alternatives: Other readings of the same place; one that holds a "^" saw a raised exponent and is
            trusted more than flat text.

    Returns:
        Distinct readings; empty where the text has no letter or digit.
    """
    raised = any("^" in _tidy(a) for a in (text, *alternatives))
    best: dict[tuple[float, str], float] = {}
    for candidate in (text, *alternatives):
        trust = 1.0 if candidate is text or "^" in _tidy(candidate) else 0.7
        if raised and "^" not in _tidy(candidate):
            trust *= 0.25
        for reading in _readings(_tidy(candidate)):
            key = (reading.value, reading.form)
            best[key] = max(best.get(key, 0.0), reading.weight * trust)
    found = [
        LabelReading(value, form, weight) for (value, form), weight in best.items() if weight >= LEAST_WEIGHT
    ]
    if any(c.isalpha() for c in text) and not any(r.weight >= 0.5 for r in found):
        found.append(LabelReading(math.nan, "category", 0.1))
    return tuple(sorted(found, key=lambda r: (-r.weight, r.form)))


def parse_offset(text: str, alternatives: Sequence[str] = ()) -> tuple[LabelReading, ...]:
    """Return what the text at an axis' end may do to its labels.

    Args:
        text: What the recogniser read, such as "1e9", "×10⁴", "x104" or "+1.23e4".
        alternatives: Other readings of the same place.

    Returns:
        Factors (form "factor"), addends ("addend") and dates ("date"; the year or month that the labels leave
        out), the most plausible first; empty where the text is no offset.
    """
    best: dict[tuple[float, str], float] = {}
    for candidate in (text, *alternatives):
        tidy = re.sub(r"^[lI|](?=e)", "1", _tidy(candidate))
        trust = 1.0 if candidate is text or "^" in candidate else 0.7
        for value, form, weight in _offsets(tidy):
            best[value, form] = max(best.get((value, form), 0.0), weight * trust)
    return tuple(
        LabelReading(value, form, weight)
        for (value, form), weight in sorted(best.items(), key=lambda b: -b[1])
    )


def _offsets(text: str) -> Iterator[tuple[float, str, float]]:
    """Yield (value, form, weight) of an offset text."""
    match = re.fullmatch(
        r"(?:(1e-?\d{1,2}|[×xX*·] ?10\^?-?\d{1,2}|10\^-?\d{1,2}))? ?(\+ ?\d.*|- ?\d.*e.*)?", text
    )
    if not match or not text:
        yield from ((r.value, "date", r.weight) for r in _dates(text) if r.value > 1)
        return
    factor, addend = match.groups()
    if factor:
        power = re.search(r"(?:e|10\^?)(-?\d{1,2})$", factor)
        if power:
            yield 10.0 ** int(power.group(1)), "factor", 1.0
    if addend:
        values = [r for r in _readings(addend.replace(" ", "")) if r.form in ("plain", "exponent", "power")]
        for reading in values[:1]:
            yield reading.value, "addend", reading.weight


def _tidy(text: str) -> str:
    """Bring a text to plain characters: "10²" to "10^2", all minus signs to "-", LaTeX removed."""
    text = _RAISED.sub(lambda m: "^" + m.group().translate(_SUPERSCRIPTS), text.strip())
    text = _LATEX.sub("", text.replace("\\times", "×").replace("{,}", ","))
    text = text.translate(_DASHES).translate(_SPACES).replace("’", "'").replace("`", "'")
    text = re.sub(r"(?<=\d)~(?=\d)", "-", text)
    text = re.sub(r"(?<=[\d^]) (?=\^)|(?<=\^) | {2,}", "", text)
    return re.sub(r"^- (?=[\d.])", "-", text.replace("^^", "^")).strip()


def _readings(text: str) -> Iterator[LabelReading]:
    """Yield every reading of a tidy text with its weight, mistakes of the recogniser included."""
    if not text:
        return
    yield from _as_written(text)
    yield from _dates(text.strip(" .,:;'\"|_~-"))
    stripped = text.strip(" .,:;'\"|_~-" if not text.startswith("-") else " .,:;'\"|_~")
    if stripped and stripped != text:
        yield from _scaled(_as_written(stripped), 0.6)
    if text[0] in "~_=" and stripped:
        yield from _scaled(_as_written("-" + stripped), 0.4)
    if text.startswith("-"):  # a tick mark in front of the label
        yield from _scaled(_as_written(text.lstrip("- ")), 0.1)
    elif text[0].isdigit():  # a minus sign that was lost
        yield from _scaled((r for r in _as_written("-" + text) if r.value != 0), 0.08)
    swapped = text.translate(_LOOKALIKES)
    if swapped != text and (any(c.isdigit() for c in text) or set(text) <= set("OolI|S")):
        yield from _scaled(_as_written(swapped), 0.4)
    if re.fullmatch(r"-?\d+[0689]", text):  # a percent sign taken for a digit
        yield from _scaled(_as_written(text[:-1] + "%"), 0.03)
    if re.fullmatch(r"-?\d{2,4}", text):
        yield from _points_lost(text)
    unit = re.fullmatch(r"([^A-Za-z]*\d) ?([A-Za-z]{1,6}\.?)", text)
    if unit:  # trailing junk or a unit
        yield from _scaled(_as_written(unit.group(1)), 0.15)


def _scaled(readings: Iterator[LabelReading], factor: float) -> Iterator[LabelReading]:
    """Yield readings with their weights scaled."""
    for r in readings:
        yield LabelReading(r.value, r.form, r.weight * factor)


def _as_written(text: str) -> Iterator[LabelReading]:
    """Yield the readings of a text that takes every character as it stands."""
    if text.endswith("%"):
        for value, form, weight in _numbers(text[:-1].rstrip()):
            if form in ("plain", "thousands"):
                yield LabelReading(value, "percent", weight)
        return
    for value, form, weight in _numbers(text.removeprefix("$").strip()):
        yield LabelReading(value, form, weight)
    suffixed = _SUFFIXED.match(text.removeprefix("$").strip())
    if suffixed:
        power, trust = _SUFFIXES[suffixed.group(2)]
        for value, form, weight in _numbers(suffixed.group(1)):
            if form in ("plain", "thousands"):
                yield LabelReading(_times_ten(value, power), "si", weight * trust)


def _times_ten(value: float, power: int) -> float:
    """Return value * 10**power as the decimal literal would be read (4.1e6, not 4099999.9999999995)."""
    return float(f"{value!r}e{power}") if "e" not in repr(value) else value * 10.0**power


def _numbers(text: str) -> Iterator[tuple[float, str, float]]:
    """Yield (value, form, weight) for a number without a suffix."""
    if match := _PLAIN.match(text):
        digits = match.group(2)
        zeros = len(digits) > 1 and digits[0] == "0" and digits[1] != "."
        grouped = text.endswith(".000") and not zeros  # a comma read as a point: nobody writes 20.000 for 20
        yield (
            float(text),
            "plain",
            0.02 if zeros else 0.7 if match.group(1) == "+" else 0.3 if grouped else 1.0,
        )
    if match := _GROUPED.match(text):
        whole = re.sub(r"[,' ]", "", match.group(2))
        weight = 0.1 if whole.startswith("0") else 1.0
        yield float(match.group(1) + whole + (match.group(4) or "")), "thousands", weight
    if match := _COMMA.match(text):
        grouped = len(match.group(2)) == 3 and not match.group(1).lstrip("+-").startswith("0")
        weight = 0.8 if not grouped else 0.05 if match.group(2).endswith("00") else 0.25
        yield float(f"{match.group(1)}.{match.group(2)}"), "plain", weight
    if _DOT_GROUPED.match(text):
        weight = 0.9 if text.endswith(".000") else 0.35 if text.endswith("00") else 0.15
        yield float(text.replace(".", "")), "thousands", weight
    if match := _EXPONENT.match(text):
        mantissa, sign, exponent = match.groups()
        yield float(f"{mantissa}e{sign}{exponent}"), "exponent", 1.0 if "e" in text or sign else 0.7
    yield from _powers(text)
    yield from _powers_unread(text)


def _powers(text: str) -> Iterator[tuple[float, str, float]]:
    """Yield the readings of a text as a power or a multiple of one."""
    if match := _POWER.match(text):
        sign, factor, base, mark, exponent = match.groups()
        if mark == "-":
            exponent = f"-{exponent}"
        if not exponent.startswith("--"):
            weight = 1.0 if mark != "-" else 0.95 if base == "10" else 0.4
            yield _power(sign, factor or "1", base, exponent), "power", weight
    elif match := _FLAT_PRODUCT.match(text):
        yield _power("", match.group(1), "10", match.group(2)), "power", 1.0
    elif match := _FLAT_POWER.match(text):
        sign, base, exponent = match.groups()
        likely = base == "10" and not (len(exponent) == 2 and exponent[0] == "0")
        yield _power(sign, "1", base, exponent), "power", 0.4 if likely else 0.05 if base == "2" else 0.01
        if likely:  # a thin minus sign that was lost
            yield _power(sign, "1", base, f"-{exponent}"), "power", 0.03


def _powers_unread(text: str) -> Iterator[tuple[float, str, float]]:
    """Yield every power of ten for a ten whose raised exponent was read as a mark: the other labels choose."""
    if _RAISED_MARK.fullmatch(text):
        for exponent in range(-9, 10):
            yield float(f"1e{exponent}"), "power", 0.04


def _power(sign: str, factor: str, base: str, exponent: str) -> float:
    """Return sign * factor * base**exponent; exact for powers of ten."""
    if base == "10" and exponent.lstrip("+-").isdigit() and abs(int(exponent)) < 300:
        return float(f"{sign}{factor}e{exponent}")
    root = math.e if base == "e" else float(base)
    try:
        value = float(factor) * math.pow(root, float(exponent))
    except OverflowError:
        return math.inf
    return -value if sign == "-" else value


def _points_lost(text: str) -> Iterator[LabelReading]:
    """Yield the readings of whole digits whose decimal point was lost."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    if digits[0] == "0" and len(digits) > 1:
        yield LabelReading(float(f"{sign}0.{digits[1:]}"), "plain", 0.4)
        return
    for place in range(1, len(digits)):
        yield LabelReading(float(f"{sign}{digits[:place]}.{digits[place:]}"), "plain", 0.04)


# --- dates ------------------------------------------------------------------------------------------------


def decimal_year(year: int, month: int = 1, day: int = 1) -> float:
    """Return a date as a decimal year: 2010-07-02 is 2010.4986..., whole at each 1 January.

    Raises:
        ValueError: There is no such day.
    """
    start = dt.date(year, 1, 1)
    days = dt.date(year + 1, 1, 1) - start
    return year + (dt.date(year, month, day) - start).days / days.days


def _dates(text: str) -> Iterator[LabelReading]:
    """Yield the readings of a text as a date; without a year, the fraction of a common year."""
    for year, month, day, weight in _calendar(text.replace(",", " ").replace(".", " ").strip()):
        try:
            value = decimal_year(year or 2001, month, day)
        except ValueError:
            continue
        yield LabelReading(value if year else value - 2001, "date", weight)
    clock = re.fullmatch(r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?", text)
    if clock:
        hours, minutes, seconds = (int(g or 0) for g in clock.groups())
        yield LabelReading((hours + minutes / 60 + seconds / 3600) / 24 / 365, "date", 0.5)


def _calendar(text: str) -> Iterator[tuple[int | None, int, int, float]]:
    """Yield (year or None, month, day, weight) for the usual ways to write a date."""
    if re.fullmatch(r"(?:19|20)\d\d", text):
        yield int(text), 1, 1, 0.5
    if match := re.fullmatch(r"((?:19|20)\d\d)[-/ ](\d{1,2})(?:[-/ ](\d{1,2}))?", text):
        yield int(match.group(1)), int(match.group(2)), int(match.group(3) or 1), 1.0
    if match := re.fullmatch(r"(\d{1,2})[/-](\d{1,2})(?:[/-]((?:19|20)\d\d))?", text):
        first, second, year = int(match.group(1)), int(match.group(2)), match.group(3)
        yield (int(year) if year else None), first, second, 0.5
        yield (int(year) if year else None), second, first, 0.3
    if match := re.fullmatch(r"(\d{1,2})[/-]((?:19|20)\d\d)", text):
        yield int(match.group(2)), int(match.group(1)), 1, 0.9
    yield from _named_months(text)


def _named_months(text: str) -> Iterator[tuple[int | None, int, int, float]]:
    """Yield (year or None, month, day, weight) for dates with the month's name."""
    words = re.findall(r"[A-Za-z]+|\d+", text)
    months = [_MONTHS[w.casefold()] for w in words if w.casefold() in _MONTHS]
    numbers = [w for w in words if w.isdigit()]
    if len(months) != 1 or len(words) != 1 + len(numbers):
        return
    years = [int(n) for n in numbers if len(n) == 4]
    days = [int(n) for n in numbers if len(n) <= 2]
    if not numbers:
        yield None, months[0], 1, 0.9
    elif len(years) <= 1 and len(days) <= 1 and len(numbers) <= 2:
        yield (years[0] if years else None), months[0], (days[0] if days else 1), 1.0
        if days and not years:
            yield 2000 + days[0], months[0], 1, 0.3  # "Jan 21" may be a year
