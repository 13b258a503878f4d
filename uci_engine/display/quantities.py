"""Counts and durations as short text."""

from __future__ import annotations


def count_text(number: int) -> str:
    """A count in four or five characters: `950`, `12.3k`, `4.5M`."""
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            value = number / unit
            return f"{value:.0f}{name}" if value >= 100 else f"{value:.1f}{name}"
    return str(number)


def seconds_text(seconds: float) -> str:
    """A duration: `0.42 s`, `12.3 s`, `3:05`, `1:03:05`."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
