"""A sample's last picture and a link to its page, for the report of pytest-html."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from urllib.parse import quote

from pytest_html import extras

from pytest_bwa.evidence.folder import PAGE
from pytest_bwa.reports.base import FinishedSample, Report
from pytest_bwa.reports.pictures import framed_name
from pytest_bwa.steps.artifacts import is_picture


class HtmlReportExtras(Report):
    """Made only if ``--html`` asks for that report."""

    name = "extras for pytest-html"

    def sample_finished(self, finished: FinishedSample) -> None:
        folder, html_file = finished.run.sample(finished.result.sample_id), self.context.html_file
        assert html_file is not None
        pictures = [a for a in finished.result.artifacts if is_picture(a.filename)]
        if pictures:
            last = pictures[-1]
            framed = folder / framed_name(last.filename)
            path = framed if framed.is_file() else folder / last.filename
            content = base64.b64encode(path.read_bytes()).decode()
            finished.extras.append(extras.png(content, name=last.label or last.filename))
        link = os.path.relpath(folder / PAGE, html_file.parent)
        finished.extras.append(extras.url(quote(Path(link).as_posix()), name="evidence"))
