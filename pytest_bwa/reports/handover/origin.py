"""Who made a run, with what and when, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from pytest_bwa.evidence.folder import POPULATION, SAMPLES, SPEC
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import FileRecord, MergedShard, RunRecord
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.shard import ListShard
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import dollars, first_of

Facts = list[tuple[str, str]]
MAX_SHARDS, MAX_SITES = 20, 3
"""Shards and sites that a page names."""
OWN_PACKAGE, MODEL_PACKAGE = "pytest-bwa", "anthropic"


def head_facts(
    record: RunRecord, sites: Sequence[str], when: str, policy: str, usage: Usage
) -> Facts:
    """Of which site, when, by whom, and what the run is evidence of: the head of a page."""
    who = record.origin
    cost = f", {dollars(usage.cost_usd)}" if usage.calls else ""
    facts = [
        ("site", first_of(sites, MAX_SITES)),
        ("read", when),
        ("by", f"{who.user or '?'} on {who.host or '?'}" if who else ""),
        ("policy", policy + cost),
        *record.workpaper.facts(),
    ]
    return [(name, text) for name, text in facts if text]


def sites_of(task: TaskSpec, record: RunRecord, samples: Iterable[Sample]) -> list[str]:
    """The hosts of the addresses that samples begin with."""
    urls = {sample.plain_columns.get("url") or task.start_url or "" for sample in samples}
    hosts = {urlsplit(urljoin(record.base_url or "", url)).netloc for url in urls}
    return sorted(host for host in hosts if host and not set("{@") & set(host))


def period_text(started: str, finished: str) -> str:
    """From when to when, to the minute."""
    begin, end = (utc_text(time)[:16] for time in (started, finished))
    until = f" to {end.removeprefix(begin[:11])}" if end > begin else ""
    return f"{begin}{until} UTC"


def sample_origin(result: SampleResult, record: RunRecord, *, has_opening: bool) -> Facts:
    """``has_opening``: whether the log begins with step 0, which opened the page."""
    usage = result.usage
    facts = [
        ("started", time_text(result.started_at)),
        ("finished", time_text(result.finished_at)),
        ("policy", f"{result.policy} {result.model}".strip()),
        ("recipe", result.recipe.in_words() if result.recipe else ""),
        ("steps", f"{result.steps}{', after step 0, which opened the page' * has_opening}"),
        ("model", f"{usage.calls} calls, {dollars(usage.cost_usd)}" if usage.calls else "no calls"),
        *((f"certificate of {c.site}", c.in_words()) for c in result.certificates),
        ("end of the log's chain", result.log_hash),
        *run_origin(record),
    ]
    return [(name, text) for name, text in facts if text]


def run_origin(record: RunRecord) -> Facts:
    """Who ran it, with what; facts that are not known are left out."""
    origin = record.origin
    browsers = ", ".join(f"{b.name} {b.version}" for b in record.browsers)
    facts = [
        ("run by", f"{origin.user or '?'} on {origin.host or '?'}" if origin else ""),
        ("system", origin.platform if origin else ""),
        ("time zone", (origin.time_zone or "") if origin else ""),
        ("clock offset", _offset(origin.clock_offset_seconds) if origin else ""),
        ("command", shlex.join(["pytest", *origin.command_line]) if origin else ""),
        ("browser", browsers),
        ("program", _versions(record.versions, own=True)),
        ("used by it", _versions(record.versions, own=False, with_model=bool(record.models))),
        *_file("task", record.spec, SPEC),
        ("commit of the task", (origin.spec_commit or "") if origin else ""),
        *_file("list of samples", record.samples, SAMPLES),
        *_drawn(record),
        ("shard", _part(record.shard) if record.shard else ""),
        *_shards(record.merged),
    ]
    return [(name, text) for name, text in facts if text]


def _drawn(record: RunRecord) -> Facts:
    """How the samples were drawn; nothing if they are the whole list."""
    if (population := record.population) is None:
        return []
    copied = population.copy_sha256
    return [
        ("samples drawn", population.in_words(record.listed_samples)),
        ("population, the run's copy", f"{POPULATION} SHA-256 {copied}" if copied else ""),
    ]


def _part(shard: ListShard) -> str:
    return f"{shard.shard}: {shard.samples} of the {shard.rows} samples of the list"


def _shards(merged: Sequence[MergedShard]) -> Facts:
    """The runs of which this one was merged; run.json has all, also of many."""
    facts = []
    for shard in merged[:MAX_SHARDS]:
        who = shard.origin
        by = f" by {who.user or '?'} on {who.host or '?'}" if who else ""
        text = f"{shard.run_id}, {shard.samples_in} samples{by}"
        name = f"shard {shard.number}/{shard.of}"
        facts += [(name, text), (f"{name}, its manifest", f"SHA-256 {shard.manifest_sha256}")]
    left = len(merged) - MAX_SHARDS
    return [*facts, *([("more shards", f"{left}, which run.json names")] if left > 0 else [])]


def _offset(seconds: int | None) -> str:
    """How far the clock was from the first site's; empty if that is not known."""
    if seconds is None:
        return ""
    word = "behind" if seconds < 0 else "ahead of"
    return f"{abs(seconds)} s {word} the clock of the first site" if seconds else "0 s"


def _versions(versions: Mapping[str, str], *, own: bool, with_model: bool = True) -> str:
    hidden = () if with_model else (MODEL_PACKAGE,)
    names = [name for name in versions if (name == OWN_PACKAGE) == own and name not in hidden]
    return ", ".join(f"{name} {versions[name]}" for name in names)


def _file(name: str, file: FileRecord, copy: str) -> Facts:
    """The copy of a run is written in a form of its own, so both have a SHA-256."""
    copied = file.copy_sha256
    return [
        (f"{name}, as given", f"{file.path} SHA-256 {file.sha256}"),
        (f"{name}, the run's copy", f"{copy} SHA-256 {copied}" if copied else ""),
    ]


def utc_text(time: str) -> str:
    return time.replace("T", " ").removesuffix("Z")


def time_text(time: str) -> str:
    """The time in UTC and, where that is another, where the run was made; empty if there is
    none."""
    if not time:
        return ""
    local = datetime.fromisoformat(time).astimezone()
    where = f" ({local:%Y-%m-%d %H:%M:%S} local, UTC{local:%z})" if local.utcoffset() else ""
    return f"{utc_text(time)} UTC{where}"
