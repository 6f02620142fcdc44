"""What a test says of time without a clock that a busy machine would make wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

PLENTY = 20.0
"""Seconds for what takes far less on any machine, however busy."""
READ_SIMPLY = """() => [...document.querySelectorAll('*')].map((el) => {
  const box = el.getBoundingClientRect(), style = getComputedStyle(el);
  return [el.tagName, box.x, box.width, style.display, style.visibility, el.className,
    el.getAttribute('role'), el.firstChild?.nodeValue].join();
}).join().length"""
"""Reads what every reader of a page needs of each element, without any rule: a yardstick."""


def fastest_seconds(*calls: Callable[[], object], rounds: int = 3) -> list[float]:
    """The seconds of the fastest run of each call, to be compared with each other. They take turns,
    because a machine that is busy for a while makes all of them slow."""
    fastest = [math.inf] * len(calls)
    for _ in range(rounds):
        for number, call in enumerate(calls):
            started = time.perf_counter()
            call()
            fastest[number] = min(fastest[number], time.perf_counter() - started)
    return fastest
