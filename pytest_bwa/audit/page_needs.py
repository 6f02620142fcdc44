"""What the first sample's page asks for beyond what its spec allows (bwa doctor --spec)."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from playwright.sync_api import Browser, Request, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.sample_page import context_options, open_page
from pytest_bwa.confinement.boundary import Boundary, boundary_of
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.confinement.guard import body_of
from pytest_bwa.errors import BrowserMissing, InputError
from pytest_bwa.page.readers import INIT_SCRIPT
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.network import advice
from pytest_bwa.spec.network.allowed_requests import operations
from pytest_bwa.spec.network.hosts import rules_of
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import first_url
from pytest_bwa.spec.samples import load_samples, sample_list_of_start_url
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.requests import CONNECT, SEND, WORKER, BlockedRequest

MAX_ROUNDS = 4
"""How often the page is opened: a style that is let through may ask for a font of a third host."""


@dataclass
class PageNeeds:
    """What was asked for and not given."""

    url: str
    resources: list[str] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    """GraphQL operations that may write, and so are never proposed."""
    opaque: list[dict[str, str]] = field(default_factory=list)
    """What would let it have WebSockets and workers, which is never proposed either."""
    domains: list[str] = field(default_factory=list)
    is_outside: bool = False
    """Whether the spec has a login, which is not used for this."""

    def to_yaml(self) -> str:
        """Lines for the spec."""
        lines = [f"# What the page {self.url} requests beyond its spec. Keep what it needs."]
        if self.is_outside:
            lines.append("# It was opened without the spec's login: what it requests behind it is")
            lines.append("# found with a saved one (bwa login NAME URL, and auth_profile).")
        if self.resources:
            lines.append(_line("allowed_resources", self.resources))
        if self.requests:
            lines.append("allow_requests:")
            lines += [f"  - {_flow(request)}" for request in self.requests]
        lines += [f"# not proposed, because it may write: {text}" for text in self.writes]
        if self.opaque:
            lines.append("# It opens WebSockets or starts workers; nobody sees what they write:")
            lines += [f"# allow_requests: [{_flow(request)}]" for request in self.opaque]
        if self.domains:
            lines.append("# Hosts of the same domain from which it requested pages or data:")
            lines.append(f"# {_line('allowed_domains', self.domains)}")
        return "\n".join(lines if lines[1:] else [*lines, "# It requests nothing else."])


def page_needs(
    spec: Path, samples: Path | None, base_url: str | None, settings: Settings
) -> PageNeeds:
    """Open the first sample's page, do nothing on it, and see what it asks for. Nothing that may
    write is sent, unless the spec allows it. Raises BwaError."""
    task = load_task(spec)
    first = _first_sample(task, spec, samples)
    filled = placeholders.fill(task, first)
    url = first_url(filled, first, base_url)
    if url is None or not urlsplit(url).netloc:
        raise InputError(f"{spec}: the first sample has no address: pass --samples or --base-url")
    boundary = replace(boundary_of(task, [url, base_url]), read_only=True)
    login = saved_login(settings.home, task.auth_profile)
    needs = PageNeeds(url, is_outside=task.login is not None and login is None)
    found = find_browser(settings.browser)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(**launch_arguments(found))
        except PlaywrightError as error:
            raise BrowserMissing(error.message.splitlines()[0]) from None
        for _ in range(MAX_ROUNDS):
            before = list(needs.resources)
            allowed = (*boundary.resources, *rules_of(before))
            visit = _Visit(replace(boundary, resources=allowed), login)
            visit.add_to(needs, browser, settings)
            if needs.resources == before:
                break
        browser.close()
    return needs


def _first_sample(task: TaskSpec, spec: Path, samples: Path | None) -> Sample:
    if samples is not None:
        return load_samples(samples, task, spec=spec).samples[0]
    if not placeholders.is_concrete(task.start_url):
        raise InputError(f"{spec}: pass --samples FILE: the spec names no page of its own")
    return sample_list_of_start_url(task).samples[0]


class _Visit:
    """One opening of the page."""

    def __init__(self, boundary: Boundary, login: Path | None) -> None:
        self._boundary, self._login = boundary, login
        self._requests: list[Request] = []

    def add_to(self, needs: PageNeeds, browser: Browser, settings: Settings) -> None:
        confinement = Confinement(self._boundary)
        options = confinement.context_options()
        page = open_page(browser.new_context, context_options(self._login, (), options))
        try:
            page.context.add_init_script(INIT_SCRIPT)
            page.context.on("request", self._keep)
            guard = confinement.attach(page.context)
            settler = PageSettler(page.context, settings.settle_timeout)
            with suppress(PlaywrightError):  # what it asked for until then is told all the same
                page.goto(needs.url, wait_until="load", timeout=settings.action_timeout * 1000)
                settler.wait(page, navigated=True)
            self._add(needs, guard.lists().blocked_requests)
        finally:
            page.context.close()
            confinement.close()

    def _keep(self, request: Request) -> None:
        self._requests.append(request)

    def _add(self, needs: PageNeeds, blocked: list[BlockedRequest]) -> None:
        _extend(needs.resources, advice.resource_hosts(blocked))
        _extend(needs.domains, advice.data_hosts(blocked))
        hosts = [host_of(r.url) for r in advice.unsent(blocked) if r.method in (SEND, WORKER)]
        _extend(needs.opaque, [{"method": CONNECT, "path": "/", "host": host} for host in hosts])
        for request in self._requests:
            method, url, body = request.method, request.url, body_of(request)
            if self._boundary.url_refusal(url) or not self._boundary.writing_refusal(
                method, url, body
            ):
                continue
            path = urlsplit(url).path or "/"
            names = operations(body)
            if names or not _is_graphql(body):
                proposed = [{"method": method, "path": path, "operation": name} for name in names]
                _extend(needs.requests, proposed or [{"method": method, "path": path}])
            else:
                _extend(needs.writes, [f"{method} {path}"])


def _is_graphql(body: bytes) -> bool:
    try:
        content = json.loads(body)
    except ValueError:
        return False
    entries = content if isinstance(content, list) else [content]
    return any(isinstance(entry, dict) and "query" in entry for entry in entries)


def _extend(known: list[Any], new: list[Any]) -> None:
    for entry in new:
        if entry not in known:
            known.append(entry)


def _line(key: str, hosts: list[str]) -> str:
    return f"{key}: {_flow(hosts)}"


def _flow(content: object) -> str:
    return yaml.safe_dump(content, default_flow_style=True, sort_keys=False, width=10_000).strip()
