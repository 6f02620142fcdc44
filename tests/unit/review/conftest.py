"""A run of leases and its server, asked over the wire as a browser would."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from leases_run import finished_run

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review.server import ReviewServer


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A browser that came in by the printed address."""

    def __init__(self, server: ReviewServer) -> None:
        self.server, self.host = server, f"127.0.0.1:{server.port}"
        self.token = server.address.partition("?token=")[2]
        self.cookie = ""
        self.cookie = self.get(f"/?token={self.token}").headers["set-cookie"].partition(";")[0]

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Headers of these names replace the usual; an empty one is not sent."""
        usual = {"Host": self.host, "Cookie": self.cookie}
        if method == "POST":
            usual |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        sent = {**usual, **{name.replace("_", "-"): text for name, text in headers.items()}}
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        with suppress(BrokenPipeError):  # what is too large is refused before all of it was sent
            connection.request(method, path, body, {n: text for n, text in sent.items() if text})
        response = connection.getresponse()
        named = {name.lower(): text for name, text in response.getheaders()}
        answer = Answer(response.status, named, response.read())
        connection.close()
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, content: object, **headers: str) -> Answer:
        return self.ask("POST", path, json.dumps(content).encode(), **headers)


Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def leases_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be copied. Made in a thread of its own: Playwright starts but once in a thread."""
    folder = tmp_path_factory.mktemp("leases")
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(finished_run, folder, 30).result()


@pytest.fixture
def leases(leases_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(leases_once, tmp_path / leases_once.name))


@pytest.fixture
def visit() -> Iterator[Visit]:
    """Serves a run to a reviewer, who comes in."""
    ended: list[tuple[ReviewServer, threading.Thread]] = []

    def come(run: Path, reviewer: str = "Ada", **options: Any) -> Visitor:
        server = ReviewServer(RunFolder(run), reviewer, **options)
        thread = threading.Thread(target=server.serve)
        thread.start()
        ended.append((server, thread))
        return Visitor(server)

    yield come
    for server, _ in ended:
        server.end()
    for _, thread in ended:
        thread.join()
