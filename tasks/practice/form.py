"""An expense form: lists that depend on each other, a date picker, tabs, a report to download."""

from __future__ import annotations

import hashlib
import json
from html import escape

from tasks.practice.web import Reply, Request, as_json, definitions, page

SITE = "Payhall"
CENTRES = {
    "Finance": ("FIN-10 Treasury", "FIN-20 Controlling"),
    "Engineering": ("ENG-30 Platform", "ENG-40 Ledger"),
    "Sales": ("SAL-50 North", "SAL-60 South"),
}
FIELDS = ("employee", "department", "cost_centre", "date", "amount", "purpose")
FORM = """<h1>New expense</h1><form method="post" action="/expenses">
<p><label for="employee">Employee</label><input id="employee" name="employee" required></p>
<p><label for="department">Department</label><select id="department" name="department" required>
<option value="">Choose…</option>{departments}</select></p>
<p><label for="cost_centre">Cost centre</label><select id="cost_centre" name="cost_centre" disabled
required><option value="">Choose a department first</option></select></p>
<p><label for="date">Date</label><input id="date" name="date" placeholder="yyyy-mm-dd" required>
<span id="open" class="button" style="padding:7px 10px">Calendar</span></p>
<div id="days" hidden></div>
<p><label for="amount">Amount</label><input id="amount" name="amount" inputmode="decimal" required></p>
<p><label for="purpose">Purpose</label><textarea id="purpose" name="purpose" rows="2"></textarea></p>
<p><button>Submit expense</button></p></form>
<script>
const centre = document.getElementById("cost_centre"), days = document.getElementById("days");
document.getElementById("department").addEventListener("change", async (event) => {{
  centre.disabled = true;
  const listed = await (await fetch("/api/centres?department=" + encodeURIComponent(event.target.value))).json();
  centre.replaceChildren(new Option("Choose…", ""), ...listed.map(name => new Option(name, name)));
  centre.disabled = false;
}});
document.getElementById("open").addEventListener("click", () => {{
  days.hidden = !days.hidden;
  days.replaceChildren(...Array.from({{length: 30}}, (_, n) => Object.assign(document.createElement("button"),
    {{type: "button", textContent: n + 1, onclick: () => {{
      document.getElementById("date").value = "2026-11-" + String(n + 1).padStart(2, "0"); days.hidden = true; }} }})));
}});
</script>"""
RESULT = """<h1>Expense submitted</h1><div role="tablist">
<button role="tab" aria-selected="true" data-tab="summary">Summary</button>
<button role="tab" aria-selected="false" data-tab="attachments">Attachments</button></div>
<section id="summary">{summary}<p><a href="/expenses/{number}/report" download>Download report</a></p></section>
<section id="attachments" hidden>{attachments}</section>
<script>
for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => {{
  for (const other of document.querySelectorAll("[role=tab]")) {{
    other.setAttribute("aria-selected", other === tab);
    document.getElementById(other.dataset.tab).hidden = other !== tab;
  }}
}};
</script>"""


def respond(request: Request) -> Reply | None:
    if request.path == "/api/centres":
        return as_json(CENTRES.get(request.query.get("department", ""), ()), delay=0.2)
    if request.path == "/expenses/new":
        options = "".join(f"<option>{name}</option>" for name in CENTRES)
        return page("New expense", FORM.format(departments=options), site=SITE)
    if request.path == "/expenses":
        return _submit(request.form)
    if request.path.startswith("/expenses/") and request.path.endswith("/report"):
        return _report(request.path.split("/")[2])
    return None


def _submit(given: dict[str, str]) -> Reply:
    empty = [name for name in FIELDS[:-1] if not given.get(name)]
    if empty or given["cost_centre"] not in CENTRES.get(given["department"], ()):
        said = ", ".join(empty) or "cost_centre"
        body = f'<h1>Not submitted</h1><p role="alert">Please correct: {escape(said)}</p>'
        return page("Not submitted", body, site=SITE, status=422)
    number = (
        "EX-" + hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:6].upper()
    )
    summary = definitions({"Confirmation number": number, "Amount": escape(given["amount"])})
    attachments = definitions({"Attachment count": str(len(given["purpose"]) % 4)})
    body = RESULT.format(summary=summary, attachments=attachments, number=number)
    return page("Expense submitted", body, site=SITE)


def _report(number: str) -> Reply:
    name = f"report_{number}.csv"
    headers = {"Content-Type": "text/csv", "Content-Disposition": f'attachment; filename="{name}"'}
    return Reply(f"number,state\n{number},submitted\n", headers=headers)
