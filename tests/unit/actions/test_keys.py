"""What a sequence of keys and texts stands for."""

from __future__ import annotations

import pytest

from pytest_bwa.actions.write import Keys, KeysRefused, read_keys


@pytest.mark.parametrize(
    ("sequence", "keys"),
    [
        ("Enter", [Keys("Enter")]),
        ("ctrl+A", [Keys("Control+A")]),
        ("Control+Shift+ArrowLeft", [Keys("Control+Shift+ArrowLeft")]),
        ("Control++", [Keys("Control++")]),
        ("Backspace*12 l s Enter",
         [Keys("Backspace", times=12), Keys("l", True), Keys("s", True), Keys("Enter")]),
        ('"ls -la" Enter', [Keys("ls -la", True), Keys("Enter")]),
        ("'say \"hi\"' esc", [Keys('say "hi"', True), Keys("Escape")]),
        ("é * + \"", [Keys("é", True), Keys("*", True), Keys("+", True), Keys('"', True)]),
        ("5*3", [Keys("5", True, 3)]),
        ("Tab*0200", [Keys("Tab", times=200)]),
        (" ", [Keys("Space")]),
        ("Space", [Keys("Space")]),
    ],
)  # fmt: skip
def test_keys_texts_and_how_often(sequence, keys):
    assert read_keys(sequence) == keys


@pytest.mark.parametrize("sequence", ["Entrée", "hello", "Enter Foo", "Hyper+a", "Control+hello"])
def test_a_key_that_does_not_exist_is_refused_before_anything_is_pressed(sequence):
    with pytest.raises(KeysRefused, match="there is no key"):
        read_keys(sequence)


@pytest.mark.parametrize("times", ["201", "300", "9" * 5000])
def test_more_presses_than_are_made_are_refused_and_not_left_out_in_silence(times):
    with pytest.raises(KeysRefused, match="Backspace can be pressed at most 200 times in a row"):
        read_keys(f"Enter Backspace*{times}")
