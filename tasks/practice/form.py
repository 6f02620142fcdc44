"""Practice site of an expense form: dependent lists, a date picker, tabs, a report to download."""

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
EMPLOYEES = (
    "Ada Quist",
    "Ada Quistgaard",
    "Ben Oakes",
    "Ben Okoro",
    "Carla Rossi",
    "Dan Levy",
    "Lena Vogt",
    "Mei Tanaka",
    "Omar Haddad",
    "Petra Novak",
)
FIELDS = ("employee", "department", "cost_centre", "date", "amount", "purpose")
FORM = """<h1>New expense</h1><form method="post" action="/expenses">
<p style="position:relative"><label for="employee">Employee</label><input id="employee" role="combobox"
aria-expanded="false" aria-controls="people" aria-autocomplete="list" autocomplete="off" required>
<input type="hidden" name="employee" id="chosen"></p><ul id="people" role="listbox" hidden></ul>
<p><label for="department">Department</label><select id="department" name="department" required>
<option value="">Choose…</option>{departments}</select></p>
<p><label for="cost_centre">Cost centre</label><select id="cost_centre" name="cost_centre" disabled
required><option value="">Choose a department first</option></select></p>
<p><label for="date">Date</label><input id="date" name="date" placeholder="Choose a day" readonly required></p>
<div id="calendar" role="dialog" aria-label="Choose a day" hidden><button type="button" aria-label="Previous month">‹</button>
<b id="month"></b><button type="button" aria-label="Next month">›</button><div id="days"></div></div>
<p><label for="amount">Amount</label><input id="amount" name="amount" inputmode="decimal" required></p>
<p><label for="purpose">Purpose</label><textarea id="purpose" name="purpose" rows="2"></textarea></p>
<p><button>Submit expense</button></p></form>
<script>
const $ = (id) => document.getElementById(id), centre = $("cost_centre");
// Only an employee chosen from the list is accepted; typed text alone is not.
const names = {employees};
$("employee").addEventListener("input", () => {{
  const query = $("employee").value.toLowerCase(); $("chosen").value = "";
  const matches = names.filter((name) => query && name.toLowerCase().includes(query));
  $("people").replaceChildren(...matches.map((name) => {{
    const option = Object.assign(document.createElement("li"), {{textContent: name}});
    option.setAttribute("role", "option");
    option.onclick = () => {{ $("employee").value = $("chosen").value = name; closeList(); }};
    return option;
  }}));
  $("people").hidden = !matches.length; $("employee").setAttribute("aria-expanded", !!matches.length);
}});
const closeList = () => {{ $("people").hidden = true; $("employee").setAttribute("aria-expanded", "false"); }};
$("department").addEventListener("change", async (event) => {{
  centre.disabled = true;
  const centres = await (await fetch("/api/centres?department=" + encodeURIComponent(event.target.value))).json();
  centre.replaceChildren(new Option("Choose…", ""), ...centres.map(name => new Option(name, name)));
  centre.disabled = false;
}});
// The calendar opens two months before the month that is needed.
let year = 2026, month = 8;
const draw = () => {{
  $("month").textContent = new Date(year, month).toLocaleString("en", {{month: "long", year: "numeric"}});
  const count = new Date(year, month + 1, 0).getDate();
  $("days").replaceChildren(...Array.from({{length: count}}, (_, n) => Object.assign(document.createElement("button"),
    {{type: "button", textContent: n + 1, onclick: () => {{
      $("date").value = [year, String(month + 1).padStart(2, "0"), String(n + 1).padStart(2, "0")].join("-");
      $("calendar").hidden = true; }} }})));
}};
$("date").onclick = () => {{ $("calendar").hidden = false; draw(); }};
for (const [label, by] of [["Previous month", -1], ["Next month", 1]]) {{
  document.querySelector(`[aria-label="${{label}}"]`).onclick = () => {{
    month += by; if (month < 0) {{ month = 11; year--; }} if (month > 11) {{ month = 0; year++; }} draw(); }};
}}
</script>"""
RESULT = """<h1>Expense submitted</h1><div role="tablist">
<button role="tab" aria-selected="true" aria-controls="summary">Summary</button>
<button role="tab" aria-selected="false" aria-controls="attachments">Attachments</button></div>
<section id="summary">{summary}<p><a href="/expenses/{number}/report" download>Download report</a></p></section>
<section id="attachments" hidden>{attachments}</section>
<script>
for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => {{
  for (const other of document.querySelectorAll("[role=tab]")) {{
    other.setAttribute("aria-selected", other === tab);
    document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
  }}
}};
</script>"""


def respond(request: Request) -> Reply | None:
    if request.path == "/api/centres":
        return as_json(CENTRES.get(request.query.get("department", ""), ()), delay=0.2)
    if request.path == "/expenses/new":
        options = "".join(f"<option>{name}</option>" for name in CENTRES)
        form = FORM.format(departments=options, employees=json.dumps(EMPLOYEES))
        return page("New expense", form, site=SITE)
    if request.path == "/expenses":
        return _submit(request.form)
    if request.path.startswith("/expenses/") and request.path.endswith("/report"):
        return _report(request.path.split("/")[2])
    return None


def _submit(values: dict[str, str]) -> Reply:
    empty = [name for name in FIELDS[:-1] if not values.get(name)]
    if empty or values["cost_centre"] not in CENTRES.get(values["department"], ()):
        invalid = ", ".join(empty) or "cost_centre"
        body = f'<h1>Not submitted</h1><p role="alert">Please correct: {escape(invalid)}</p>'
        return page("Not submitted", body, site=SITE, status=422)
    number = (
        "EX-" + hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:6].upper()
    )
    summary = definitions({"Confirmation number": number, "Amount": escape(values["amount"])})
    attachments = definitions({"Attachment count": str(len(values["purpose"]) % 4)})
    body = RESULT.format(summary=summary, attachments=attachments, number=number)
    return page("Expense submitted", body, site=SITE)


def _report(number: str) -> Reply:
    name = f"report_{number}.csv"
    headers = {"Content-Type": "text/csv", "Content-Disposition": f'attachment; filename="{name}"'}
    return Reply(f"number,state\n{number},submitted\n", headers=headers)
