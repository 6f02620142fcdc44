"""What a task may reach, by its spec and its addresses."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest

from pytest_bwa.confinement.boundary import Boundary, boundary_of
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.confinement.request_list import (
    ActionTimes,
    ProxyLog,
    Sent,
    list_blocked,
    list_writes,
)
from pytest_bwa.confinement.upstream import ParentProxy, UnusableProxy, upstream_of
from pytest_bwa.spec.network.hosts import Endpoint
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.requests import (
    MAX_RECORDS,
    NOT_LISTED,
    PRIVATE,
    READ_ONLY,
    SEND,
    SIBLING,
    public_url,
)


def boundary(*urls: str, **spec: Any) -> Boundary:
    return boundary_of(TaskSpec(task_id="t", goal="g", **spec), urls)


@pytest.mark.parametrize(
    ("domains", "url", "reason"),
    [
        ([], "https://shop.example/other", ""),
        ([], "http://shop.example/", ""),
        ([], "http://shop.example:8080/", SIBLING),
        ([], "https://other.example/", NOT_LISTED),
        ([], "http://127.0.0.1/", NOT_LISTED),
        ([], "file:///etc/passwd", NOT_LISTED),
        ([], "data:text/html,x", ""),
        (["other.example"], "https://shop.example/", NOT_LISTED),
        (["a.shop.example"], "https://b.shop.example/", SIBLING),
        (["127.0.0.1:1"], "http://127.0.0.1:2/", SIBLING),
        (["10.0.0.1"], "http://11.0.0.1/", NOT_LISTED),
        (["*"], "https://other.example/", ""),
        (["*"], "http://2130706433/", PRIVATE),
        (["*"], "http://[fd00::1]/", PRIVATE),
        (["*"], "http://169.254.169.254/latest", PRIVATE),
        (["*"], "http://0.0.0.0/", PRIVATE),
        (["*", "10.0.0.1"], "http://10.0.0.1/", ""),
    ],
)
def test_an_address_is_refused_for_its_host(domains: list[str], url: str, reason: str) -> None:
    rules = boundary("https://shop.example/1", allowed_domains=domains)
    assert rules.url_refusal(url) == reason


def test_without_any_address_every_public_host_is_allowed() -> None:
    rules = boundary()
    assert rules.url_refusal("https://shop.example/") == ""
    assert rules.url_refusal("http://localhost.:80/") == ""  # a name: it is refused as an address
    private = ipaddress.ip_address("127.0.0.1")
    assert rules.address_refusal(Endpoint("localhost", 80), private) == PRIVATE


def test_a_name_that_the_spec_lists_may_stand_in_a_private_network() -> None:
    private, endpoint = ipaddress.ip_address("10.0.0.1"), Endpoint("wiki.corp.example", 443)
    named = boundary(allowed_domains=["*.corp.example"])
    assert named.address_refusal(endpoint, private) == ""
    assert boundary(allowed_domains=["*"]).address_refusal(endpoint, private) == PRIVATE


def test_addresses_are_listed_without_what_may_be_secret() -> None:
    url = "https://user:word@x.org/a/b?token=secret#part"
    assert public_url(url) == "https://x.org/a/b?…"
    assert public_url("data:text/html,secret") == "data:…"


def test_a_request_belongs_to_the_action_in_whose_wake_it_came() -> None:
    times = ActionTimes()
    assert times.at(1.0) == (0, False)
    for step, acts in enumerate([False, True, True]):
        times.begin(step, acts=acts)
        times._spans[-1].start, times._spans[-1].end = 100.0 * step, 100.0 * step + 10
    times._spans[-1].end = None  # it is under way
    expected = {1.0: (0, False), 105.0: (1, True), 111.9: (1, True), 113.0: (1, False)}
    assert {moment: times.at(moment) for moment in expected} == expected
    assert times.at(290.0) == (2, True)


def test_what_the_proxy_stopped_is_listed_once() -> None:
    sent = [Sent("GET", "https://a.example/1", "image", NOT_LISTED, 0.0)] * 3
    stopped = [
        Sent("CONNECT", "https://a.example:443/", reason=NOT_LISTED),
        Sent("CONNECT", "https://b.example:443/", reason=NOT_LISTED),
        Sent("POST", "http://c.example/x", reason=NOT_LISTED),
    ]
    listed, total = list_blocked(sent, stopped, ActionTimes())
    assert [(r.method, r.url, r.count) for r in listed] == [
        ("GET", "https://a.example/1", 3),
        ("CONNECT", "https://b.example:443/", 1),
        ("POST", "http://c.example/x", 1),
    ]
    assert total == 5


def test_a_tunnel_that_may_write_is_listed_and_said_beside_other_requests_to_its_host() -> None:
    log, url = ProxyLog(), "https://a.example:443/"
    log.blocked += [Sent("CONNECT", url, reason=READ_ONLY)] * 2
    sent = [Sent("POST", "https://a.example/1", "fetch", READ_ONLY)]
    listed, total = list_blocked(sent, log.blocked, ActionTimes())
    assert [(r.method, r.count) for r in listed] == [("POST", 1), ("CONNECT", 2)]
    assert total == 3
    guard = RequestGuard(boundary("https://a.example", read_only=True), log)
    assert guard.take_unsent() == f"not sent, because the task is read_only: CONNECT {url}"
    assert guard.take_unsent() == ""


def test_the_policy_is_warned_that_a_page_may_lack_what_its_worker_makes() -> None:
    guard = RequestGuard(boundary("https://a.org", read_only=True), ProxyLog())
    url = "https://a.org/draw.js"
    guard.add_unstarted_worker(url, "https://a.org/")
    assert guard.take_unsent() == (
        f"not sent, because the task is read_only: what a worker of {url} might send (it was not "
        "started, so the page may lack what it makes)"
    )


def test_writes_are_bounded_and_counted_and_the_proxy_adds_what_the_browser_left_out() -> None:
    times = ActionTimes()
    sent = [Sent("POST", f"https://a.example/{n}", "fetch") for n in range(MAX_RECORDS + 7)]
    passed = [Sent("POST", "http://a.example/late", time=0.0)]
    listed, total = list_writes(sent, passed, times)
    assert (len(listed), total) == (MAX_RECORDS, MAX_RECORDS + 8)
    assert listed[0].url == "http://a.example/late"


def test_messages_of_a_socket_count_only_in_the_wake_of_an_action() -> None:
    times = ActionTimes()
    sent = [Sent(SEND, "wss://a.example/", "websocket")]
    assert list_writes(sent, [], times) == ([], 0)
    times.begin(1, acts=True)
    sent = [Sent(SEND, "wss://a.example/", "websocket")]
    assert list_writes(sent, [], times)[1] == 1


def test_the_proxy_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("all_proxy", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("https_proxy", "http://me:word@proxy.example:3128")
    monkeypatch.setenv("no_proxy", ".corp.example,127.0.0.1")
    upstream = upstream_of(None)
    site = Endpoint("shop.example", 443)
    proxy = upstream.proxy_for("https", site)
    assert proxy == ParentProxy("proxy.example", 3128, False, "Basic bWU6d29yZA==")
    assert upstream.proxy_for("http", site) is None
    assert upstream.proxy_for("https", Endpoint("wiki.corp.example", 443)) is None
    assert upstream.proxy_for("https", Endpoint("::1", 443)) is None
    chosen = {"server": "https://p.example", "username": "a", "password": "b", "bypass": "x.org"}
    own = upstream_of(chosen)
    assert own.proxy_for("http", site) == ParentProxy("p.example", 443, True, "Basic YTpi")
    assert own.proxy_for("http", Endpoint("x.org", 80)) is None


def test_a_proxy_that_speaks_no_http_is_named() -> None:
    with pytest.raises(UnusableProxy, match="socks5"):
        upstream_of({"server": "socks5://p.example:1080"})


def test_a_relative_address_opens_no_host_whose_site_is_not_known():
    assert boundary().hosts == "*"
    assert boundary("/tickets/1", "tickets/{id}", "#/a").domains == ()
    assert boundary("/tickets/1").url_refusal("http://any.example/") == NOT_LISTED
    assert boundary("/tickets/1", "https://shop.example/").hosts == "shop.example"
