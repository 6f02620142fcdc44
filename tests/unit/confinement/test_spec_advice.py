"""What the summary of a run says of what was kept from its pages."""

from __future__ import annotations

from pytest_bwa.spec.network.advice import summary_lines
from pytest_bwa.steps.requests import NOT_LISTED, READ_ONLY, SIBLING, BlockedRequest


def blocked(url: str, kind: str, reason: str = NOT_LISTED, count: int = 1) -> BlockedRequest:
    return BlockedRequest(
        step=0, method="GET", url=url, resource_type=kind, reason=reason, count=count
    )


def test_the_line_to_add_to_the_spec_is_named() -> None:
    lines = summary_lines(
        [
            blocked("https://fonts.example/a", "font"),
            blocked("http://cdn.example:8080/a", "script", count=2),
            blocked("https://api.shop.example/a", "fetch", SIBLING),
            blocked("https://shop.example/a", "fetch", READ_ONLY, count=3),
        ]
    )
    assert lines == [
        "styles, scripts, fonts or pictures; allowed_resources: [cdn.example:8080, fonts.example] "
        "in the spec lets them through",
        "pages or data of the same domain; allowed_domains: [api.shop.example] "
        "in the spec lets them through",
        "3 requests that may write, because the task is read_only; "
        "bwa doctor --spec FILE prints the allow_requests that its pages need",
    ]


def test_what_only_other_sites_asked_for_is_not_named() -> None:
    assert summary_lines([blocked("https://counter.example/", "ping")]) == []
    assert summary_lines([blocked("https://counter.example/", "fetch")]) == []


def test_many_hosts_are_cut() -> None:
    [line] = summary_lines(blocked(f"https://h{n}.example/", "script") for n in range(10))
    assert "h7.example] and 2 more in the spec" in line
