"""Sees to it that a picture shows each state of a page that a value comes from.

Nothing is left to the policy. When values are saved or reported while the page shows them, and no
picture shows this state of the page, one is taken. Before an action may leave a state, a picture of
it is taken and held back: it becomes evidence only if a value turns out to come from that state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_bwa.evidence.files import read_file
from pytest_bwa.evidence.grounding import GroundingTree, plain_values
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.facts.fact import Fact
from pytest_bwa.proof.grounding import Grounder
from pytest_bwa.proof.objections import Objection, doubts_in_words, object_to
from pytest_bwa.proof.observed import Look, Observed
from pytest_bwa.proof.only_entered import fills_in
from pytest_bwa.proof.photos.held_pictures import MAX_SCROLLED, Camera, HeldPictures
from pytest_bwa.proof.photos.pictured import box_in, is_hidden_in, is_still_in, shows_fact
from pytest_bwa.proof.photos.standing import elements_of
from pytest_bwa.proof.sources import numbers_in
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import EVIDENCE, has_label, picture_labels
from pytest_bwa.steps.step import Action, Artifact, Box, ElementRef, Observation, Picture

LABEL_FIELDS = 3
NOT_FOUND = "not_found"
FILLS_IN = (
    " (if the task fills in a form, say so in the spec with read_only: false: then what the agent "
    "entered is proven by reading it back)"
)


class ProofPictures:
    """The pictures of one sample: which states of pages they show, and which are still needed."""

    def __init__(
        self,
        task: TaskSpec,
        observed: Observed,
        writer: SampleWriter,
        camera: Camera,
        observe: Callable[[], object],
        *,
        holds: bool = True,
    ) -> None:
        """``observe`` reads the page again, and keeps what it shows. ``holds``:
        whether a picture is kept of each state that is left; a policy that saves what it reads
        before it leaves a page needs none."""
        self._task, self._observed, self._writer = task, observed, writer
        self._camera, self._observe, self._holds = camera, observe, holds
        self._grounder = Grounder(task, observed, self)
        self._labels = picture_labels(task.required_artifacts)
        self._shown_url: str | None = None
        """The address of the page whose picture the policy was shown, until it acts on the page."""
        self._between: dict[str, tuple[Look, Look]] = {}
        """For a picture during which the page changed: the looks before and after it."""
        self._held = HeldPictures(observed, writer.pictures, camera, observe)

    def cite(self, action: Action, page: Observation, step: int) -> None:
        """Keep what an answer says of its values: where they stand, how they are written, and what
        it doubts."""
        sources = action.sources or {}
        if any(isinstance(number, str) for number in numbers_in(sources)):
            self._observed.add_labelled(page, step)
        self._grounder.citations.add(action.extracted or {}, sources)
        self._grounder.locales.update(action.locales or {})
        for name, doubts in (action.doubts or {}).items():
            self._grounder.policy_doubts.setdefault(name, {}).update(doubts)

    def ground(self, extracted: Mapping[str, Any]) -> dict[str, GroundingTree | None]:
        """The grounding of the final answer, with what finds each place again."""
        return self._grounder.ground(extracted, adds_places=True)

    def objection(self, extracted: Mapping[str, Any]) -> Objection | None:
        """Why the values are not proven; None if they are."""
        refused = self._grounder.refused(extracted)
        grounded = plain_values(extracted, self._grounder.ground(extracted))
        unpictured = [v for v in grounded if v[2].url is not None and v[2].artifact is None]
        enters = fills_in(self._observed)
        objection = object_to(refused, unpictured, self._observed.says, fills_in=enters)
        is_open = self._task.read_only is None and not enters
        if objection and is_open and any(r.finding.why == "entered" for r in refused):
            return replace(objection, reason=objection.reason + FILLS_IN)
        return objection

    def miscited(self, values: Mapping[str, Any]) -> Objection | None:
        """What is to be said against the lines that are cited for these values, if anything."""
        refused = self._grounder.refused(values)
        wrong = [r for r in refused if r.finding.why in ("miscited", "unknown", "script")]
        return object_to(wrong, (), self._observed.says, "save_progress")

    def doubts(self, extracted: Mapping[str, Any]) -> list[str]:
        """What speaks against values that are proven, in words."""
        return doubts_in_words(plain_values(extracted, self._grounder.ground(extracted)))

    def keep_line(self, source: Any, page: Observation, step: int) -> list[str]:
        """Save the picture of a line that says that there is no such record; returns what the
        cited lines say, nothing if no line that was shown has such a number. Raises EvidenceError.
        """
        numbers = [n for n in numbers_in(source) if self._observed.facts_at(n)]
        facts = [fact for n in numbers for fact in self._observed.facts_at(n)[:1]]
        if facts and any(self._is_in(page.state, fact) for fact in facts):
            if not any(map(self._is_proven, facts)):
                self.take(NOT_FOUND, page, step)
        elif facts:
            self._release(NOT_FOUND, facts)
        return [self._observed.says(number) for number in numbers]

    def picture_of(self, look: Look, fact: Fact) -> str | None:
        """The saved picture that shows a fact in this state of the page, at best one with a label
        that the spec requires."""
        shots = [a for a in self._writer.artifacts if self._shows(a.filename, look, fact)]
        required = (a for a in shots if any(has_label(a, label) for label in self._labels))
        best = next(required, shots[0] if shots else None)
        return best.filename if best else None

    def _shows(self, filename: str, look: Look, fact: Fact) -> bool:
        picture = self._writer.pictures.get(filename)
        if picture is None or is_hidden_in(picture, fact, look, self._observed):
            return False
        if self._observed.is_outdated(fact, look):
            return False
        is_same = look.state != "" and picture.page_state == look.state
        is_still = is_same or is_still_in(picture, fact, look, self._observed)
        return is_still or self._stood_still(filename, look, fact)

    def state_in(self, filename: str, look: Look) -> str:
        """The page's state that a picture shows; of one that shows none, that of a look."""
        return self._writer.pictures[filename].page_state or look.state

    def _stood_still(self, filename: str, look: Look, fact: Fact) -> bool:
        """Whether a fact was the same before and after a picture, although the page was not."""
        between = self._between.get(filename, ())
        return look in between and all(self._observed.is_in(fact, look) for look in between)

    def box_in(self, filename: str, fact: Fact, look: Look) -> Box | None:
        """Where a picture shows a fact; None if that is not certain."""
        return box_in(self._writer.pictures[filename], fact, look, self._observed)

    def hold(self, page: Observation, step: int) -> None:
        """Take a picture of a state that may be left now, if it may be needed later."""
        self._shown_url = None
        if self._holds:
            self._held.hold(page, step)

    def hold_message(self, before: Observation, page: Observation, step: int) -> None:
        self._held.hold_message(before, page, step)

    def take_required(self, extracted: Mapping[str, Any], page: Observation, step: int) -> None:
        """Save the one required picture, if it is missing, of the page that these values come from.
        What each of several is to show, only who answers knows. Raises EvidenceError."""
        label, saved = next(iter(self._labels), ""), self._writer.artifacts
        if len(self._labels) != 1 or any(has_label(artifact, label) for artifact in saved):
            return
        looks = list(self._looks_of(extracted))
        if len({look.url for look in looks}) != 1:
            return
        states = dict.fromkeys(look.state for look in looks if look.state)
        if page.state in states:
            self.take(label, page, step)
        elif kept := next(filter(None, map(self._kept_picture, states)), None):
            self._writer.save_screenshot(kept[0], label, kept[1])

    def _looks_of(self, extracted: Mapping[str, Any]) -> Iterator[Look]:
        """The newest look at each place of these values."""
        for _, seen in self._grounder.seen_values(extracted):
            for place in seen.places:
                yield self._observed.looks[self._observed.newest_look(place.fact)]

    def _kept_picture(self, state: str) -> tuple[Picture, int] | None:
        """The picture of a state that is held back, or was saved already, with its step."""
        if held := self._held.take(state):
            return held
        for artifact in self._writer.artifacts:
            picture = self._writer.pictures.get(artifact.filename)
            if picture is not None and picture.page_state == state:
                png = read_file(self._writer.folder / artifact.filename)
                return replace(picture, png=png), artifact.step
        return None

    def keep(self, extracted: Mapping[str, Any], page: Observation, step: int) -> None:
        """Save the pictures that show these values. Raises EvidenceError."""
        if page.url == self._shown_url:
            self._add_what_was_read(extracted, page, step)
        wanted: dict[ElementRef, Box | None] = {}
        is_here, names = False, list[str]()
        for name, facts in self._unproven(extracted):
            here = [fact for fact in facts if self._is_in(page.state, fact)]
            if not here:
                self._release(name, facts)
                continue
            is_here, names = True, [*names, name]
            wanted.update(elements_of(here, page.state, self._observed))
        if is_here:
            self._take(_label(names), wanted, page, step)
            for name, facts in self._unproven(extracted):  # a dialog may cover them now
                self._release(name, facts)

    def _unproven(self, extracted: Mapping[str, Any]) -> Iterator[tuple[str, list[Fact]]]:
        """The names of the values that no picture shows yet, each with the facts that show it:
        the cited one, or several that say the same; each line that was counted is shown."""
        for name, seen in self._grounder.seen_values(extracted):
            if seen.how in ("counted", "joined"):
                facts = [place.fact for place in seen.places]
                yield from ((name, [fact]) for fact in facts if not self._is_proven(fact))
            elif not any(map(self._is_proven, facts := self._grounder.facts_of(seen))):
                yield name, facts

    def take(self, label: str, page: Observation, step: int) -> Artifact | None:
        """A picture of the page as it is now, if one can be taken. Raises EvidenceError."""
        picture = self._camera.take_picture()
        return self._save(picture, label, page, step) if picture is not None else None

    def _save(self, picture: Picture, label: str, page: Observation, step: int) -> Artifact:
        artifact = self._writer.save_screenshot(picture, label, step)
        self.read_what_it_shows(artifact.filename, page)
        return artifact

    def read_what_it_shows(self, filename: str, page: Observation) -> None:
        """Read the page again: it may no longer be the one that a picture was to be taken of. Where
        its state is the same, it still may be painted otherwise."""
        picture, looks = self._writer.pictures.get(filename), self._observed.looks
        if picture is None or not looks or not (picture.page_state or page.state):
            return  # or the page was never read: it could not be reached
        before = looks[-1]
        self._observe()
        if not picture.page_state:
            self._between[filename] = before, looks[-1]

    def show(self, page: Observation) -> None:
        """The policy is shown a picture of this page: what no text of it has may be read there."""
        self._shown_url = page.url

    def _add_what_was_read(
        self, extracted: Mapping[str, Any], page: Observation, step: int
    ) -> None:
        """Values that stand nowhere as text were read from the picture that was shown."""
        refused = self._grounder.refused(extracted)
        nowhere = [(r.path, r.value) for r in refused if r.finding.why == "nowhere"]
        if nowhere:
            self._observed.add_reading([f"{p}: {v}" for p, v in nowhere], page, step)

    def _take(
        self, label: str, wanted: Mapping[ElementRef, Box | None], page: Observation, step: int
    ) -> None:
        """Pictures of the current state, until one of them shows each of the elements."""
        refs = list(wanted)
        held = self._held.take(page.state)
        if held and held[0].page_state != page.state:
            held = None  # what is wanted may have changed meanwhile
        picture = held[0] if held else self._camera.take_picture(refs)
        is_other = picture is not None and picture.page_state not in ("", page.state)
        if picture is not None and is_other and not picture.still.issuperset(refs):
            self._observe()
            if self._observed.looks[-1].state != picture.page_state:
                # It was not the page that had changed before: what is scrolled was painted anew.
                picture = self._camera.take_picture()
        for number in range(MAX_SCROLLED):
            if picture is None:
                return
            left = [ref for ref in refs if picture.hides(ref, wanted[ref])]
            if number and len(left) == len(refs):
                return  # a dialog covers them
            self._save(picture, label, page, held[1] if held else step)
            if not left or (len(left) == len(refs) and not held):
                return
            refs, held = left, None
            picture = self._camera.take_picture(refs)

    def _release(self, name: str, facts: Sequence[Fact]) -> None:
        """Save a held picture that shows one of these facts."""
        for fact in facts:
            for look in reversed(self._observed.looks_with(fact)):
                shows = partial(shows_fact, fact=fact, look=look, observed=self._observed)
                if held := self._held.take(look.state, shows):
                    self._writer.save_screenshot(held[0], _label([name]), held[1])
                    return

    def _is_proven(self, fact: Fact) -> bool:
        looks = self._observed.looks_with(fact)
        return bool(fact.file) or any(self.picture_of(look, fact) for look in looks)

    def _is_in(self, state: str, fact: Fact) -> bool:
        return bool(state) and any(look.state == state for look in self._observed.looks_with(fact))


def _label(names: Sequence[str]) -> str:
    """A picture is called after the fields that it shows."""
    few = list(dict.fromkeys(names))
    return "_".join([EVIDENCE, *few]) if len(few) <= LABEL_FIELDS else EVIDENCE
