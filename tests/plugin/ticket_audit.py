"""An audit of tickets with a recipe and a scripted model, for the tests of recipes."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import Any

from audit_folder import AuditFolder, FinishedRun
from odd_tickets import SPEC, Ticket, model_of, publish
from wire.messages_server import MessagesServer


class TicketAudit:
    """A run with a recipe, and how many calls its model had. ``wrong`` has the values with which
    the model errs, for each ticket, and ``known`` what the list says of
    their assignees."""

    def __init__(
        self,
        folder: AuditFolder,
        all_tickets: Sequence[Ticket],
        workers: int = 0,
        known: Mapping[str, str] | None = None,
        **wrong: Any,
    ) -> None:
        self.folder, self.tickets = folder, all_tickets
        folder.spec(**SPEC)
        publish(folder.site, all_tickets)
        write_list(folder, all_tickets, known)
        with MessagesServer(model_of(all_tickets, wrong)) as server:
            self.ran: FinishedRun = folder.audit(
                "--policy=claude", "--recipe=learn", "--alluredir=allure", f"-n{workers}",
                ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-test",
                BWA_ENABLE_LESSONS="false",
            )  # fmt: skip
            self.calls = len(server.requests)
        self.results = {ticket.name: folder.result(ticket.name) for ticket in all_tickets}
        self.recipe: dict[str, Any] = folder.record()["recipe"]
        self.checks: list[dict[str, Any]] = folder.record()["check"]["checks"]

    @property
    def by_recipe(self) -> list[dict[str, Any]]:
        kinds = ("replayed", "healed")
        return [r for r in self.results.values() if r["recipe"] and r["recipe"]["kind"] in kinds]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [self.results[ticket.name] for ticket in self.tickets if ticket.kind == kind]


def write_list(
    folder: AuditFolder, all_tickets: Sequence[Ticket], known: Mapping[str, str] | None = None
) -> None:
    with (folder.path / "samples.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["sample_id", "url", *(["expected.assignee"] if known else [])])
        for ticket in all_tickets:
            cells = [known.get(ticket.name, "")] if known else []
            rows.writerow([ticket.name, f"{folder.site.url}/tickets/{ticket.name}", *cells])
