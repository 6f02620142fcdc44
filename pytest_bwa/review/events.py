"""What happens while the page is open, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from pytest_bwa.errors import BwaError
from pytest_bwa.review.approvals import Approvals
from pytest_bwa.review.content import Content, decision
from pytest_bwa.review.live_run import LiveRun

LOOK_SECONDS = 0.4
"""Between two looks at the run's folder."""
READ_SECONDS = 0.1
"""For one look, and until the next while it is not enough: the page shows the first results of a
long run while it reads the others."""
SILENT_LOOKS = 37
"""Looks after which a line is sent, so that a page that was closed is noticed: 15 seconds."""


class Events:
    """Looks at the run as long as the server runs, and tells every open page what is new."""

    def __init__(self, run: LiveRun, is_ending: Callable[[], bool]) -> None:
        self._run, self._is_ending = run, is_ending

    async def look(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS if self._run.is_read else READ_SECONDS)
            with suppress(BwaError):  # a file that is being replaced can be read at the next look
                await run_in_threadpool(self._run.look, READ_SECONDS)

    def stream(self, content: Content, approvals: Approvals) -> StreamingResponse:
        return StreamingResponse(self._events(content, approvals), media_type="text/event-stream")

    async def _events(self, content: Content, approvals: Approvals) -> AsyncIterator[str]:
        sent, version, silent = self._run.number_of_reviews, -1, 0
        progress: dict[str, Any] = {}
        waiting: dict[str, Any] = {}
        while not self._is_ending():
            now = await run_in_threadpool(content.progress)
            asked = await run_in_threadpool(approvals.waiting)
            if asked != waiting:
                waiting = asked
                yield _event("approvals", asked)
            for review in self._run.reviews_from(sent):
                sent += 1
                if review.subject != "run":
                    yield _event("decision", decision(review))
            if now["version"] != version:
                version = now["version"]
                yield _event("queue", {"version": version})
            if now != progress:
                progress, silent = now, 0
                yield _event("progress", now)
            silent += 1
            if silent % SILENT_LOOKS == 0:
                yield ":\n\n"
            await asyncio.sleep(LOOK_SECONDS)


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
