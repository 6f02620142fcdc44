"""Requests that may write by their method, but that a spec names as harmless."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.spec.network.urls import host_of

READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""All other methods may write."""
_JSON_RPC = frozenset({"jsonrpc", "id", "method", "params"})
"""The keys of a call; with any other one the body may ask for something else."""
_MUTATION = re.compile(r"\b(?:mutation|subscription)\b")


class AllowedRequest(BaseModel):
    """A kind of request that ``read_only`` lets through."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: str = "POST"
    """GET, HEAD and OPTIONS need no entry. CONNECT, with the path /, stands for what nobody can see
    into: WebSockets, and encrypted connections that offer only HTTP/1.1."""
    path: str = Field(pattern=r"^/")
    """Of the address, without query; each * stands for any characters but a slash."""
    operation: str | None = None
    """The name of the one GraphQL operation, or JSON-RPC method, that the body asks for; each *
    stands for any characters."""
    host: str | None = None
    """None: any host that the task may visit."""

    def matches(self, method: str, url: str, body: bytes) -> bool:
        if method.upper() != self.method.upper():
            return False
        if self.host is not None and host_of(url) != self.host.lower():
            return False
        pattern = re.escape(self.path).replace(r"\*", "[^/]*")
        if re.fullmatch(pattern, urlsplit(url).path or "/") is None:
            return False
        if self.operation is None:
            return True
        operation, names = re.escape(self.operation).replace(r"\*", ".*"), operations(body)
        return bool(names) and all(re.fullmatch(operation, name) for name in names)


def operations(body: bytes) -> set[str]:
    """The names of the GraphQL operations, or JSON-RPC methods, that a body asks for; empty if it
    is something else, or if one of the operations may write."""
    try:
        content = json.loads(body)
    except ValueError:
        return set()
    asked = content if isinstance(content, list) else [content]
    names = [_operation(entry) for entry in asked]
    return {name for name in names if name} if all(names) else set()


def _operation(entry: Any) -> str:
    if not isinstance(entry, dict):
        return ""
    if {"method", "params"} <= entry.keys() <= _JSON_RPC:
        return str(entry["method"])
    name, query = entry.get("operationName"), entry.get("query") or ""
    if not isinstance(name, str) or not isinstance(query, str) or _MUTATION.search(query):
        return ""
    is_named = not query or re.search(rf"\bquery\s+{re.escape(name)}\b", query)
    return name if is_named else ""
