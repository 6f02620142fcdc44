"""What waits for a person's approval while the run goes on, and what the person says."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlencode

from pydantic import Field

from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review.content import Json
from pytest_bwa.review.deciding import MAX_TEXT, NotThere, Wish
from pytest_bwa.review.pictures import size_of
from pytest_bwa.steps.approval import Answer
from pytest_bwa.steps.step import utc_now


class ApprovalWish(Wish):
    """What the page sends."""

    id: str
    decision: Literal["approved", "rejected"]
    comment: str = Field("", max_length=MAX_TEXT)
    alike: bool = False


class Approvals:
    """The desk of a run, as the page shows it."""

    def __init__(self, folder: RunFolder, reviewer: str) -> None:
        self._desk, self._reviewer = ApprovalDesk(folder.path), reviewer

    def waiting(self) -> Json:
        return {"waiting": [self._as_json(question) for question in self._desk.waiting()]}

    def picture(self, id: str) -> bytes:
        """Raises NotThere."""
        if (png := self._desk.picture(id)) is None:
            raise NotThere("no picture of that waits for approval")
        return png

    def decide(self, wish: ApprovalWish) -> Json:
        """What waits after it. Raises NotThere if this did not wait any more."""
        answer = Answer(
            decision=wish.decision,
            by=self._reviewer,
            at=utc_now(),
            comment=wish.comment.strip(),
            alike=wish.alike,
        )
        if not self._desk.decide(wish.id, answer):
            raise NotThere("it waits no more: its time was up, or somebody else decided")
        return self.waiting()

    def _as_json(self, question: Question) -> Json:
        return {**question.model_dump(mode="json"), "picture": self._picture(question)}

    def _picture(self, question: Question) -> Json | None:
        png, box = self._desk.picture(question.id), question.box
        if png is None or (size := size_of(png)) is None:
            return None
        return {
            "name": f"{question.sample_id} before the action",
            "url": f"/approvals/picture?{urlencode({'id': question.id})}",
            "width": size[0],
            "height": size[1],
            "box": [box.x, box.y, box.width, box.height] if box else None,
            "source_url": question.url,
            "taken": "",
        }
