"""What the page is told, as JSON: plain texts, which it shows as they are."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from pytest_bwa.evidence.record import STATUSES, Judgment, SampleResult
from pytest_bwa.evidence.reviews import Key, Review
from pytest_bwa.proof.flagging import why_to_look
from pytest_bwa.reports.handover.reading_times import ReadingTimes
from pytest_bwa.reports.handover.values import value_text
from pytest_bwa.reports.handover.words import KINDS, ending_in_words, in_words, title_of
from pytest_bwa.reports.review.subjects import ANSWERS, ReviewSubject, subjects_of
from pytest_bwa.reports.review.written import WrittenFiles
from pytest_bwa.reports.watch import times_text
from pytest_bwa.review.live_run import Entry, Known, LiveRun, OpenGroup
from pytest_bwa.review.pictures import RunPictures
from pytest_bwa.spec.placeholders import fill_text
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.text import one_line

Json = dict[str, Any]
MAX_SHOWN = 6
"""Entries of a group that are shown to judge all of it by."""
MAX_ENTRIES = 300
"""Entries of the queue that are sent at a time; the others come when these are decided."""
MAX_LAST = 10
MAX_SIBLINGS = 8
LOOKED_AT = 200
"""Results that are read for what alike samples have; each takes a millisecond once."""
GROWN = 1.2
"""They are read again when there are so many times as many."""
MAX_TEXT = 400


def decision(review: Review) -> Json:
    """A line of the record, with what was typed as a text, too."""
    plain = review.model_dump(mode="json", exclude={"previous", "result_sha256"})
    return {
        **plain,
        "text": value_text(review.value),
        "corrected_text": value_text(review.corrected) if review.decision == "corrected" else "",
    }


class Content:
    """Makes it from the run as it is now."""

    def __init__(self, run: LiveRun, pictures: RunPictures, reviewer: str) -> None:
        self._run, self._pictures, self.reviewer = run, pictures, reviewer
        self._written: WrittenFiles | None = None
        self._fields: dict[str, list[tuple[str, str, str]]] = {}
        self._siblings_of = 0

    # -- the run ---------------------------------------------------------------------------------

    def run(self) -> Json:
        record, task = self._run.record, self._run.task
        return {
            "run_id": record.run_id,
            "task_id": record.task_id,
            "title": title_of(task.title, record.task_id),
            "goal": task.goal.strip(),
            "question": task.judgment_question or "",
            "reviewer": self.reviewer,
            "progress": self.progress(),
        }

    def progress(self) -> Json:
        run = self._run
        with run.lock:
            record = run.record
            results = [known.summary for known in run.everything()]
            return {
                "finished": len(results),
                "of": record.samples_in,
                "is_over": run.is_over,
                "is_read": run.is_read,
                "ended": record.exit_reason or "",
                "kinds": {in_words(kind): run.kinds[kind] for kind in KINDS if run.kinds[kind]},
                "to_review": run.to_review,
                "open": run.open_entries,
                "decided": dict(run.decided),
                "times": times_text(record, len(results)),
                "running": [
                    live.model_dump(
                        include={
                            "worker", "sample_id", "step", "max_steps", "state", "action", "url",
                        }
                    )
                    for live in (() if run.is_over else run.folder.live_samples())
                ],
                "last": [
                    {
                        "sample_id": result.sample_id,
                        "ending": ending_in_words(result),
                        "marks": result.review_marks,
                        "reason": one_line(result.reason, MAX_TEXT),
                        "steps": result.steps,
                    }
                    for result in reversed(results[-MAX_LAST:])
                ],
                "version": run.version,
            }  # fmt: skip

    # -- the queue -------------------------------------------------------------------------------

    def queue(self) -> Json:
        with self._run.lock:
            entries = self._run.singles()
            return {
                "version": self._run.version,
                "groups": [self._group(group) for group in self._run.groups()],
                **self._listed(entries),
            }

    def entries(self, names: Iterable[str]) -> Json:
        """What is open of these samples, without groups."""
        with self._run.lock:
            entries = self._run.open_of(names)
            return {"version": self._run.version, "groups": [], **self._listed(entries)}

    def group(self, group: OpenGroup) -> Json:
        """One group with all that is open of it."""
        return {**self._group(group), **self._listed(group.entries)}

    def _listed(self, entries: list[Entry]) -> Json:
        rows = [row for entry in entries[:MAX_ENTRIES] if (row := self._row(entry))]
        return {"entries": rows, "left": max(0, len(entries) - MAX_ENTRIES)}

    def _row(self, entry: Entry) -> Json | None:
        result = self._run.result(entry.sample_id)
        subject = subject_of(result, entry.key) if result else None
        if result is None or subject is None:
            return None
        seen = subject.grounding
        return {
            **_named(entry),
            "name": _name(subject),
            "text": one_line(subject.text, MAX_TEXT),
            "ending": ending_in_words(result),
            "marks": result.review_marks,
            "doubted": bool(_doubts(subject)),
            "source": one_line((seen.text if seen else None) or "", MAX_TEXT),
            "why": _doubts(subject),
            "crop": self._crop_address(result, subject),
        }

    def _group(self, open_group: OpenGroup) -> Json:
        group = open_group.group
        return {
            "id": group_id(open_group),
            "field": group.place.field,
            "label": group.label,
            "where": group.where,
            "why": group.why,
            "page": group.place.page,
            "samples": open_group.samples,
            "values": len(open_group.entries),
            "alike": group.detail is not None,
            "shown": [row for entry in open_group.entries[:MAX_SHOWN] if (row := self._row(entry))],
        }

    # -- one entry -------------------------------------------------------------------------------

    def entry(self, entry: Entry) -> Json | None:
        """All that a person needs to decide about it; None if there is no such thing."""
        result = self._run.result(entry.sample_id)
        subject = subject_of(result, entry.key) if result else None
        known = self._run.known(entry.sample_id)
        if result is None or subject is None or known is None:
            return None
        held = self._run.decisions(entry.sample_id)
        history = [r for r in self._run.history(entry.sample_id) if r.key == entry.key]
        return {
            **_named(entry),
            "name": _name(subject),
            "value": subject.value,
            "text": subject.text,
            **self._asked(result, subject),
            **self._where(result, subject),
            "why": _doubts(subject),
            "sample_why": why_to_look(result),
            "judgment": self._judgment(result) if subject.kind == "judgment" else None,
            "siblings": self._siblings(entry) if subject.kind == "value" else None,
            "sample": self._sample(result),
            "entries": [
                {
                    "subject": other.kind,
                    "field": other.field,
                    "name": _name(other),
                    "text": one_line(other.text, MAX_TEXT),
                    "doubted": bool(_doubts(other)),
                    "decision": _decision_or_none(held.get(other.key)),
                }
                for other in subjects_of(result)
                if other.key in known.to_review.keys
            ],
            "decision": _decision_or_none(held.get(entry.key)),
            "history": [decision(review) for review in history],
            "result_sha256": known.file.digest,
        }

    def _asked(self, result: SampleResult, subject: ReviewSubject) -> Json:
        """What was asked, and what may be answered."""
        task = self._run.task
        sample = self._run.samples.find(result.sample_id)
        columns = sample.columns if sample else {}
        goal = fill_text(task.goal, lambda name: one_line(columns.get(name, ""))).strip()
        form = task.output_schema.get(subject.field.partition("[")[0].partition(".")[0])
        choices = {"judgment": ANSWERS, "sample": STATUSES}.get(subject.kind)
        is_judged = subject.kind == "judgment"
        return {
            "question": (task.judgment_question or "") if is_judged else goal,
            "description": form.get("description", "") if isinstance(form, Mapping) else "",
            "type": _type_in_words(form) if subject.kind == "value" else "",
            "choices": [c for c in choices if c != subject.value] if choices else None,
        }

    def _where(self, result: SampleResult, subject: ReviewSubject) -> Json:
        """Where the value was seen, and when."""
        seen = subject.grounding
        times = ReadingTimes(result, self._run.folder.steps(result.sample_id))
        name = (seen.artifact if seen else None) or ""
        picture = self._picture(result, name, times)
        return {
            "how": subject.how,
            "label": (seen.name if seen else None) or "",
            "source": (seen.text if seen else None) or "",
            "url": (seen.url if seen else None) or "",
            "frame": (seen.frame if seen else None) or "",
            "read": times.page_of(seen).read,
            "crop": self._crop_address(result, subject),
            "picture": {**picture, "box": seen.box} if picture and seen else None,
            "file": "" if is_picture(name) else name,
        }

    def _crop_address(self, result: SampleResult, subject: ReviewSubject) -> str | None:
        seen = subject.grounding
        if seen is None or not seen.box or self._pictures.path(result, seen.artifact) is None:
            return None
        return f"/crop?{urlencode({'sample': result.sample_id, 'field': subject.field})}"

    def _picture(self, result: SampleResult, name: str, times: ReadingTimes) -> Json | None:
        path = self._pictures.path(result, name)
        size = self._pictures.size(path) if path else None
        if size is None:
            return None
        artifact = next(a for a in result.artifacts if a.filename == name)
        return {
            "name": name,
            "label": artifact.label,
            "url": f"/picture?{urlencode({'sample': result.sample_id, 'name': name})}",
            "width": size[0],
            "height": size[1],
            "taken": times.taken(name),
            "source_url": artifact.source_url,
        }

    def _judgment(self, result: SampleResult) -> Json | None:
        judged: Judgment | None = result.judgment
        if judged is None:
            return None
        times = ReadingTimes(result, ())
        found = (self._picture(result, name, times) for name in judged.evidence_refs)
        return {
            "answer": judged.answer,
            "confidence": judged.confidence,
            "reasoning": judged.reasoning,
            "more": [[key, value_text(value)] for key, value in (judged.model_extra or {}).items()],
            "pictures": [picture for picture in found if picture],
        }

    def _sample(self, result: SampleResult) -> Json:
        sample, folder = self._run.samples.find(result.sample_id), self._run.folder
        times = ReadingTimes(result, ())
        found = (self._picture(result, a.filename, times) for a in result.artifacts)
        return {
            "sample_id": result.sample_id,
            "ending": ending_in_words(result),
            "status": result.status,
            "outcome": result.outcome,
            "reason": result.reason,
            "notes": result.notes,
            "marks": result.review_marks,
            "inputs": [
                [name, text]
                for name, text in (sample.columns if sample else {}).items()
                if text and name != "xfail"
            ],
            "changed": self._is_changed(result),
            "address": folder.final_address(result.sample_id),
            "pictures": [picture for picture in found if picture],
            "files": [a.filename for a in result.artifacts if not is_picture(a.filename)],
        }

    def _is_changed(self, result: SampleResult) -> bool:
        """While a run goes on, nothing says what it wrote."""
        if not self._run.is_over:
            return False
        self._written = self._written or WrittenFiles(self._run.folder)
        return self._written.is_changed(result)

    # -- what alike samples have -----------------------------------------------------------------

    def _siblings(self, entry: Entry) -> Json:
        """Under which labels others have the field, and some of their values."""
        known = [*self._run.everything()][:LOOKED_AT]
        if len(known) > self._siblings_of * GROWN:
            self._siblings_of = len(known)
            self._fields = self._fields_of(known)
        found = self._fields.get(entry.key[1], [])
        labels = Counter(label for _, _, label in found)
        others = [value for value in found if value[0] != entry.sample_id]
        return {
            "labels": [{"label": name, "samples": n} for name, n in labels.most_common()],
            "values": [
                dict(zip(("sample_id", "text", "label"), value, strict=True))
                for value in others[:MAX_SIBLINGS]
            ],
        }

    def _fields_of(self, known: Iterable[Known]) -> dict[str, list[tuple[str, str, str]]]:
        """Of each field, the samples that have it, with the value and its label."""
        fields: dict[str, list[tuple[str, str, str]]] = {}
        for one in known:
            result = self._run.folder.result(one.name)
            for subject in subjects_of(result) if result else ():
                if subject.kind == "value" and subject.value is not None:
                    label = (subject.grounding.name if subject.grounding else None) or ""
                    own = fields.setdefault(subject.field, [])
                    own.append((one.name, one_line(subject.text, MAX_TEXT), label))
        return fields


def subject_of(result: SampleResult, key: Key) -> ReviewSubject | None:
    return next((subject for subject in subjects_of(result) if subject.key == key), None)


def group_id(group: OpenGroup) -> str:
    """The same for the same place as long as the run is there."""
    return hashlib.sha256("\n".join(map(str, group.group.place)).encode()).hexdigest()[:16]


def _named(entry: Entry) -> Json:
    subject, field = entry.key
    return {"sample_id": entry.sample_id, "subject": subject, "field": field}


def _name(subject: ReviewSubject) -> str:
    return subject.field if subject.kind != "judgment" else subject.kind


def _doubts(subject: ReviewSubject) -> str:
    return "; ".join(subject.grounding.in_words()) if subject.grounding else ""


def _decision_or_none(review: Review | None) -> Json | None:
    return decision(review) if review else None


def _type_in_words(form: Any) -> str:
    return form if isinstance(form, str) else value_text(form) if form else ""
