"""A recipe that was edited by hand into nonsense is refused with one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from recipe_pages import recipe_of, sample, task

from pytest_bwa.errors import InputError
from pytest_bwa.policy.recipe.recipe import Recipe, read_recipe, spec_hash, why_unusable

Content = dict[str, Any]


def content() -> Content:
    known = recipe_of().model_copy(update={"spec_sha256": spec_hash(task())})
    loaded: Content = yaml.safe_load(known.to_yaml())
    return loaded


def page_of(edited: Content) -> Content:
    found: Content = edited["ways"][0]["pages"][0]
    return found


def problem(edited: Content, path: Path) -> str:
    """Why it is refused; empty if it is not."""
    path.write_text(yaml.safe_dump(edited))
    try:
        return why_unusable(read_recipe(path), task(), set(sample(1).columns))
    except InputError as refused:
        return str(refused)


def any_page(edited: Content) -> None:
    page_of(edited).update(address="*", heading="*")


def answer_as_step(edited: Content) -> None:
    step = {"action": "save_progress", "parameters": {"extracted": {"owner": "Ann Lee"}}}
    edited["ways"][0]["pages"].insert(0, {**page_of(edited), "fields": {}, "step": step})


def wrong_parameter(edited: Content) -> None:
    step = {"action": "scroll", "parameters": {"direction": "sideways"}}
    edited["ways"][0]["pages"].insert(0, {**page_of(edited), "fields": {}, "step": step})


EDITS: dict[str, tuple[Callable[[Content], object], str]] = {
    "no way": (lambda c: c.update(ways=[]), "ways"),
    "no page": (lambda c: c["ways"][0].update(pages=[]), "pages"),
    "any page": (any_page, "name the sample"),
    "a step on the last page": (
        lambda c: page_of(c).update(step={"action": "click"}),
        "the last one none",
    ),
    "no step before the last page": (
        lambda c: c["ways"][0]["pages"].append(dict(page_of(c))),
        "must have a step",
    ),
    "a field less": (lambda c: page_of(c)["fields"].pop("owner"), "owner"),
    "a field more": (
        lambda c: page_of(c)["fields"].update(boss=page_of(c)["fields"]["owner"]),
        "boss",
    ),
    "no place": (lambda c: page_of(c)["fields"]["owner"].update(sources=[]), "sources"),
    "an answer as a step": (answer_as_step, "save_progress"),
    "a wrong parameter": (wrong_parameter, "direction"),
    "an unknown key": (lambda c: page_of(c).update(value="Ann Lee"), "value"),
    "another column": (lambda c: page_of(c).update(heading="{team}: *"), "team"),
}


UNREADABLE = {
    "a key twice": ("task_id: tickets\n", "task_id: tickets\ntask_id: other\n", "task_id"),
    "an alias bomb": (
        "task_id: tickets\n",
        "task_id: tickets\nl0: &l0 [x]\n"
        + "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 9)),
        "aliases",
    ),
    "lists in lists": ("task_id: tickets\n", f"task_id: {'[' * 2000}{']' * 2000}\n", "deeply"),
    "two documents": ("task_id: tickets\n", "task_id: tickets\n---\n", "second document"),
    "a version on two lines": ("schema_version: 2\n", 'schema_version: "1\\nok"\n', "version"),
    "a version that is true": ("schema_version: 2\n", "schema_version: true\n", "version"),
    "a key on two lines": ("task_id: tickets\n", 'task_id: tickets\n"a\\nb\\e[1m": 1\n', "a b"),
    "a negative length": ("shape:\n", "shape:\n          fewest: -1\n", "fewest"),
    "no version": ("schema_version: 2\n", "", "no schema_version"),
    "another encoding": ("Owner", "Owner\udcff", "UTF-8"),
}


@pytest.mark.parametrize("edit", UNREADABLE)
def test_a_broken_file_is_refused_in_one_printable_line(edit, tmp_path):
    old, new, word = UNREADABLE[edit]
    path = tmp_path / "recipe.yaml"
    text = yaml.safe_dump(content()).replace(old, new, 1)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=word) as refused:
        read_recipe(path)
    why = str(refused.value).replace(str(path), "")
    assert (why.isprintable(), len(why) < 250) == (True, True), why


@pytest.mark.parametrize("edit", EDITS)
def test_nonsense_is_refused(edit, tmp_path):
    change, word = EDITS[edit]
    edited = content()
    assert problem(edited, tmp_path / "recipe.yaml") == ""
    change(edited)
    why = problem(edited, tmp_path / "recipe.yaml")
    assert (word in why, "\n" in why) == (True, False), why


def test_the_columns_are_those_of_long_texts_too():
    """YAML breaks a long text at a space, which may be one of a column's name."""
    (way,) = Recipe.model_validate(content()).ways
    page = way.pages[0].model_copy(update={"heading": f"{'word ' * 18}{{team of the year}}"})
    changed = way.model_copy(update={"pages": (page,)})
    recipe = Recipe(task_id="tickets", spec_sha256="", ways=(changed,))
    assert "team of the year" in recipe.columns
