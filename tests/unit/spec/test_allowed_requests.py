"""What read_only lets through is exactly what the spec names."""

from __future__ import annotations

import json

import pytest

from pytest_bwa.spec.network.allowed_requests import AllowedRequest

URL = "https://example.com/graphql?x=1"
READ = {"operationName": "Read", "query": "query Read($a: ID) { a }"}


def body(content: object) -> bytes:
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("content", "matches"),
    [
        (READ, True),
        ([READ, READ], True),
        ({"operationName": "Read"}, True),
        ({"operationName": "Other", "query": "query Other { a }"}, False),
        ({"operationName": "Read", "query": "mutation Read { a }"}, False),
        ({"operationName": "Read", "query": "query Read { a } mutation Other { b }"}, False),
        ({"operationName": "Read", "query": "{ a }"}, False),
        ([READ, {"operationName": "Other", "query": "query Other { a }"}], False),
        ([READ, {"query": "mutation { a }"}], False),
        ({"query": "query Read { a }"}, False),
        ([], False),
        ("Read", False),
    ],
)
def test_an_operation_is_known_by_its_name_and_only_reads(content: object, matches: bool) -> None:
    rule = AllowedRequest(path="/graphql", operation="Read")
    assert rule.matches("POST", URL, body(content)) is matches


CALL = {"id": 3, "method": "model.party.party.read", "params": [[1], ["name"], {}]}


@pytest.mark.parametrize(
    ("content", "matches"),
    [
        (CALL, True),
        (CALL | {"jsonrpc": "2.0"}, True),
        ([CALL, CALL | {"method": "model.party.address.read"}], True),
        (CALL | {"method": "model.party.party.write"}, False),
        (CALL | {"method": "model.party.party.read_and_write"}, False),
        ([CALL, CALL | {"method": "model.party.party.write"}], False),
        (CALL | {"query": "mutation { a }"}, False),
        (CALL | {"operationName": "Write"}, False),
        ({"method": "model.party.party.read"}, False),
        ({"method": ["model.party.party.read"], "params": []}, False),
    ],
)
def test_a_method_of_json_rpc_is_known_by_its_name(content: object, matches: bool) -> None:
    """An application that asks for all it reads by POST could not be kept from writing."""
    rule = AllowedRequest(path="/rpc/", operation="model.*.read")
    assert rule.matches("POST", "https://x.org/rpc/", body(content)) is matches


def test_a_body_that_is_no_json_names_no_operation() -> None:
    rule = AllowedRequest(path="/graphql", operation="Read")
    assert not rule.matches("POST", URL, b"operationName=Read")


@pytest.mark.parametrize(
    ("rule", "method", "url", "matches"),
    [
        ({"path": "/api/*/search"}, "POST", "https://x.org/api/v1/search?q=a", True),
        ({"path": "/api/*/search"}, "POST", "https://x.org/api/v1/other/search", False),
        ({"path": "/api/*/search"}, "PUT", "https://x.org/api/v1/search", False),
        ({"path": "/a", "method": "put"}, "PUT", "https://x.org/a", True),
        ({"path": "/a", "host": "X.org"}, "POST", "https://x.org/a", True),
        ({"path": "/a", "host": "x.org"}, "POST", "https://y.org/a", False),
        ({"path": "/"}, "POST", "https://x.org", True),
    ],
)
def test_a_request_is_known_by_method_path_and_host(
    rule: dict[str, str], method: str, url: str, matches: bool
) -> None:
    assert AllowedRequest(**rule).matches(method, url, b"") is matches  # type: ignore[arg-type]
