"""Every spelling of a host is one host, and an entry of a spec means what it says."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.load import build_task
from pytest_bwa.spec.network.hosts import Endpoint, HostRule, endpoint_of, normalised

LOCAL = [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1.",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1%2e", "%31%32%37.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("host", LOCAL)
def test_each_spelling_of_an_address_is_that_address(host: str) -> None:
    assert normalised(host) == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "form"),
    [
        ("Example.COM.", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("ＥＸＡＭＰＬＥ.com", "example.com"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[fe80::1%eth0]", "fe80::1"),
        ("build_1.example", "build_1.example"),
    ],
)
def test_a_host_has_the_form_that_browsers_use(host: str, form: str) -> None:
    assert normalised(host) == form


@pytest.mark.parametrize("host", ["", "a b", "a/b", "a@b", "1.2.3.999", "[::g]", "a..b", "-\\-"])
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ValueError):
        normalised(host)


@pytest.mark.parametrize(
    ("url", "goes_to"),
    [
        ("https://example.com", "example.com:443"),
        ("ws://example.com/x", "example.com:80"),
        ("http://allowed.example@127.0.0.1:81/", "127.0.0.1:81"),
        ("http://allowed.example:80@[::1]:81/", "[::1]:81"),
        ("http://example.com:99999/", "None"),
        ("mailto:a@example.com", "None"),
    ],
)
def test_a_request_goes_to_the_host_of_its_address(url: str, goes_to: str) -> None:
    assert str(endpoint_of(url)) == goes_to


@pytest.mark.parametrize(
    ("entry", "host", "port", "matches"),
    [
        ("example.com", "example.com", 8443, True),
        ("example.com", "www.example.com", 443, False),
        ("example.com", "badexample.com", 443, False),
        ("*.example.com", "a.b.example.com", 443, True),
        ("*.example.com", "example.com", 443, False),
        ("*.example.com", "badexample.com", 443, False),
        ("EXAMPLE.com.:8080", "example.com", 8080, True),
        ("example.com:8080", "example.com", 80, False),
        ("[::1]:80", "::1", 80, True),
        ("2130706433", "127.0.0.1", 80, True),
        ("*", "anything.example", 1, True),
    ],
)
def test_an_entry_stands_for_its_host(entry: str, host: str, port: int, matches: bool) -> None:
    assert HostRule.parse(entry).matches(Endpoint(host, port)) is matches


def test_the_site_of_an_address_is_its_host_on_its_port() -> None:
    usual, own = HostRule.of_url("https://example.com/a"), HostRule.of_url("http://127.0.0.1:81")
    assert usual is not None
    assert own is not None
    ports = [80, 443, 81]
    assert [usual.matches(Endpoint("example.com", port)) for port in ports] == [True, True, False]
    assert [own.matches(Endpoint("127.0.0.1", port)) for port in ports] == [False, False, True]


@pytest.mark.parametrize("key", ["allowed_domains", "allowed_resources"])
def test_an_entry_that_is_no_host_is_refused_with_the_file(key: str) -> None:
    content = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}}
    with pytest.raises(SpecError, match=rf'(?s)t\.yaml.*{key}.*"https://example.com/".*not a host'):
        build_task({**content, key: ["https://example.com/"]}, "t.yaml")
