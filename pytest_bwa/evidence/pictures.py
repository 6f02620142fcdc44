"""Sees to it that a picture shows each state of a page that a value comes from.

Nothing is left to the policy. When values are saved or reported while the page shows them, and no
picture shows this state of the page, one is taken. Before an action may leave a state that speaks
of a field, a picture of it is taken and held back: it becomes evidence only if a value turns out
to come from that state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_bwa.evidence.files import read_file
from pytest_bwa.evidence.grounding import Grounder, plain_values
from pytest_bwa.evidence.held_pictures import MAX_SCROLLED, Camera, HeldPictures
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.pictured import (
    box_in,
    is_hidden_in,
    is_still_in,
)
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.objections import FILLS_IN, Objection, object_to
from pytest_bwa.evidence.record import GroundingTree
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Artifact, Box, ElementRef, Observation, Picture, has_label

LABEL = "evidence"
LABEL_FIELDS = 3


class ProofPictures:
    """The pictures of one sample: which states of pages they show, and which are still needed."""

    def __init__(
        self,
        task: TaskSpec,
        sightings: Sightings,
        writer: SampleWriter,
        camera: Camera,
        observe: Callable[[], object],
    ) -> None:
        """``observe`` reads the page again, and adds what it shows to the sightings."""
        self._task, self._sightings, self._writer = task, sightings, writer
        self._camera, self._observe = camera, observe
        self._grounder = Grounder(task, sightings, self)
        self._labels = task.required_artifacts
        names = [*task.output_schema, *task.required_fields]
        aliases = [alias for name in names for alias in task.aliases.get(name, ())]
        words = FieldWords([], [*names, *aliases])
        self._shown_url: str | None = None
        """The address of the page whose picture the policy was shown, until it acts on the page."""
        self._between: dict[str, tuple[Look, Look]] = {}
        """For a picture during which the page changed: the looks before and after it."""
        self._held = HeldPictures(sightings, writer.pictures, camera, observe, words)

    def ground(self, extracted: Mapping[str, Any]) -> dict[str, GroundingTree | None]:
        return self._grounder.ground(extracted)

    def ground_with_places(self, extracted: Mapping[str, Any]) -> dict[str, GroundingTree | None]:
        """The grounding of the final answer, with what finds each place again."""
        grounder = Grounder(self._task, self._sightings, self, adds_places=True)
        return grounder.ground(extracted)

    def objection(self, extracted: Mapping[str, Any]) -> Objection | None:
        """Why the values are not proven, or a null of the answer is not; None if they are."""
        whole = {**dict.fromkeys(self._task.output_schema), **extracted}
        found = list(plain_values(whole, self.ground(whole)))
        fills_in = self._sightings.fills_in()
        objection = object_to(found, self._is_entered, fills_in=fills_in)
        if objection is None or fills_in or self._task.read_only is not None:
            return objection
        if any(r.how == "unseen" and self._is_entered(path, v) for path, v, r in found):
            return replace(objection, reason=objection.reason + FILLS_IN)
        return objection

    def _is_entered(self, path: str, value: Any) -> bool:
        """Whether the agent itself entered a value of the answer, or pressed its box."""
        if isinstance(value, bool):
            return self._sightings.has_ticked(FieldWords([path.rpartition(".")[2]]))
        return self._sightings.is_entered(str(value))

    def picture_of(self, look: Look, spot: Spot) -> str | None:
        """The saved picture that shows a spot in this state of the page, at best one with a label
        that the spec requires."""
        shots = [a for a in self._writer.artifacts if self._shows(a.filename, look, spot)]
        required = (a for a in shots if any(has_label(a, label) for label in self._labels))
        best = next(required, shots[0] if shots else None)
        return best.filename if best else None

    def _shows(self, filename: str, look: Look, spot: Spot) -> bool:
        picture = self._writer.pictures.get(filename)
        if picture is None or is_hidden_in(picture, spot, look, self._sightings):
            return False
        if self._sightings.is_outdated(spot, look):
            return False
        is_same = look.state != "" and picture.page_state == look.state
        is_still = is_same or is_still_in(picture, spot, look, self._sightings)
        return is_still or self._stood_still(filename, look, spot)

    def state_in(self, filename: str, look: Look) -> str:
        """The page's state that a picture shows; of one that shows none, that of a look."""
        return self._writer.pictures[filename].page_state or look.state

    def _stood_still(self, filename: str, look: Look, spot: Spot) -> bool:
        """Whether a spot was the same before and after a picture, although the page was not."""
        between = self._between.get(filename, ())
        return look in between and all(self._sightings.is_in(spot, look) for look in between)

    def box_in(self, filename: str, spot: Spot, look: Look) -> Box | None:
        """Where a picture shows a spot; None if that is not certain."""
        return box_in(self._writer.pictures[filename], spot, look, self._sightings)

    def hold(self, page: Observation, step: int) -> None:
        """Take a picture of a state that may be left now, if it may be needed later."""
        self._shown_url = None
        self._held.hold(page, step)

    def hold_message(self, before: Observation, page: Observation, step: int) -> None:
        self._held.hold_message(before, page, step)

    def take_required(self, extracted: Mapping[str, Any], page: Observation, step: int) -> None:
        """Save the required pictures that are still missing, of the states that these values come
        from. Raises EvidenceError."""
        saved = self._writer.artifacts
        missing = [label for label in self._labels if not any(has_label(a, label) for a in saved)]
        states = self._states_of(extracted) if missing else []
        for label in missing:
            named = [state for state in states if self._is_named(state, label)]
            # Several labels ask for several pages: which is meant only the pages themselves say.
            wanted = named or (states if len(self._labels) == 1 else [])
            if page.state in wanted:
                self.take(label, page, step)
            elif kept := next(filter(None, map(self._kept_picture, wanted)), None):
                self._writer.save_screenshot(kept[0], label, kept[1])

    def _states_of(self, extracted: Mapping[str, Any]) -> list[str]:
        """The states of pages in which these values were seen, first those that show most."""
        counts: Counter[str] = Counter()
        for _, best in self._grounder.sightings_of(extracted):
            looks = {n for sighting in best for n in self._sightings.looks_of[sighting.spot]}
            counts.update({self._sightings.looks[n].state for n in looks} - {""})
        return [state for state, _ in counts.most_common()]

    def _is_named(self, state: str, label: str) -> bool:
        """Whether the title, the address or a heading of a state has all words of a label."""
        for look in self._sightings.in_state(state):
            spots = map(self._sightings.spots.__getitem__, look.spots)
            names = " ".join(s.text for s in spots if s.role in ("title", "heading", "address"))
            if FieldWords([label]).are_all_in(names):
                return True
        return False

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
        for name, spots in self._unproven(extracted):
            here = [self._sightings.spots[n] for n in spots if self._is_in(page.state, n)]
            if not here:
                self._release(name, spots)
                continue
            is_here, names = True, [*names, name]
            own = ((spot.ref or spot.holder, spot.box) for spot in here)
            wanted.update([(ref, box) for ref, box in own if ref is not None][:1])
        if is_here:
            self._take(_label(names), wanted, page, step)
            for name, spots in self._unproven(extracted):  # a dialog may cover them now
                self._release(name, spots)

    def _unproven(self, extracted: Mapping[str, Any]) -> Iterator[tuple[str, list[int]]]:
        """The names of the values that no picture shows yet, each with the spots that tell it."""
        for name, best in self._grounder.sightings_of(extracted):
            spots = [sighting.spot for sighting in best]
            if not any(map(self._is_proven, spots)):
                yield name, spots

    def take(self, label: str, page: Observation, step: int) -> Artifact | None:
        """A picture of the page as it is now, under the label that somebody asked for; None if
        none can be taken. Raises EvidenceError."""
        picture = self._camera.take_picture()
        return self._save(picture, label, page, step) if picture is not None else None

    def _save(self, picture: Picture, label: str, page: Observation, step: int) -> Artifact:
        artifact = self._writer.save_screenshot(picture, label, step)
        self.read_what_it_shows(artifact.filename, page)
        return artifact

    def read_what_it_shows(self, filename: str, page: Observation) -> None:
        """Read the page again: it may no longer be the one that a picture was to be taken of. Where
        its state is the same, it still may be painted otherwise."""
        picture, looks = self._writer.pictures.get(filename), self._sightings.looks
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
        values = plain_values(extracted, self.ground(extracted))
        nowhere = [(p, v) for p, v, r in values if r.how == "unseen" and r.text is None]
        if nowhere:
            self._sightings.add_reading([f"{p}: {v}" for p, v in nowhere], page, step)

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
            if self._sightings.looks[-1].state != picture.page_state:
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

    def _release(self, name: str, spots: Sequence[int]) -> None:
        """Save a held picture that shows one of these spots."""
        for number in spots:
            spot = self._sightings.spots[number]
            for look in reversed(self._looks_at(number)):
                shows = partial(self._is_seen_in, spot, look)
                if held := self._held.take(look.state, shows):
                    self._writer.save_screenshot(held[0], _label([name]), held[1])
                    return

    def _is_seen_in(self, spot: Spot, look: Look, picture: Picture) -> bool:
        return not is_hidden_in(picture, spot, look, self._sightings)

    def _is_proven(self, spot: int) -> bool:
        looks, seen = self._looks_at(spot), self._sightings.spots[spot]
        return bool(seen.file) or any(self.picture_of(look, seen) for look in looks)

    def _is_in(self, state: str, spot: int) -> bool:
        return bool(state) and any(look.state == state for look in self._looks_at(spot))

    def _looks_at(self, spot: int) -> list[Look]:
        return [self._sightings.looks[number] for number in self._sightings.looks_of[spot]]


def _label(names: Sequence[str]) -> str:
    """A picture is called after the fields that it shows."""
    few = list(dict.fromkeys(names))
    return "_".join([LABEL, *few]) if len(few) <= LABEL_FIELDS else LABEL
