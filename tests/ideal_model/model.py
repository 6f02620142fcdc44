"""The model: a script for each page, behind the local Messages API server."""

from __future__ import annotations

import threading
from collections import defaultdict

from wire.messages_server import Answer, Request, message, text_only, tool_use

from ideal_model.plays import PLAYS, Decisions
from ideal_model.prompt import NotInPrompt, Prompt


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
            if name not in self._open:
                self._open[name] = PLAYS[name].decide(prompt)
                calls = next(self._open[name])
            else:
                calls = self._open[name].send(prompt)
        except (NotInPrompt, ValueError, AssertionError) as problem:
            self.problems.setdefault(name, f"the prompt does not show {problem}")
        except StopIteration:
            self.problems.setdefault(name, f"the last answer was not taken: {_notices(prompt)}")
        else:
            return message(*calls, stop_reason="tool_use")
        return tool_use("fail", note=self.problems[name], kind="other")


def _notices(prompt: Prompt) -> str:
    return prompt.text.partition("## Notices")[2].partition("\n## ")[0].strip()[:300]
