"""The walk over a list that grows as it is scrolled, on a real page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_bwa.audit import audits, discovery
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.run import run_sample
from pytest_bwa.browser.sample_page import CONTEXT
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.settings import Settings
from pytest_bwa.spec.load import build_task

GROWS = """<!doctype html><title>Records</title><nav><a href="/about">About</a></nav>
<main><h1>Records</h1><p>90 records</p><ul id=list></ul><div id=end style="height:9px"></div></main>
<style>li { line-height: 48px }</style>
<script>let n = 0;
new IntersectionObserver(seen => seen.some(e => e.isIntersecting) && setTimeout(() => {
  for (const end = Math.min(n + 30, 90); n < end; ) {
    n++;
    list.insertAdjacentHTML("beforeend", `<li><a href="/records/${n}">Record ${n}</a> of ${1900 + n % 90}</li>`);
  }
}, 20)).observe(end);
</script>"""  # noqa: E501


def walked(site: Any, browser: Any, folder: Path, path: str) -> Any:
    settings = Settings(_env_file=None)
    spec = {"task_id": "records", "goal": "Read it.", "output_schema": {"a": "string"}}
    task = build_task(spec, "spec.json")
    walk = discovery.listing_task(task, site.url + path, "spec.json")
    lists = discovery.listings(walk, None, "spec.json")
    (folder / "spec.json").write_text(json.dumps(spec))
    plan = Plan(evidence=folder, run_id="r", policy="rules", model="")
    record = audits.new_record(plan, walk, folder / "spec.json", lists)
    audit = audits.written(Audit(walk, lists, record), RunFolder.create(folder, "r"))
    policy = POLICIES["rules"].create(settings, walk, ())
    context = browser.new_context(**CONTEXT)
    try:
        worker = WorkerContext(audit, policy, settings, Watchdog(lambda: False), "w")
        return run_sample(worker, discovery.LISTING, "discovery", context.new_page)
    finally:
        context.close()


def test_all_entries_behind_scrolling_are_found(site, browser, tmp_path):
    site.pages["/records"] = GROWS
    result = walked(site, browser, tmp_path, "/records")
    assert result.status == "done", result.reason
    found = [entry["url"].rpartition("/")[2] for entry in result.extracted["samples"]]
    assert found == [str(n) for n in range(1, 91)]
    assert result.extracted["total"] == 90
    assert result.artifacts
