"""Whose certificates the sites of a sample's pages had, as the browser itself says."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import BrowserContext, Response
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.spec.network.hosts import endpoint_of
from pytest_bwa.steps.requests import MAX_RECORDS, Certificate

MAX_READ = 10
"""Sites that are asked about at once: a page may have a thousand frames."""


class SiteCertificates:
    """Those of the documents that a context opened over https, the first of each site."""

    def __init__(self) -> None:
        self._unread: dict[str, Response] = {}
        self._read: dict[str, Certificate] = {}

    def follow(self, context: BrowserContext) -> None:
        context.on("response", self._keep)

    def _keep(self, response: Response) -> None:
        if not response.url.startswith("https:") or len(self._read) >= MAX_RECORDS:
            return
        site = str(endpoint_of(response.url))
        is_document = response.request.is_navigation_request()
        if is_document and site not in self._read:
            self._unread[site] = response

    def read(self) -> None:
        """Ask the browser, which it answers only while the page is open. Called where the time for
        the page is limited."""
        for site in list(self._unread)[:MAX_READ]:
            response = self._unread.pop(site)
            try:
                details = response.security_details()
            except PlaywrightError:  # its page is gone; the site's next document is asked about
                continue
            if details and details.get("subjectName"):
                self._read[site] = Certificate(
                    site=site,
                    subject=details.get("subjectName") or "",
                    issuer=details.get("issuer") or "",
                    protocol=details.get("protocol") or "",
                    valid_from=_utc(details.get("validFrom")),
                    valid_until=_utc(details.get("validTo")),
                )

    def records(self) -> list[Certificate]:
        return list(self._read.values())


def _utc(seconds: float | None) -> str:
    try:
        time = datetime.fromtimestamp(seconds or 0, UTC)
    except (ValueError, OverflowError, OSError):  # a site may write any number there
        return ""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z") if seconds else ""
