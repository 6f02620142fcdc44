"""Reads a sequence of keys and texts: ``Backspace*12 l s Enter``, ``"ls -la" Enter``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
            f"{repeated[1]} is pressed at most {MAX_REPEATS} times in a row: press the rest with "
            "another action"
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
            f'there is no key "{name}": write keys like Enter, Escape, Control+a, and a text in '
            "quotes"
        )
    if not modifiers and len(key) == 1:
        return Keys(key, is_text=True, times=times)  # also a letter that no keyboard has
    return Keys("+".join([*filter(None, known), key]), times=times)
