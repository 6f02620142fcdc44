"""What the page of one sample says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from pytest_bwa.evidence.browser_recordings import recordings_of
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.reports.handover.legend import WORDS, sample_files
from pytest_bwa.reports.handover.origin import (
    Facts,
    head_facts,
    period_text,
    sample_origin,
    sites_of,
)
from pytest_bwa.reports.handover.reading_times import PageRead, ReadingTimes, note_of
from pytest_bwa.reports.handover.values import SeenValue, seen_values
from pytest_bwa.reports.handover.words import css_class, ending_in_words, title_of
from pytest_bwa.reports.pictures import (
    Box,
    as_png,
    crop,
    data_address,
    framed,
    framed_name,
    open_picture,
)
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.approval import Approval
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Artifact, Step
from pytest_bwa.steps.text import one_line

MAX_CROPS = 60
"""Values that are shown with their part of the picture; a list of 1,000 would make a page that no
program opens quickly. The picture itself is always there."""
MAX_OPEN_PIXELS = 40_000_000
"""Of the pictures that are kept open between two crops; a pixel takes three bytes."""
MAX_TEXT = 300
Row = Mapping[str, Any]
MAX_STEP_TEXT = 200


class Pictures:
    """The pictures of a sample. Few are open at a time: thirty long pages take gigabytes."""

    def __init__(self, folder: Path, artifacts: Sequence[Artifact]) -> None:
        self._folder = folder
        self._artifacts = {a.filename: a for a in artifacts if _is_picture(a)}
        self._unreadable: set[str] = set()
        self._open: dict[str, Image.Image] = {}
        """Those used last, the latest at the end."""

    def framed_copies(self, sample_id: str, workpaper: Workpaper) -> Iterator[tuple[str, bytes]]:
        """The copies with a strip above the page, by their file names."""
        for name, artifact in self._artifacts.items():
            if (page := self._page(name)) is not None:
                yield framed_name(name), as_png(framed(page, sample_id, artifact, workpaper))

    def visible_name(self, artifact: Artifact) -> str:
        """The name of the copy that has a strip, if there is one; else that of the picture."""
        name = artifact.filename
        has_copy = (self._folder / framed_name(name)).is_file()
        return framed_name(name) if has_copy else name

    def crop(self, grounding: Grounding | None) -> bytes:
        """The part of the picture around a value; empty if none shows it."""
        if grounding is None or not grounding.box:
            return b""
        return self.crop_at(grounding.artifact or "", grounding.box)

    def crop_at(self, name: str, box: Box) -> bytes:
        """The part of a picture around a box; empty if the picture does not have it."""
        page = self._page(name)
        return crop(page, box) if page is not None else b""

    def _page(self, name: str) -> Image.Image | None:
        if name not in self._artifacts or name in self._unreadable:
            return None
        page = self._open.pop(name, None) or open_picture(self._folder / name)
        if page is None:
            self._unreadable.add(name)
            return None
        self._open[name] = page
        while len(self._open) > 1 and self._pixels() > MAX_OPEN_PIXELS:
            self._open.pop(next(iter(self._open)))
        return page

    def _pixels(self) -> int:
        return sum(page.width * page.height for page in self._open.values())


def sample_content(
    finished: FinishedSample, record: RunRecord, pictures: Pictures, evidence: str = ""
) -> dict[str, Any]:
    """What the template ``sample.html`` shows. ``evidence`` is the relative address of the sample's
    folder, with a slash at its end; empty if the page lies in it."""
    result, task = finished.result, finished.task
    values = list(seen_values(result.extracted, result.grounding))
    with_box = sum(v.grounding is not None and v.grounding.box is not None for v in values)
    columns = finished.sample.columns.items()
    steps = finished.read_steps()
    times = ReadingTimes(result, steps)
    above = "../" * len(Path(finished.run.place(result.sample_id)).parts)
    return {
        "sample_id": result.sample_id,
        "title": title_of(record.workpaper.title, result.task_id),
        "head": _head(finished, record),
        "run_id": record.run_id,
        "run_page": f"{above}index.html",
        "ending": ending_in_words(result),
        "status": result.status,
        "outcome": result.outcome,
        "css_class": css_class(result),
        "known_bad": task.known_bad_reason(finished.sample),
        "flagged": result.flagged,
        "reason": result.reason,
        "notes": result.notes,
        "test": test_sentence(finished.item_report, result),
        "goal": placeholders.fill(task, finished.sample).goal.strip(),
        "inputs": [
            (name, text) for name, text in columns if text and name not in ("sample_id", "xfail")
        ],
        "pages": _by_page(_value_rows(values, pictures, finished, times)),
        "without_crop": max(0, with_box - MAX_CROPS),
        "judgment": result.judgment,
        "judgment_question": task.judgment_question or "",
        "judgment_facts": _judgment_facts(result.judgment),
        "approvals": list(_approvals(steps, pictures)),
        "pictures": [(a, pictures.visible_name(a)) for a in result.artifacts if _is_picture(a)],
        "files": [a for a in result.artifacts if not _is_picture(a)],
        "recordings": list(_recordings(finished)),
        "steps": [(step, _action(step)) for step in steps],
        "max_step_text": MAX_STEP_TEXT,
        "requests": result,
        "legend": WORDS,
        "folder_files": sample_files(finished.run.sample(result.sample_id)),
        "origin": sample_origin(result, record, has_opening=any(s.step == 0 for s in steps)),
        "evidence": evidence,
        "reviews": finished.reviews,
    }


def test_sentence(reported: ItemReport | None, result: SampleResult) -> str:
    """What became of the sample's test; empty if that follows from its record."""
    return reported.sentence if reported is not None and reported.says_more(result.passed) else ""


def _head(finished: FinishedSample, record: RunRecord) -> Facts:
    result = finished.result
    when = period_text(result.started_at, result.finished_at) if result.started_at else ""
    sites = sites_of(finished.task, record, [finished.sample])
    policy = ", ".join(filter(None, (result.policy, result.model)))
    return head_facts(record, sites, when, policy, result.usage)


def _by_page(rows: Iterator[Row]) -> dict[PageRead, list[Row]]:
    """What the values of one page share stands once, above them."""
    found: dict[PageRead, list[Row]] = {}
    for row in rows:
        found.setdefault(row["page"], []).append(row)
    return found


def _value_rows(
    values: Sequence[SeenValue],
    pictures: Pictures,
    finished: FinishedSample,
    times: ReadingTimes,
) -> Iterator[Row]:
    crops_left = MAX_CROPS
    looked_for = times.looked_for(values)
    for value in values:
        seen = value.grounding
        cut_out = data_address(pictures.crop(seen)) if crops_left else ""
        crops_left -= bool(cut_out)
        is_missing = value.value is None and not (seen and seen.cited)
        page_text = (seen.text if seen else None) or ""
        yield {
            "field": value.field,
            "text": value.text,
            "how": value.how,
            "found_by": value.found_by,
            "css_class": value.css_class,
            "seen": one_line(page_text, MAX_TEXT)
            if page_text.strip() != value.text.strip()
            else "",
            "doubts": "; ".join(seen.in_words()) if seen else "",
            "crop": cut_out,
            "is_missing": is_missing,
            "page": looked_for if is_missing else times.page_of(seen),
            "note": note_of(finished.result, value.field) if value.value is None else "",
            "reviews": [
                review
                for review in finished.reviews
                if (review.subject, review.field) == ("value", value.field)
            ],
        }


def _is_picture(artifact: Artifact) -> bool:
    return is_picture(artifact.filename)


def _judgment_facts(found: Judgment | None) -> Facts:
    """The extra keys of a judgment, and the pictures that support it."""
    if found is None:
        return []
    more = [(key, str(value)) for key, value in (found.model_extra or {}).items()]
    return [*more, *([("pictures", ", ".join(found.evidence_refs))] if found.evidence_refs else [])]


def _approvals(steps: Sequence[Step], pictures: Pictures) -> Iterator[tuple[Step, Approval, str]]:
    """With the part of its picture that shows what was pressed."""
    for step in steps:
        for approval in step.approvals:
            box = approval.box
            part = (
                pictures.crop_at(approval.picture, (box.x, box.y, box.width, box.height))
                if box
                else b""
            )
            yield step, approval, data_address(part)


def _recordings(finished: FinishedSample) -> Iterator[tuple[str, str]]:
    """The name of each, and its SHA-256."""
    folder = finished.run.sample(finished.result.sample_id)
    for path in recordings_of(folder):
        yield path.relative_to(folder).as_posix(), sha256_of(path)


def _action(step: Step) -> str:
    params = step.params
    target = params.get("url") or params.get("label") or params.get("selector") or ""
    target = next(iter(params.get("pages", ())), target)
    if step.target is not None and step.target.name:
        target = f"{step.target.role} “{step.target.name}”"
    mode = "" if step.mode == "live" else f" ({step.mode})"
    return one_line(f"{step.action} {target}".strip() + mode, MAX_STEP_TEXT)
