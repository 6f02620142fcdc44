"""One audit in which every sample has a scripted model of its own."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_folder import AuditFolder, FinishedRun
from wire.messages_server import Answer, MessagesServer, Request

Model = Sequence[Answer] | Callable[[int, Request], Answer]
"""Answers of which the last is repeated, or a function of the number of the request (the first
is 1) and the request."""


@dataclass
class PlayedRun:
    """The finished run, and the requests that each sample's model got."""

    audit_folder: AuditFolder
    ran: FinishedRun
    requests: dict[str, list[Request]]

    def result(self, sample_id: str) -> dict[str, Any]:
        return self.audit_folder.result(sample_id)

    def file(self, sample_id: str, kind: str) -> Any:
        return json.loads((self.audit_folder.folder / sample_id / f"{kind}.json").read_text())

    def log(self, sample_id: str) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = self.file(sample_id, "action_log")
        return steps

    def prompts(self, sample_id: str) -> list[str]:
        return [request.prompt for request in self.requests[sample_id]]


def play(
    audit_folder: AuditFolder,
    models: Mapping[str, Model],
    *arguments: str,
    **environment: str,
) -> PlayedRun:
    """Run the samples that ``models`` names, with the claude policy."""
    requests: dict[str, list[Request]] = defaultdict(list)

    def script(request: Request) -> Answer:
        match = re.search(r'the sample "(\w+)"', request.body["system"][1]["text"])
        assert match
        model, received = models[match[1]], requests[match[1]]
        received.append(request)
        if callable(model):
            return model(len(received), request)
        return model[min(len(received), len(model)) - 1]

    audit_folder.samples(*models)
    with MessagesServer(script) as server:
        ran = audit_folder.audit(
            *arguments, **{"BWA_RATE_LIMITS": "{}", **environment}, ANTHROPIC_BASE_URL=server.url
        )
    return PlayedRun(audit_folder, ran, requests)
