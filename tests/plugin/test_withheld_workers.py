"""What a page's worker would have made is missing where a task is read_only: a null says so."""

from __future__ import annotations

import json

from audit_folder import AuditFolder

PAGE = """<!doctype html><title>Record {name}</title><h1>Record {name}</h1>
<dl><dt>Start date</dt><dd>2025-11-03</dd>{more}</dl><script>
const made = new Worker(URL.createObjectURL(new Blob(["postMessage('Finance')"])));
made.onmessage = ({data}) => document.querySelector('dl').insertAdjacentHTML('beforeend',
  `<dt>Department</dt><dd>${data}</dd>`);
</script>"""
PLAIN = "<h1>Record plain</h1><dl><dt>Start date</dt><dd>2025-11-03</dd></dl>"


def test_a_null_of_a_page_whose_worker_was_not_started_is_flagged(audit_folder: AuditFolder):
    spec = {"required_fields": ["start_date"], "required_artifacts": [], "read_only": True}
    audit_folder.spec(**spec)
    audit_folder.samples("made", "whole", "plain")
    complete = PAGE.replace("{more}", "<dt>Department</dt><dd>Finance</dd>")
    audit_folder.site.pages |= {
        "/made": PAGE.replace("{name}", "made").replace("{more}", ""),
        "/whole": complete.replace("{name}", "whole"),
        "/plain": PLAIN,
    }
    run = audit_folder.audit("--policy=rules")
    assert run.status == 0, run.text
    results = {name: audit_folder.result(name) for name in ("made", "whole", "plain")}
    found = {name: (r["extracted"]["department"], r["flagged"]) for name, r in results.items()}
    assert found == {"made": (None, True), "whole": ("Finance", False), "plain": (None, False)}
    (note,) = (note for note in results["made"]["notes"] if "worker" in note)
    assert note.startswith("nothing was found for department, and a worker of http")
    assert "1 flagged" in run.text

    allowed = [{"method": "CONNECT", "path": "/", "host": "127.0.0.1"}]
    audit_folder.spec(**spec, allow_requests=allowed)
    audit_folder.samples("made")
    assert audit_folder.audit("--policy=rules", "--evidence=started").status == 0
    (result,) = (audit_folder.path / "started").glob("run_*/made/result.json")
    made = json.loads(result.read_text())
    assert (made["extracted"]["department"], made["flagged"]) == ("Finance", False)
