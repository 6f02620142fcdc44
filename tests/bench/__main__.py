"""Compares the cost of a sample with bare Playwright: ``python tests/bench [--rounds N]``.

The page has 340 elements, which are added after 0.12 s, and the policy answers immediately. Every
round opens a new context for pytest-bwa and one for bare Playwright, one after the other. The table
shows the medians of the rounds and their ratio. This is not a test: seconds depend on the load of
the machine, so quote ratios.

The targets: to navigate, do one action without effect and finish, with a new context, takes at most
half the time that browser-use needs (``--browser-use PYTHON`` names the interpreter of an
environment that has it; 1.9 s was measured for version 0.13.14). With the screenshot, it takes at
most 1.3 times as long as the same calls in bare Playwright.

``--samples N`` runs N samples with -n 2 and prints the memory of each worker over time: the last
quarter must not be above the first. ``--prompts`` prints the sizes of the prompts in a scripted run
of fifty steps. ``--decisions`` plays pages with a scripted ideal model and prints its decisions,
those of one action a reply and one page after the other, the questions about pictures and the
tokens of a prompt. The marks: 1.6 decisions on single pages, 2.5 on those of several levels.
``--faults [N]`` runs N samples (1,000) with ``--workers`` (4), kills the worker of every twentieth,
and checks that all records say the same of each sample; it takes minutes. ``--recipe [N]`` runs N
tickets (1,000) of which 6 % are odd with a recipe, and some of them without: calls, seconds, money,
wrong values, what was handed over. The marks: no wrong value, 50 model calls at most, 3 samples a
second at least. ``--registers [NAME]`` runs five registers of different make, 40 records each. The
marks: none wrong, from the 13th on at most one in twenty asks a model, half the time of a run
without a recipe at 3 s a decision, and 0.2 s of CPU a sample to learn.
``--simulate N[,N…]`` writes the evidence of N samples without a browser and measures what the end
of a run costs: tables, page, manifests, ``bwa verify``, and what a resumed session reads.
``--open-pages N[,N…]`` measures what a browser takes that keeps N pages open.
``--truth [PLAY]`` lets a scripted model give right and wrong answers on pages like those of real
applications, and prints how many right ones are taken and how many wrong ones are not; a name, or a
part of one, chooses plays, and ``rules`` only the rows of the rules policy. ``--part N`` gives only
every n-th wrong answer. ``--rules [NAME]`` turns the rules and doubts off, one at a time and by
room, or those with this in their name, and prints what becomes of all pages and plays: each is
recorded once and replayed. With ``--keep DIR`` what was recorded is kept there for the next time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.faults import print_soak
from bench.many import many_samples
from bench.one import measure, table
from bench.open_pages import print_open_pages
from bench.prompts import prompts
from bench.recipe import print_comparison
from bench.register_runs import print_registers
from bench.rules.measure import print_rules
from bench.simulate import print_simulation
from bench.truth.measure import print_truth
from ideal_model.play_all import play_all
from ideal_model.play_all import table as table_of_pages


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--browser-use", metavar="PYTHON", help="interpreter that has browser-use")
    parser.add_argument("--samples", type=int, metavar="N", help="run N samples, print memory")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the files of --samples there"
    )
    parser.add_argument("--prompts", action="store_true", help="print the sizes of prompts")
    parser.add_argument("--decisions", action="store_true", help="play pages with an ideal model")
    parser.add_argument(
        "--faults", type=int, nargs="?", const=1000, metavar="N", help="kill workers of N samples"
    )
    parser.add_argument("--workers", type=int, default=4, help="workers of --faults")
    parser.add_argument(
        "--recipe", type=int, nargs="?", const=1000, metavar="N", help="run N tickets by a recipe"
    )
    parser.add_argument("--registers", nargs="?", const="", metavar="NAME", help="run registers")
    parser.add_argument("--simulate", metavar="N", help="measure the end of a run of N samples")
    parser.add_argument("--open-pages", metavar="N", help="measure a browser with N open pages")
    parser.add_argument("--truth", nargs="?", const="", metavar="PLAY", help="the truth table")
    parser.add_argument(
        "--part", type=int, default=1, metavar="N", help="every n-th answer of --truth or --rules"
    )
    parser.add_argument("--rules", nargs="?", const="", metavar="NAME", help="what rules decide")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if _is_measured_in_folder(options):
        return
    if options.open_pages:
        print_open_pages([int(number) for number in options.open_pages.split(",")])
        return
    if options.prompts:
        prompts()
        return
    if options.samples:
        many_samples(options.samples, options.keep)
        return
    with tempfile.TemporaryDirectory() as folder:
        ours, bare, address = measure(Path(folder), options.rounds)
        print(table(ours, bare))
        with address:
            if options.browser_use:
                script = Path(__file__).parent / "browser_use_steps.py"
                command = [options.browser_use, str(script), address.url, str(options.rounds)]
                # Telemetry needs the network, and the log would hide the table.
                environment = {
                    "ANONYMIZED_TELEMETRY": "false",
                    "BROWSER_USE_LOGGING_LEVEL": "result",
                }
                subprocess.run(
                    command,
                    check=True,
                    env={**os.environ, **environment},
                    stderr=subprocess.DEVNULL,
                )


def _is_measured_in_folder(options: argparse.Namespace) -> bool:
    """Measure what writes files, and say whether one of these was asked for."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        if options.truth is not None:
            print_truth(folder, options.truth, options.part)
        elif options.rules is not None:
            print_rules(folder, options.rules, options.part)
        elif options.simulate:
            print_simulation(folder, [int(number) for number in options.simulate.split(",")])
        elif options.registers is not None:
            print_registers(folder, options.registers)
        elif options.recipe:
            print_comparison(folder, options.recipe)
        elif options.faults:
            print_soak(folder, options.faults, options.workers)
        elif options.decisions:
            print(table_of_pages(play_all(Path(temporary), plain=True)))
        else:
            return False
    return True


main()
