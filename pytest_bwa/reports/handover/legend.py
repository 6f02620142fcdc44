"""The words of the pages and the files of a run, each with what it means: on the pages and in
README.txt."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

WIDTH = 100

WORDS: tuple[tuple[str, str], ...] = (
    ("sample", "one line of the list: one record that was looked up on the site"),
    ("done", "everything required was found, has the type that was asked for, stands where it is "
     "said to stand, and is in a picture of that page or in a downloaded file"),
    ("seen under a label", "the answer said on which line the value stands, and the line shows it. "
     "Looked up: nobody said where, and the value was found on a page that was open"),
    ("doubted", "the value stands there, and something speaks against the place, such as another "
     "value under the same label; a person decides. It holds for all samples that have the value "
     "from that place"),
    ("to look at",
     "to review, partly done, flagged, inconclusive or not as expected, or its test failed"),
    ("partly done, partial_success",
     "some of it was found before a limit or an error ended the sample"),
    ("to review, needs_review",
     "there is an answer, but a person must look at it; the reason says why"),
    ("failed", "there is no answer; the reason says why"),
    ("not found", "the site says that there is no such record. Accepted: the task takes that as an "
     "answer"),
    ("access denied, blocked", "the site did not show the record"),
    ("broken", "the browser, the model, the disk or the site's server failed: this says nothing "
     "of the record"),
    ("not run", "the run ended before this sample, or it was not chosen"),
    ("not as expected", "a value is not what the list says that the site ought to show"),
    ("flagged", "the run asks a person to look at this sample, whatever its status"),
    ("inconclusive", "the question was answered with neither yes nor no"),
    ("unsure", "to review or inconclusive"),
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


Files = list[tuple[str, str]]

# The name, the pattern that finds it, and what it is. Without a pattern, it is written later.
_RUN = (
    ("index.html", "", "the run: a table of all samples, with totals; open it in any browser"),
    ("combined.csv", "combined.csv", "one row for each sample, for a spreadsheet"),
    ("combined.FIELD.csv", "combined.*.csv",
     "one row for each item of a field that may hold several"),
    ("combined.xlsx", "combined.xlsx", "all of these as one Excel file"),
    ("combined.parquet", "combined.parquet",
     "combined.csv with typed columns, for programs; the items of a field lie beside it"),
    ("run.json", "run.json",
     "what ran: who, when, where, versions, inputs with their SHA-256, counts"),
    ("task_spec.json", "task_spec.json", "the task: what was asked of every sample"),
    ("samples.csv", "samples.csv", "the list of samples"),
    ("population.csv", "population.csv", "the list that the samples were drawn from"),
    ("packages.txt", "packages.txt", "the packages that were installed where the run was made"),
    ("trajectory.db", "trajectory.db",
     "every page, model call and step (SQLite); bwa show and bwa view read it"),
    ("memory/", "memory", "what samples of this run learnt for later ones"),
    ("recipe.yaml", "recipe.yaml", "what the first samples taught; bwa recipe show reads it"),
    ("recipe_checks/", "recipe_checks", "samples that were run again as a check"),
    ("_discovery/", "_discovery", "how the samples were found; a run of its own"),
    ("shards/", "shards",
     "what the shards left that this run was merged from, each with its run.json and manifest"),
    ("manifest-sha256.txt", "",
     "the SHA-256 of every other file in this folder but reviews.jsonl, signature and timestamp"),
    ("reviews.jsonl", "", "if somebody has reviewed the run: what people decided, a line each"),
    ("manifest-sha256.dsse.json", "", "if the run was signed: the signature of the manifest"),
    ("manifest-sha256.tsr", "",
     "if a timestamp was made: an authority's statement of when the manifest existed"),
)  # fmt: skip
_SAMPLE = (
    ("index.html", "", "the question, each value with how and where it was seen, the pictures"),
    ("result.json", "result.json", "the answer, and for each value where it was seen"),
    ("action_log.json", "action_log.json",
     "every step; each entry contains the hash of the one before it"),
    ("pytest.json", "",
     "what pytest said of the sample's test, which may check more than the record"),
    ("01_….png", "*.png", "a picture of a page, as it was taken; result.json has its SHA-256"),
    ("01_….framed.png", "*.framed.png",
     "a copy with its address, time, sample and SHA-256 in a strip above it"),
    ("downloads/", "downloads", "files that the sample downloaded"),
    ("recordings/", "recordings",
     "pictures, traces and videos of the browser, as pytest was asked for them"),
    ("attempts/", "attempts", "what earlier attempts at the sample left"),
    ("checkpoint.json", "checkpoint.json", "what was known while the sample ran"),
    ("manifest-sha256.txt", "",
     "the SHA-256 of every other file of the sample, so that it can be handed over alone"),
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


def run_files(folder: Path) -> Files:
    return [(name, what) for name, found, what in _RUN if not found or any(folder.glob(found))]


def sample_files(folder: Path, within: str = "") -> Files:
    """The files of a sample; with ``within``, of any sample of a run."""
    return [
        (name, what)
        for name, found, what in _SAMPLE
        if not found or any(folder.glob(f"{within}{found}"))
    ]
