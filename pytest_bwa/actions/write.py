"""The actions that type a text and press keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from playwright.sync_api import ElementHandle, Frame
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure, forbidden
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.actions.typed_text import digits_of, is_kept, is_other_number
from pytest_bwa.spec.typed_secrets import SecretRefused
from pytest_bwa.steps.step import ActionResult

MAX_REPEATS = 200
_TOKEN = re.compile(r"""(?:"([^"]+)"|'([^']+)')(?=\s|$)|(\S+)""")
_REPEATED = re.compile(r"(.+)\*(\d+)")
_MODIFIERS = {"control": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta"}
_MODIFIERS |= {"ctrl": "Control", "cmd": "Meta", "option": "Alt", "controlormeta": "ControlOrMeta"}
_NAMES = (
    "Backspace Tab Enter Escape Space Delete Insert Home End PageUp PageDown ArrowUp ArrowDown "
    "ArrowLeft ArrowRight CapsLock ContextMenu"
)
_KEYS = {name.lower(): name for name in _NAMES.split()}
_KEYS |= {f"f{number}": f"F{number}" for number in range(1, 13)}
_KEYS |= {name.lower(): name for name in _MODIFIERS.values()}
_KEYS |= {"esc": "Escape", "return": "Enter", "del": "Delete", "up": "ArrowUp"}
_KEYS |= {"down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}


class KeysRefused(ValueError):
    """The message is a sentence for the model."""


@dataclass(frozen=True, slots=True)
class Keys:
    """A key, a combination or a text, and how often."""

    text: str
    is_text: bool = False
    times: int = 1


def read_keys(sequence: str) -> list[Keys]:
    """Raises KeysRefused, before anything is pressed."""
    if not sequence.strip():
        return [Keys("Space")] if sequence else []
    return list(_read(sequence))


def _read(sequence: str) -> Iterator[Keys]:
    for double, single, token in _TOKEN.findall(sequence):
        if double or single:
            yield Keys(double or single, is_text=True)
            continue
        repeated = _REPEATED.fullmatch(token)
        yield _key(repeated[1], _times(repeated)) if repeated else _key(token, 1)


def _times(repeated: re.Match[str]) -> int:
    digits = repeated[2].lstrip("0")
    if len(digits) > len(str(MAX_REPEATS)) or int(digits or 0) > MAX_REPEATS:
        raise KeysRefused(
            f"{repeated[1]} can be pressed at most {MAX_REPEATS} times in a row: press the rest "
            "with another action"
        )
    return int(digits or 0)


def _key(name: str, times: int) -> Keys:
    *modifiers, last = name.split("+") if len(name) > 1 else [name]
    if modifiers and last == "" and modifiers[-1] == "":  # Control++
        *modifiers, last = [*modifiers[:-1], "+"]
    known = [_MODIFIERS.get(modifier.lower()) for modifier in modifiers]
    key = last if len(last) == 1 else _KEYS.get(last.lower())
    if key is None or None in known:
        raise KeysRefused(
            f'there is no key "{name}": write keys like Enter, Escape, Control+a, and text in '
            "quotes"
        )
    if not modifiers and len(key) == 1:
        return Keys(key, is_text=True, times=times)  # also a letter that no keyboard has
    return Keys("+".join([*filter(None, known), key]), times=times)


MAX_SHOWN_CHARACTERS = 80
MAX_KEYED_CHARACTERS = 300  # a longer text that a field has changed is not typed key by key
SPINBUTTON_KEYS = "click it, then press ArrowUp, ArrowDown, PageUp, PageDown, Home or End"


@action("Type into a field; replaces what was in it.", name="type")
def type_text(
    context: ActionContext,
    *,
    selector: Selector,
    text: str,
    enter: bool = False,
) -> ActionResult:
    element, named = context.element(selector), context.describe(selector)
    kind = context.ask(element, "typingTarget")
    if kind == "control":
        return failure(f"{named} is not a text field: use click, select_option or press")
    try:
        filled = _with_secrets(context, element, text)
    except SecretRefused as refusal:
        return forbidden(str(refusal))
    if filled != text:
        context.ask(element, "holdSecret")
    # Said before anything is typed: the page may refuse it, or go away.
    context.types_secret = bool(context.ask(element, "isSecretField"))
    if kind:
        result = _type_into_field(context, element, named, filled, kind)
    else:
        result = _send_keys(context, element, named, filled)
    if enter and result.success:
        context.page.keyboard.press("Enter")
        if changed := _changed_by_enter(context, element, filled, kind):
            return failure(f"typed into {named} and pressed Enter, but {changed}")
        return ActionResult(True, f"{result.description}; pressed Enter")
    return result


def _changed_by_enter(context: ActionContext, element: ElementHandle, text: str, kind: str) -> str:
    """What a field made of a number when Enter was pressed; empty if it kept it, or is gone."""
    try:
        secret, kept = context.ask(element, "typedText")
    except PlaywrightError:
        return ""
    return _instead(text, kept, secret) if is_other_number(text, kept, kind) else ""


def _with_secrets(context: ActionContext, element: ElementHandle, text: str) -> str:
    """The text that is really typed. A frame of another site in the page gets no secret. Raises
    SecretRefused."""
    frame = element.owner_frame()
    return context.secrets.fill(text, [context.page.url, frame.url if frame else ""])


def _type_into_field(
    context: ActionContext,
    element: ElementHandle,
    named: str,
    text: str,
    kind: str,
) -> ActionResult:
    """Pages may ignore a text that arrives without keys: the last character is always a key, and
    where something else stands in the field than what was typed, all are."""
    entry = _entry_of(text)
    before = _elements_with(context, element, entry)
    _enter(context, element, text, kind)
    secret, kept = context.ask(element, "typedText")
    is_changed = kept != "" and not is_kept(text, kept) and kind in ("field", "editable")
    if is_changed and len(text) <= MAX_KEYED_CHARACTERS:
        _empty(context, element)
        context.page.keyboard.type(text)
        secret, kept = context.ask(element, "typedText")
    if is_other_number(text, kept, kind):
        element.evaluate("field => field.blur()")  # many write a number as it is when it is left
        secret, kept = context.ask(element, "typedText")
        with suppress(PlaywrightError):  # the page has taken it away
            element.focus()
    context.types_secret |= secret
    if kept == text:
        return ActionResult(True, f"typed into {named}")
    if not kept and _elements_with(context, element, entry) - before:
        return ActionResult(True, f"typed into {named}, which turned the text into an entry")
    if not kept and _has_moved(context, element, text):
        return ActionResult(True, f"typed into {named}, which opened another field with the text")
    if not is_kept(text, kept, kind):
        return failure(f"typed into {named}, but {_instead(text, kept, secret)}")
    if secret:
        return ActionResult(True, f"typed into {named}")
    shows = f"typed into {named}: the field shows it as “{kept}”"
    return ActionResult(True, shows, entered=kept)


def _instead(text: str, kept: str, secret: bool) -> str:
    """What a field did with a text that it did not keep."""
    if secret:
        return "the field did not keep the text"
    contains = f"it contains “{kept[:MAX_SHOWN_CHARACTERS]}”"
    if digits_of(text) == digits_of(kept) != "":
        return f"{contains}, which may be another number: go on if it is what you mean"
    return f"the field did not keep the text: {contains}"


def _has_moved(context: ActionContext, element: ElementHandle, text: str) -> bool:
    """Whether the page has opened another field when the first key came, as a search in a dialog,
    and that one has the text now."""
    frame = element.owner_frame()
    focused = context.tabs.readers.ask(frame, "focusedText") if frame else None
    if not focused:
        return False
    secret, kept = focused
    context.types_secret |= secret
    return is_kept(text, kept)


def _entry_of(text: str) -> str:
    """What a field that keeps one entry after the other, such as tags, makes of a text that ends
    with what ends an entry; empty if the text does not."""
    return text[:-1].strip() if text and not text[-1].isalnum() else ""


def _elements_with(context: ActionContext, element: ElementHandle, text: str) -> set[int]:
    """The numbers of the elements outside of a field whose whole text this is."""
    return set(context.ask(element, "textsShown", text)) if text else set()


def _enter(context: ActionContext, element: ElementHandle, text: str, kind: str) -> None:
    if kind == "set" or not text or text.endswith("\n"):
        element.fill(text, timeout=context.element_ms)
        return
    begun = "" if kind == "number" else text[:-1]
    element.fill(begun, timeout=context.element_ms)
    context.page.keyboard.type(text[len(begun) :])


def _empty(context: ActionContext, element: ElementHandle) -> None:
    """What a page keeps of the keys alone is deleted by keys alone."""
    element.fill("", timeout=context.element_ms)
    _, left = context.ask(element, "typedText")
    if left:
        context.page.keyboard.press("End")
        for _ in left:
            context.page.keyboard.press("Backspace")


def _send_keys(
    context: ActionContext, element: ElementHandle, named: str, text: str
) -> ActionResult:
    """For a terminal or an editor, which takes keys through a field of its own that nobody sees."""
    if not _focus(context, element, for_text=True):
        if element.get_attribute("role") == "spinbutton":
            return failure(f"{named} takes keys, not text: {SPINBUTTON_KEYS}")
        return failure(
            f"{named} is not a text field, and a click puts no cursor into it; press sends keys "
            "to the whole page"
        )
    for number, line in enumerate(text.split("\n")):
        if number:
            context.page.keyboard.press("Enter")
        context.page.keyboard.type(line)
    return ActionResult(True, f"sent the keys to {named}; what stood there was not deleted")


def _focus(context: ActionContext, element: ElementHandle, *, for_text: bool = False) -> bool:
    """Whether keys reach the element now. Something is clicked only if nothing in it can take the
    focus by itself: a click would move the cursor in a text, or the handle of a slider."""
    if not context.ask(element, "hasFocus", for_text):
        element.focus()
    if not for_text and not context.ask(element, "hasFocus", for_text):
        context.ask(element, "focusInside")
    if not context.ask(element, "hasFocus", for_text):
        click_on(context.tabs, element, context.element_ms)
    return bool(context.ask(element, "hasFocus", for_text))


@action("Press keys, in an element or where the focus is.")
def press(
    context: ActionContext,
    *,
    key: Annotated[str, 'In order: "Control+a Backspace*12 l s Enter"; text in quotes.'],
    selector: Selector | None = None,
) -> ActionResult:
    try:
        keys = read_keys(key)
    except KeysRefused as refused:
        return failure(str(refused))
    if selector:
        _focus(context, context.element(selector))
    elif context.target is not None:
        context.target.watch_focus()
    if any(one.is_text or len(one.text) == 1 for one in keys):
        frames = context.tabs.frames()
        context.types_secret = any(_has_secret_focus(context, frame) for frame in frames)
    for number, one in enumerate(keys):
        if number and not keys[number - 1].is_text:
            # Until the page takes the next key: one may have begun to drag something.
            context.settler.wait(context.page, navigated=False)
        _press(context, one)
    where = f" in {context.describe(selector)}" if selector else ""
    pressed = "keys" if context.types_secret else key
    return ActionResult(True, f"pressed {pressed}{where}")


def _has_secret_focus(context: ActionContext, frame: Frame) -> bool:
    try:
        return bool(context.tabs.readers.ask(frame, "hasSecretFocus"))
    except PlaywrightError:  # a frame may go at any time
        return False


def _press(context: ActionContext, keys: Keys) -> None:
    keyboard = context.page.keyboard
    for _ in range(keys.times):
        if keys.is_text:
            keyboard.type(keys.text)
        else:
            keyboard.press(keys.text)
