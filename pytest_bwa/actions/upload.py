"""The action that puts files of the sample into a field."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.choices import names_in
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.steps.step import ActionResult

_FIELD = "field => [[...field.files].map(file => file.name), field.multiple]"


@action("Upload files of the sample: A, B.")
def upload(
    context: ActionContext,
    *,
    selector: Selector,
    file: str,
) -> ActionResult:
    """Only files that the sample names may be uploaded: a page could talk the agent into others."""
    names = [file] if file in context.files else names_in(file, context.files)
    if not names:
        there = ", ".join(sorted(context.files)) or "it names none"
        return failure(f'"{file}" is not a file of this sample, which may upload: {there}')
    paths = [context.files[name] for name in dict.fromkeys(names)]
    element, named = context.element(selector), context.describe(selector)
    if not context.ask(element, "isFileField"):
        with context.page.expect_file_chooser(timeout=context.element_ms) as chooser:
            click_on(context.tabs, element, context.element_ms)
        element = chooser.value.element
    return _Field(context, element, named).put(paths)


class _Field:
    """A field for files, which may belong to no page: a script can open a chooser of its own."""

    def __init__(self, context: ActionContext, element: ElementHandle, named: str) -> None:
        self._context, self._element, self._named = context, element, named
        self._frame = element.owner_frame() or context.page.main_frame
        self._taken = context.taken_files.setdefault(context.page.url, {})

    def put(self, paths: Sequence[Path]) -> ActionResult:
        """Put files into the field, beside those that it has if it takes several. A page that has
        taken files already, and shows their names, would take them twice."""
        names = [path.name for path in paths]
        held, takes_several = self._holds()
        if len(paths) > 1 and not takes_several:
            return failure(f"{self._named} takes one file only: nothing was put into it")
        own = {path.name: path for path in self._context.files.values() if path.name not in names}
        keeps = [own[name] for name in held if name in own] if takes_several else []
        before = self._count([*names, *held, *self._taken])
        is_taken = any(name in self._taken for name in held)
        self._set(paths if is_taken else [*keeps, *paths])
        if is_taken and keeps and self._gone([path.name for path in keeps]):
            self._set([*keeps, *paths])
        return self._result(paths, [*held, *self._taken], before)

    def _set(self, paths: Sequence[Path]) -> None:
        self._element.set_input_files(list(paths), timeout=self._context.element_ms)
        self._context.settler.wait(self._context.page, navigated=False)

    def _holds(self) -> tuple[list[str], bool]:
        """The names of its files, and whether it takes several; none if the page has removed it."""
        with suppress(PlaywrightError):
            names, takes_several = self._context.ask(self._element, "fileNames")
            return list(names), bool(takes_several)
        with suppress(PlaywrightError):  # it is in no document, and only its own world has it
            names, takes_several = self._element.evaluate(_FIELD)
            return list(names), bool(takes_several)
        return [], False

    def _count(self, names: Sequence[str]) -> dict[str, int]:
        """How often the page shows each of these names."""
        with suppress(PlaywrightError):  # it went on to another page
            counts = self._context.tabs.readers.ask(self._frame, "countTexts", list(names))
            return dict(zip(names, counts, strict=True))
        return dict.fromkeys(names, 0)

    def _gone(self, names: Sequence[str]) -> list[str]:
        """Which of the earlier files neither the field nor the page has any more."""
        held, counts = self._holds()[0], self._count(names)
        return [n for n in names if n not in held and counts[n] < self._taken.get(n, 1 + counts[n])]

    def _result(
        self, paths: Sequence[Path], earlier: Sequence[str], before: dict[str, int]
    ) -> ActionResult:
        """What was put in, what is still there, and what is not any more."""
        names = [path.name for path in paths]
        others = [name for name in dict.fromkeys(earlier) if name not in names]
        held, counts = self._holds()[0], self._count(names)
        taken = {name: counts[name] for name in names if counts[name] > before[name]}
        gone = self._gone(others)
        self._taken.update(taken)
        for name in gone:
            self._taken.pop(name, None)
        missing = [name for name in names if name not in held and name not in self._taken]
        if missing:
            why = "" if held else ": the field is empty, and the page does not show the name"
            return failure(f"{self._named} did not keep {', '.join(missing)}{why}")
        put = ", ".join(f"{path.name} ({path.stat().st_size} bytes)" for path in paths)
        kept = [name for name in others if name not in gone]
        parts = [f"put {put} into {self._named}"]
        parts += [f"alongside {', '.join(kept)}"] if kept else []
        parts += [f"no longer there: {', '.join(gone)}"] if gone else []
        return ActionResult(True, "; ".join(parts))
