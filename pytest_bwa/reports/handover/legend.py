"""The words of the pages, each with what it means: on the pages and in README.txt."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 100

WORDS: tuple[tuple[str, str], ...] = (
    ("sample", "one line of the list: one record that was looked up on the site"),
    ("done", "everything required was found, has the type that was asked for, stands where it is "
     "said to stand, and is in a picture of that page or in a downloaded file"),
    ("source, cited", "who answered said on which line the value stands, and the line shows it. "
     "Looked up: nobody said where, and the value was found on a page that was open"),
    ("doubted", "the value stands there, and something speaks against the place, such as another "
     "value under the same label; a person decides. It holds for all samples that have the value "
     "from that place"),
    ("partial_success", "some of it was found before a limit or an error ended the sample"),
    ("needs_review", "there is an answer, but a person must look at it; the reason says why"),
    ("failed", "there is no answer; the reason says why"),
    ("not_found", "the site says that there is no such record"),
    ("access_denied, blocked", "the site did not show the record"),
    ("broken", "the browser, the model, the disk or the site's server failed: this says nothing "
     "of the record"),
    ("not run", "the run ended before this sample, or it was not chosen"),
    ("flagged", "the run asks a person to look at this sample, whatever its status"),
    ("inconclusive", "what was to be judged was answered neither with yes nor with no"),
    ("unsure", "needs_review or inconclusive"),
    ("known bad", "before the run, the list or the task said, with a reason, that this sample "
     "would fail: its failure makes no test red, unless something broke"),
    ("test failed", "the record is as it is shown, but the test of the sample, which may check "
     "more, failed"),
    ("empty field", "some fields have a value and others have none; the sample's page says where "
     "these were looked for"),
    ("reviewed", "a person decided about this sample after the run"),
    ("policy", "what decided each step. rules: fixed rules without a model, which take a value "
     "only under the label of its field; claude: a model; replay: the steps of an earlier run"),
    ("step", "one action in the browser; step 0 opens the sample's page. The table of the steps "
     "has the time at which each ended"),
    ("clock offset", "how far the clock of the machine was from the one of the first site, by that "
     "site's answer; all times are of the machine's clock"),
    ("start of a run", "the folder's name has the time at which the run was prepared, in the "
     "machine's local time, unless a name was given. Then the run was recorded (started), and "
     "later the first sample began"),
)  # fmt: skip


def as_columns(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and what they mean, for a text file."""
    width = max(len(name) for name, _ in pairs) + 2
    lines = (
        textwrap.fill(
            f"{name:{width}}{meaning}", WIDTH, subsequent_indent=" " * width, break_on_hyphens=False
        )
        for name, meaning in pairs
    )
    return "\n".join(lines)
