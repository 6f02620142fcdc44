"""What a sample proves of all: exact bounds of a proportion, at 95 %."""

from __future__ import annotations

from math import comb, exp, lgamma, log, log1p

CONFIDENCE = 0.95
_EXACT_UP_TO = 200
"""Trials up to which the terms of the sum are added as they are."""
_NEGLIGIBLE = 1e-12
"""The part of the sum below which a term, and what comes after it, says nothing more."""


def at_least(right: int, of: int) -> float:
    """The lower bound of the part of all that are right, if so many of a random sample are: the
    one-sided bound of C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", Biometrika 26 (1934). 0 without a sample."""
    return 1 - at_most(of - right, of) if of else 0.0


def lower_bound(right: int, of: int) -> float:
    """The same, as records have it."""
    return round(at_least(right, of), 4)


def at_most(found: int, of: int) -> float:
    """The upper bound of the part of all, by the same: the largest part with which as few as these
    would still be found in one of twenty samples. 1 without a sample."""
    if not of or found >= of:
        return 1.0
    low, high = found / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _as_few(found, of, middle) > 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def _as_few(found: int, of: int, part: float) -> float:
    """How likely a sample has so few, or fewer."""
    if part >= 1:
        return float(found >= of)
    if of <= _EXACT_UP_TO:
        terms = (comb(of, k) * part**k * (1 - part) ** (of - k) for k in range(found + 1))
        return sum(terms)
    total = 0.0
    for k in range(found, -1, -1):  # each is smaller than the one before
        ways = lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1)
        term = exp(ways + k * log(part) + (of - k) * log1p(-part))
        total += term
        if term <= _NEGLIGIBLE * total:
            break
    return total


def percent(part: float) -> str:
    """With one decimal."""
    return f"{100 * part:.1f} %"
