"""What the page may ask for, and what it gets. The door has checked each request before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.evidence.reviews import Review
from pytest_bwa.review.approvals import Approvals, ApprovalWish
from pytest_bwa.review.content import Content, decision, group_id, subject_of
from pytest_bwa.review.deciding import (
    Conflict,
    Deciding,
    ManyDecisions,
    NotThere,
    OneDecision,
    TypedValue,
    Undo,
)
from pytest_bwa.review.door import BODY
from pytest_bwa.review.events import Events
from pytest_bwa.review.live_run import Entry, LiveRun
from pytest_bwa.review.pictures import RunPictures
from pytest_bwa.review.shell import shell, static_file
from pytest_bwa.review.whole_run import RandomWish, Signature, WholeRun

Asked = TypeVar("Asked", bound=BaseModel)


class Routes:
    """Each method answers one address; those that are not async run in a thread of their own."""

    def __init__(
        self,
        run: LiveRun,
        deciding: Deciding,
        whole: WholeRun,
        events: Events,
        *,
        can_decide: bool,
        draw: str = "",
    ) -> None:
        """``draw``: the hash of the random sample to begin with."""
        self._run, self._events, self._can_decide = run, events, can_decide
        self._pictures = RunPictures(run)
        self._content = Content(run, self._pictures, deciding.reviewer)
        self._deciding, self._whole, self._draw = deciding, whole, draw
        self._approvals = Approvals(run.folder, deciding.reviewer)

    def all(self) -> list[BaseRoute]:
        return [
            Route("/", self.page),
            Route("/static/{name}", self.static),
            Route("/favicon.ico", lambda request: Response(status_code=204)),
            Route("/crop", self.crop),
            Route("/picture", self.picture),
            Route("/api/run", self.run),
            Route("/api/queue", self.queue),
            Route("/api/group", self.group),
            Route("/api/entry", self.entry),
            Route("/api/events", self.events),
            Route("/api/random", self.random),
            Route("/api/sign-off", self.sign_off),
            Route("/api/random", self.draw, methods=["POST"]),
            Route("/api/sign-off", self.sign, methods=["POST"]),
            Route("/api/check", self.check, methods=["POST"]),
            Route("/api/decide", self.decide, methods=["POST"]),
            Route("/api/undo", self.undo, methods=["POST"]),
            Route("/approvals/picture", self.approval_picture),
            Route("/api/approvals", self.approve, methods=["POST"]),
        ]

    # -- the page and its pictures ---------------------------------------------------------------

    def page(self, request: Request) -> Response:
        run = self._content.run()
        names = ("run_id", "task_id", "title", "reviewer")
        return HTMLResponse(shell(can_decide=self._can_decide, **{n: run[n] for n in names}))

    def static(self, request: Request) -> Response:
        path = static_file(request.path_params["name"])
        if path is None:
            raise NotThere("there is no such file")
        return FileResponse(path)

    def crop(self, request: Request) -> Response:
        result = self._run.result(_query(request, "sample"))
        subject = subject_of(result, ("value", _query(request, "field"))) if result else None
        seen = subject.grounding if subject else None
        content = self._pictures.crop(result, seen) if result and seen else b""
        if not content:
            raise NotThere("no picture shows it")
        return Response(content, media_type="image/webp")

    def picture(self, request: Request) -> Response:
        result = self._run.result(_query(request, "sample"))
        path = self._pictures.path(result, _query(request, "name")) if result else None
        if path is None or self._pictures.size(path) is None:
            raise NotThere("the sample has no such picture")
        return FileResponse(path, media_type="image/png")

    # -- what there is ---------------------------------------------------------------------------

    def run(self, request: Request) -> Response:
        own = {"can_decide": self._can_decide, "draw": self._draw or None}
        return JSONResponse({**self._content.run(), **own})

    def queue(self, request: Request) -> Response:
        if sample := _query(request, "sample"):
            return JSONResponse(self._content.entries([sample]))
        if digest := _query(request, "draw"):
            return JSONResponse(self._content.entries(self._whole.samples_of(digest)))
        return JSONResponse(self._content.queue())

    def group(self, request: Request) -> Response:
        named = _query(request, "id")
        found = next((g for g in self._run.groups() if group_id(g) == named), None)
        if found is None:
            raise NotThere("nothing is open of that group any more")
        return JSONResponse(self._content.group(found))

    def entry(self, request: Request) -> Response:
        self._run.look_at_reviews()
        subject: Any = _query(request, "subject")
        entry = Entry(_query(request, "sample"), (subject, _query(request, "field")))
        if (found := self._content.entry(entry)) is None:
            raise NotThere("the run has no such value")
        return JSONResponse(found)

    async def events(self, request: Request) -> Response:
        return self._events.stream(self._content, self._approvals)

    def random(self, request: Request) -> Response:
        self._run.look_at_reviews()
        return JSONResponse(self._whole.random())

    def sign_off(self, request: Request) -> Response:
        self._run.look_at_reviews()
        return JSONResponse(self._whole.sign_off())

    # -- what is decided -------------------------------------------------------------------------

    def check(self, request: Request) -> Response:
        return JSONResponse(self._deciding.check(_read(TypedValue, request)))

    def decide(self, request: Request) -> Response:
        asked = _read_decision(request)
        if isinstance(asked, OneDecision):
            return self._done(self._deciding.decide(asked))
        return self._done(self._deciding.decide_many(asked))

    def undo(self, request: Request) -> Response:
        return self._done(self._deciding.undo(_read(Undo, request).hashes))

    def draw(self, request: Request) -> Response:
        return JSONResponse(self._whole.draw(_read(RandomWish, request)))

    def sign(self, request: Request) -> Response:
        return JSONResponse(self._whole.sign(_read(Signature, request)))

    # -- what is approved while the run goes on ---------------------------------------------------

    def approval_picture(self, request: Request) -> Response:
        content = self._approvals.picture(_query(request, "id"))
        return Response(content, media_type="image/png")

    def approve(self, request: Request) -> Response:
        return JSONResponse(self._approvals.decide(_read(ApprovalWish, request)))

    def _done(self, added: list[Review]) -> Response:
        undo = [r.hash for r in added if r.decision not in ("commented", "withdrawn")]
        lines = [decision(review) for review in added]
        return JSONResponse(
            {"decisions": lines, "undo": undo, "progress": self._content.progress()}
        )


def _query(request: Request, name: str) -> str:
    return request.query_params.get(name, "")


def _read(kind: type[Asked], request: Request) -> Asked:
    """The body of a request. Raises InputError."""
    try:
        return kind.model_validate_json(request.scope[BODY])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(": ".join(filter(None, (where, first["msg"])))) from error


def _read_decision(request: Request) -> OneDecision | ManyDecisions:
    """About one entry, or about many. Raises InputError."""
    if b'"sample_id"' in request.scope[BODY]:
        return _read(OneDecision, request)
    return _read(ManyDecisions, request)


def _conflict(_: Request, problem: Exception) -> Response:
    review = problem.review if isinstance(problem, Conflict) else None
    held = decision(review) if review else None
    return JSONResponse({"error": str(problem), "decision": held}, status_code=409)


def _says(status: int) -> Callable[[Request, Exception], Response]:
    def say(_: Request, problem: Exception) -> Response:
        text = problem.detail if isinstance(problem, HTTPException) else str(problem)
        status_code = problem.status_code if isinstance(problem, HTTPException) else status
        return JSONResponse({"error": text}, status_code=status_code)

    return say


PROBLEMS = {
    Conflict: _conflict,
    NotThere: _says(404),
    InputError: _says(400),
    BwaError: _says(500),
    HTTPException: _says(500),
}
"""How each problem is told to the page."""
