"""What a sample costs beside bare Playwright: ``python tests/bench [--rounds N]``.

A page of 340 elements that fills itself after 0.12 s; a policy that answers at once. Every round
opens a context of its own, for us and for bare Playwright alike, one after the other; the table
gives medians of the rounds and their ratio. Nothing here is a test: a machine that is busy gives
other seconds, so quote ratios.

The marks (issue 2): navigate, one idle action, done, with a fresh context, in at most half of what
browser-use takes of its own (``--browser-use PYTHON`` names the interpreter of an environment that
has it; 1.9 s was measured for 0.13.14); with the screenshot, at most 1.3 times bare Playwright
doing the same calls. ``--samples N`` runs N practice-like samples at -n 2 and prints each worker's
memory over time: the last quarter must not be above the first. ``--prompts`` prints how large the
prompts of a scripted run of fifty steps are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.many import many_samples
from bench.one import measure, table
from bench.prompts import prompts


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--browser-use", metavar="PYTHON", help="interpreter that has browser-use")
    parser.add_argument("--samples", type=int, metavar="N", help="run N samples, print memory")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what --samples made there")
    parser.add_argument("--prompts", action="store_true", help="print the sizes of prompts")
    asked = parser.parse_args()
    if asked.prompts:
        prompts()
        return
    if asked.samples:
        many_samples(asked.samples, asked.keep)
        return
    with tempfile.TemporaryDirectory() as folder:
        ours, bare, address = measure(Path(folder), asked.rounds)
        print(table(ours, bare))
        with address:
            if asked.browser_use:
                script = Path(__file__).parent / "browser_use_steps.py"
                command = [asked.browser_use, str(script), address.url, str(asked.rounds)]
                # Its telemetry has no network here, and its log would bury the table.
                quiet = {"ANONYMIZED_TELEMETRY": "false", "BROWSER_USE_LOGGING_LEVEL": "result"}
                subprocess.run(
                    command, check=True, env={**os.environ, **quiet}, stderr=subprocess.DEVNULL
                )


main()
