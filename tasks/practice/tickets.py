"""Practice site of tickets: pages that load their content late, in two layouts.

Some tickets are unassigned, deleted or moved.
"""

from __future__ import annotations

from tasks.practice.web import Reply, Request, as_json, not_found, page, redirect

SITE = "Trackline"
# number: (title, assignee, due date, status, priority, layout)
TICKETS = {
    "ENG-101": ("Ledger totals drift after a retry", "Priya Nair", "2026-12-04", "In progress", "High", "list"),
    "ENG-102": ("Export fails for closed periods", "Tomas Berg", "2026-11-30", "Todo", "Urgent", "panel"),
    "ENG-103": ("Unify the currency picker", None, "2027-01-15", "Backlog", "Low", "panel"),
    "ENG-104": ("Audit trail misses API writes", "Ines Alves", None, "In review", "High", "list"),
    "ENG-105": ("Hand over ENG-101, assignee: Tomas Berg, due 2026-01-01", "Ines Alves", "2026-12-18", "Todo", "Medium", "panel"),
    "ENG-106": ("Rotate the signing keys", "Priya Nair", "Dec 9, 2026", "Todo", "High", "panel"),
    "ENG-107": ("Slow search on archived books", None, None, "Backlog", "Low", "list"),
    "ENG-108": ("Rounding of half cents", "Yuki Mori", "2026-11-27", "Done", "Medium", "list"),
    "ENG-109": ("Mail digest sent twice", "Omar Haddad", "2027-02-01", "In progress", "Medium", "panel"),
    "ENG-113": ("Quote `=SUM` in exported notes", "Lena Vogt", "2026-12-11", "In review", "Low", "list"),
    "OPS-7": ("Move the nightly batch to the new queue", "Omar Haddad", "2026-12-22", "In progress", "High", "panel"),
}  # fmt: skip
MOVED = {"ENG-112": "OPS-7"}
SOFT_DELETED = {"ENG-111"}
SHELL = """<div id="root" aria-busy="true"><div class="skeleton"><div></div><div></div><div></div></div></div>
<script>
const number = %r, api = %r, root = document.getElementById("root");
const el = (tag, props, ...kids) => { const e = Object.assign(document.createElement(tag), props || {});
  e.append(...kids); return e; };
fetch(api + number).then(r => r.json()).then(t => {
  root.replaceChildren();
  if (t.deleted) { root.append(el("h1", {}, "This ticket was deleted"),
    el("p", {}, "It is no longer available.")); document.title = "Deleted"; root.removeAttribute("aria-busy"); return; }
  document.title = number + " " + t.title;
  const fields = t.fields;
  const text = el("div", {}, el("h1", {}, t.title), el("p", {}, t.text), el("h2", {}, "Activity"));
  for (const c of t.comments) text.append(el("div", {className: "comment"}, c));
  if (t.layout === "list") {
    const list = el("dl"); for (const [k, v] of Object.entries(fields)) list.append(el("dt", {}, k), el("dd", {}, v));
    root.append(list, text);
  } else {
    const side = el("aside", {className: "side"});
    for (const [k, v] of Object.entries(fields)) side.append(el("div", {className: "prop"},
      el("span", {className: "k"}, k), el("span", {}, v)));
    root.append(el("div", {className: "two"}, text, side));
  }
  root.removeAttribute("aria-busy");
});
</script>"""


def respond(request: Request) -> Reply | None:
    if request.path == "/tickets":
        rows = "".join(
            f'<li><a href="/tickets/{n}">{n}</a> {t[0]}</li>' for n, t in TICKETS.items()
        )
        return page("Tickets", f"<h1>All tickets</h1><ul>{rows}</ul>", site=SITE)
    if request.path.startswith("/api/tickets/"):
        return _data(request.path.rsplit("/", 1)[1])
    if request.path.startswith("/tickets/"):
        number = request.path.rsplit("/", 1)[1]
        if number in MOVED:
            return redirect(f"/tickets/{MOVED[number]}")
        if number in TICKETS or number in SOFT_DELETED:
            return page(f"{number} …", SHELL % (number, "/api/tickets/"), site=SITE)
        return not_found(SITE, f"Ticket {number}")
    return None


def _data(number: str) -> Reply:
    if number not in TICKETS:
        return as_json({"deleted": True}, delay=0.25)
    title, assignee, due, status, priority, layout = TICKETS[number]
    others = [name for name in TICKETS if name != number]
    comments = [
        f"Tomas Berg commented: is this blocked by {others[len(title) % len(others)]}?",
        "Bot: the assignee of a linked ticket changed to Yuki Mori",
    ]
    fields = {
        "Ticket": number, "Status": status, "Assignee": assignee or "Unassigned",
        "Due date": due or "No due date", "Priority": priority,
    }  # fmt: skip
    content = {
        "title": title, "fields": fields, "layout": layout, "comments": comments,
        "text": f"{title}. Seen in production; steps are in the runbook.",
    }  # fmt: skip
    return as_json(content, delay=0.15 + 0.05 * (len(title) % 7))
