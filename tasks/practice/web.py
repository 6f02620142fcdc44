"""Shared parts of the practice sites: requests, replies, and the layout of a page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any

STYLE = """
:root { --ink: #1c2330; --soft: #5c6675; --line: #dfe3ea; --brand: #2f55d4; --back: #f6f7fa; }
* { box-sizing: border-box } body { margin: 0; font: 15px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--back) }
header.top { background: #fff; border-bottom: 1px solid var(--line); padding: 10px 28px;
  display: flex; gap: 22px; align-items: center } header.top b { color: var(--brand) }
header.top a { color: var(--soft); text-decoration: none }
main { max-width: 980px; margin: 26px auto; background: #fff; border: 1px solid var(--line);
  border-radius: 10px; padding: 26px 32px; min-height: 420px }
footer { max-width: 980px; margin: 0 auto 40px; color: var(--soft); font-size: 13px }
h1 { font-size: 25px; margin: 0 0 14px } h2 { font-size: 17px; margin: 24px 0 8px }
a { color: var(--brand) } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: 7px 10px; border-bottom: 1px solid var(--line) }
dl { display: grid; grid-template-columns: 170px 1fr; gap: 8px 16px; margin: 14px 0 }
dt { color: var(--soft) } dd { margin: 0 } .items { list-style: none; margin: 0; padding: 0 } code { background: #eef0f5; padding: 1px 5px;
  border-radius: 4px; font-size: 13px } .two { display: grid; grid-template-columns: 1fr 270px;
  gap: 32px } .side { border-left: 1px solid var(--line); padding-left: 24px }
.prop { margin: 0 0 14px } .prop span { display: block } .prop .k { color: var(--soft);
  font-size: 13px } .pill { background: #e8edff; color: var(--brand); border-radius: 99px;
  padding: 2px 11px; font-size: 13px } .skeleton div { height: 16px; margin: 12px 0; width: 70%;
  background: #e9ecf2; border-radius: 6px } form p { margin: 12px 0 } label { display: block;
  color: var(--soft); font-size: 13px } input, select, textarea { font: inherit; padding: 7px 10px;
  border: 1px solid #c5ccd8; border-radius: 6px; min-width: 300px } button, .button { font: inherit;
  background: var(--brand); color: #fff; border: 0; border-radius: 6px; padding: 8px 16px;
  cursor: pointer; text-decoration: none } [role=tablist] { display: flex; gap: 6px; border-bottom:
  1px solid var(--line); margin-bottom: 16px } [role=tab] { background: none; color: var(--soft);
  border-radius: 0; padding: 8px 14px } [role=tab][aria-selected=true] { color: var(--brand);
  border-bottom: 2px solid var(--brand) } .comment { border: 1px solid var(--line); border-radius:
  8px; padding: 10px 14px; margin: 10px 0 } svg.icon { width: 18px; vertical-align: -3px }
"""


@dataclass(frozen=True)
class Request:
    path: str
    query: dict[str, str]
    form: dict[str, str]
    cookies: dict[str, str]
    other_origin: str
    """Scheme, host and port of the other origin."""


@dataclass(frozen=True)
class Reply:
    body: str | bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds to wait before the reply is sent."""


def page(
    title: str, body: str, *, site: str, status: int = 200, language: str = "en", **headers: str
) -> Reply:
    header_names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(
        f"""<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>
<link rel="icon" href="data:,"><style>{STYLE}</style></head><body>
<header class="top"><b>{escape(site)}</b><nav><a href="/">All practice sites</a></nav></header>
<main>{body}</main><footer>Practice data; all of it is invented.</footer></body></html>""",
        status,
        header_names,
    )


def not_found(site: str, what: str) -> Reply:
    body = f"<h1>Page not found</h1><p>{escape(what)} does not exist.</p>"
    return page("Not found", body, site=site, status=404)


def redirect(location: str) -> Reply:
    return Reply("", 302, {"Location": location})


def as_json(content: Any, *, status: int = 200, delay: float = 0.0) -> Reply:
    return Reply(json.dumps(content), status, {"Content-Type": "application/json"}, delay)


def items(texts: Iterable[str]) -> str:
    """Return a list, or None in words if it is empty."""
    entries = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul class=items>{entries}</ul>" if entries else "None"


def definitions(pairs: dict[str, str]) -> str:
    """Return a definition list; the values are HTML."""
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{v}</dd>" for k, v in pairs.items()) + "</dl>"
