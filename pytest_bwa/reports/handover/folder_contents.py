"""What the files of a run are, of those that are there."""

from __future__ import annotations

from pathlib import Path

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
    ("packages.txt", "packages.txt", "the packages that were installed where the run was made"),
    ("trajectory.db", "trajectory.db",
     "every page, model call and step (SQLite); bwa show and bwa view read it"),
    ("memory/", "memory", "what samples of this run learnt for later ones"),
    ("recipe.yaml", "recipe.yaml", "what the first samples taught; bwa recipe show reads it"),
    ("recipe_checks/", "recipe_checks", "samples that were run again to check the recipe"),
    ("_discovery/", "_discovery", "how the samples were found; a run of its own"),
    ("shards/", "shards",
     "what each run left of which this one was merged, with its run.json and manifest"),
    ("manifest-sha256.txt", "",
     "the SHA-256 of every other file in this folder but reviews.jsonl, signature and timestamp"),
    ("reviews.jsonl", "", "if somebody has reviewed the run: what people decided, a line each"),
    ("manifest-sha256.dsse.json", "", "if the run was signed: the signature of the manifest"),
    ("manifest-sha256.tsr", "",
     "if a timestamp was made: an authority's word when the manifest was there"),
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


def run_files(folder: Path) -> Files:
    return [(name, what) for name, found, what in _RUN if not found or any(folder.glob(found))]


def sample_files(folder: Path, within: str = "") -> Files:
    """The files of a sample; with ``within``, of any sample of a run."""
    return [
        (name, what)
        for name, found, what in _SAMPLE
        if not found or any(folder.glob(f"{within}{found}"))
    ]
