"""The model: a script for each page, behind the local Messages API server."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Iterator

from wire.messages_server import Answer, Request, call, message, text_only, tool_use

from ideal_model.plays import PLAYS, Decisions
from ideal_model.prompt import Call, NotInPrompt, Prompt

PLAIN = "_plain"
"""Ends the name of a sample that is played the plain way: one action a reply, one page after the
other."""


class IdealModel:
    """Answers every request of all samples; several workers may ask at once."""

    def __init__(self) -> None:
        self.prompts: defaultdict[str, list[Prompt]] = defaultdict(list)
        """The requests for a decision, by sample."""
        self.picture_questions = 0
        """Questions about pictures, beside the decisions."""
        self.problems: dict[str, str] = {}
        """What a prompt did not show, by sample."""
        self._open: dict[str, Decisions] = {}
        self._left: dict[str, list[Call]] = {}
        """What a sample that is played the plain way has still to do."""
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            if not request.body.get("tools"):
                self.picture_questions += 1
                return text_only("nothing more")
            return self._decide(Prompt(request))

    def _decide(self, prompt: Prompt) -> Answer:
        name = prompt.sample_id
        self.prompts[name].append(prompt)
        try:
            if not name.endswith(PLAIN):
                calls = self._next(name, prompt)
            else:
                if not self._left.get(name):
                    earlier = "".join(one.page for one in reversed(self.prompts[name][:-1]))
                    own = Prompt(prompt.request, earlier)
                    self._left[name] = list(_one_by_one(self._next(name, own), own))
                calls = [self._left[name].pop(0)]
        except (NotInPrompt, ValueError, AssertionError) as problem:
            self.problems.setdefault(name, f"the prompt does not show {problem}")
        except StopIteration:
            self.problems.setdefault(name, f"the last answer was not taken: {_notices(prompt)}")
        else:
            return message(*calls, stop_reason="tool_use")
        return tool_use("fail", note=self.problems[name], kind="other")

    def _next(self, name: str, prompt: Prompt) -> list[Call]:
        """The calls of the next decision."""
        if name in self._open:
            return self._open[name].send(prompt)
        self._open[name] = PLAYS[name.removesuffix(PLAIN)].decide(prompt)
        return next(self._open[name])


def _one_by_one(calls: list[Call], prompt: Prompt) -> Iterator[Call]:
    """The same calls, but each page that would be read is opened by its address."""
    for one in calls:
        if one["name"] != "read":
            yield one
            continue
        for number in one["input"]["pages"]:
            (address,) = re.findall(rf"\[{number}\] \[link\] .* → (\S+)", prompt.page)
            yield call("goto", {"url": address})


def _notices(prompt: Prompt) -> str:
    return prompt.text.partition("## Notices")[2].partition("\n## ")[0].strip()[:300]
