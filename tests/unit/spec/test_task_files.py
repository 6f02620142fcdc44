from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.load import build_task, load_task

WriteFile = Callable[[str, str | bytes], Path]
BASE: dict[str, Any] = {
    "task_id": "people",
    "goal": "Read the profile.",
    "output_schema": {"name": "string", "followers": "number | null", "tags": "array"},
}
YAML = "task_id: people\ngoal: Read the profile.\noutput_schema:\n  name: string\n"


def error_for(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        load_task(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    return message.removeprefix(f"{path}: ")


def error_with(**changes: Any) -> str:
    with pytest.raises(SpecError) as caught:
        build_task({**BASE, **changes}, "spec.json")
    message = str(caught.value)
    assert message.startswith("spec.json: ")
    assert len(message.splitlines()) == 1
    return message.removeprefix("spec.json: ")


def test_json_and_yaml_give_the_same_task(write_file: WriteFile) -> None:
    from_json = load_task(write_file("a.json", json.dumps(BASE)))
    from_yaml = load_task(
        write_file("a.yaml", YAML + "  followers: number | null\n  tags: array\n")
    )
    assert from_json == from_yaml
    assert list(from_json.output_schema) == ["name", "followers", "tags"]


@pytest.mark.parametrize("name", ["a.json", "a.JSON", "a.spec", "a.yaml"])
def test_json_is_read_with_any_file_extension(write_file: WriteFile, name: str) -> None:
    assert load_task(write_file(name, json.dumps(BASE))).task_id == "people"


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_a_byte_order_mark_is_accepted(write_file: WriteFile, name: str) -> None:
    content = json.dumps(BASE) if name == "a.json" else YAML
    assert load_task(write_file(name, b"\xef\xbb\xbf" + content.encode())).task_id == "people"


def test_a_spec_written_by_a_run_loads_unchanged(write_file: WriteFile) -> None:
    task = build_task(
        {**BASE, "max_time_seconds": 30, "xfail": {"a": "gone"}, "controls": ["CC8.1"]}, "spec"
    )
    again = load_task(write_file("task_spec.json", json.dumps(task.model_dump(mode="json"))))
    assert again == task


def test_escaped_emoji_of_json_are_one_character(write_file: WriteFile) -> None:
    text = json.dumps({**BASE, "goal": "Look 😀"}, ensure_ascii=True)
    assert load_task(write_file("a.json", text)).goal == "Look 😀"


def test_what_the_samples_are_evidence_of_is_said_with_the_account_that_reads_them() -> None:
    login = {"url": "https://x.org/in", "confirmation": "Log out", "submit": "Sign in"}
    fields = {"User": "<secret:user>", "Password": "<secret:password>"}
    secrets = {"user": "SHOP_USER", "password": "SHOP_PASSWORD"}
    given = {"title": "Followers", "controls": "CC8.1", "period": "Q1", "environment": "test"}

    def account(**changes: Any) -> str | None:
        task = build_task({**BASE, **given, **changes}, "spec.json")
        assert dict(task.workpaper.facts()).items() >= {"controls": "CC8.1", "period": "Q1"}.items()
        return task.workpaper.account

    assert account() is None
    assert account(auth_profile="ada") == "ada"
    assert account(auth_profile="ada", account="Ada L.", controls=["CC8.1"]) == "Ada L."
    assert account(login={**login, "fields": fields}, secrets=secrets) == "the value of SHOP_USER"
    named = {**fields, "User": "auditor"}
    assert account(login={**login, "fields": named}, secrets=secrets) == "auditor"
    assert (
        error_with(controls=8.1) == 'key "controls": expected a text, or a list of texts, got 8.1'
    )
    assert error_with(controls=[""]) == 'key "controls": an entry is empty'


def test_missing_file(tmp_path: Path) -> None:
    assert "no such task spec file" in error_for(tmp_path / "gone.yaml")


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in error_for(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.yaml", b"task_id: a\ngoal: caf\xe9\n", "line 2: is not UTF-8"),
        ("a.json", '{"a": 1}'.encode("utf-16"), "line 1: is not UTF-8"),
        ("a.yaml", "", "is empty"),
        ("a.json", " \n", "is empty"),
        ("a.yaml", "# nothing yet\n", "is empty"),
        ("a.yaml", "- a\n- b\n", "not a list"),
        ("a.yaml", "just words\n", "not text"),
        ("a.json", "null", "not nothing"),
        ("a.json", "[]", "not a list"),
        ("a.json", '{"task_id": "a",\n "goal" "b"}', "not valid JSON at line 2, column 9"),
        ("a.json", "{'task_id': 'a'}", "not valid JSON at line 1, column 2"),
        ("a.json", '{"max_steps": NaN}', "NaN is not a JSON value"),
        ("a.json", '{"max_time_seconds": 1e999}', "too large in max_time_seconds"),
        ("a.json", '{"max_steps": ' + "9" * 5000 + "}", "too many digits"),
        ("a.json", '{"goal": "\\ud83d"}', "half a character (a lone surrogate) in goal"),
        ("a.yaml", "goal: [a\nb: c\n", "not valid YAML at line 2, column 2"),
        ("a.yaml", "goal: a\n\tb: c\n", "not valid YAML at line 2, column 1"),
        ("a.yaml", "goal: a\nb: x\0y\n", "not valid YAML at line 2, column 5"),
        ("a.yaml", YAML + "---\na: b\n", "second document at line 5"),
        ("a.yaml", "goal: *nobody\n", "not valid YAML at line 1, column 7"),
        ("a.yaml", "? [a, b]\n: c\n", "line 1, column 3 that is not plain text"),
        ("a.yaml", "goal: !!python/object/apply:os.getcwd []\n", "tag !!python/object"),
        ("a.yaml", "goal: !!binary aGk=\n", "tag !!binary at line 1, column 7"),
        ("a.yaml", "goal: a\n<<: b\n", "not valid YAML at line 2"),
    ],
)
def test_text_that_is_not_a_spec(
    write_file: WriteFile, name: str, content: str | bytes, expected: str
) -> None:
    assert expected in error_for(write_file(name, content))


def test_a_file_larger_than_one_mebibyte(write_file: WriteFile) -> None:
    assert "larger than 1 MiB" in error_for(write_file("a.yaml", YAML + "#" * 1024 * 1024))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.json", '{"goal": "a", "goal": "b"}', 'key "goal" twice'),
        ("a.json", '{"xfail": {"a": "b", "a": "c"}}', 'key "a" twice'),
        ("a.yaml", "goal: a\ntask_id: b\ngoal: c\n", 'key "goal" twice: in line 1 and in line 3'),
        ("a.yaml", "xfail:\n  1: a\n  '1': b\n", 'key "1" twice: in line 2 and in line 3'),
    ],
)
def test_duplicate_keys(write_file: WriteFile, name: str, content: str, expected: str) -> None:
    assert expected in error_for(write_file(name, content))


@pytest.mark.parametrize("key", ["no", "on", "2024-01-01", "007", "1.50", "null", "12:30"])
def test_keys_are_kept_as_written(write_file: WriteFile, key: str) -> None:
    assert load_task(write_file("a.yaml", f"{YAML}xfail: {{{key}: gone}}\n")).xfail == {key: "gone"}


@pytest.mark.parametrize("text", ["no", "yes", "off", "2024-01-01", "007", "12:30:45", "0x1f", "="])
def test_values_that_look_like_text_to_a_person_are_text(write_file: WriteFile, text: str) -> None:
    assert load_task(write_file("a.yaml", f"{YAML}xfail: {{a: {text}}}\n")).xfail == {"a": text}


def test_yaml_reads_booleans_numbers_and_null(write_file: WriteFile) -> None:
    task = load_task(
        write_file(
            "a.yaml",
            f"{YAML}pagination: true\nmax_steps: 30\nmax_time_seconds: 1.5\nauth_profile: null\n",
        )
    )
    assert (task.pagination, task.max_steps, task.max_time_seconds) == (True, 30, 1.5)
    assert task.auth_profile is None


def test_harmless_aliases_and_merge_keys_are_allowed(write_file: WriteFile) -> None:
    task = load_task(
        write_file(
            "a.yaml",
            "task_id: a\ngoal: &g Read it.\nsystem_prompt: *g\n"
            "input_schema: &both {name: string}\n"
            "output_schema:\n  <<: *both\n  size: number\n",
        )
    )
    assert task.system_prompt == "Read it."
    assert task.output_schema == {"name": "string", "size": "number"}


def _bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize("levels", [9, 60])
def test_an_alias_bomb_is_refused_before_it_is_expanded(write_file: WriteFile, levels: int) -> None:
    assert "20,000 values" in error_for(write_file("a.yaml", _bomb(levels)))


@pytest.mark.parametrize("text", ["goal: &a [*a]", "goal: &a {b: {c: *a}}", "&a {goal: *a}"])
def test_an_alias_that_refers_to_itself(write_file: WriteFile, text: str) -> None:
    assert "refers to itself" in error_for(write_file("a.yaml", text + "\n"))


@pytest.mark.parametrize("depth", [60, 100_000])
@pytest.mark.parametrize(
    ("name", "before", "opening"),
    [
        ("a.json", '{"goal": ', "["),
        ("a.json", "", '{"a":'),
        ("a.yaml", "goal: ", "["),
        ("a.yaml", "", "{a: "),
    ],
)
def test_deep_nesting(
    write_file: WriteFile, name: str, before: str, opening: str, depth: int
) -> None:
    closing = {"[": "]", "{": "}"}[opening[0]]
    text = (
        before
        + opening * depth
        + "1"
        + closing * depth
        + ("}" if name == "a.json" and before else "")
    )
    assert "nested too deeply" in error_for(write_file(name, text))


def test_deep_nesting_through_aliases(write_file: WriteFile) -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 80))]
    assert "nested too deeply" in error_for(write_file("a.yaml", "\n".join(lines)))


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("gaol", '; did you mean "goal"?'),
        ("Output_Schema", '; did you mean "output_schema"?'),
        ("requiredFields", '; did you mean "required_fields"?'),
        ("zzzz", "(known keys: task_id, title"),
        ("a\nb\x1b[31m", "(known keys: "),
    ],
)
def test_an_unknown_key(key: str, hint: str) -> None:
    message = error_with(**{key: 1})
    assert message.startswith("unknown key ")
    assert hint in message
    assert "\x1b" not in message


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"goal": 5}, 'key "goal": expected text (put it in quotes), got 5'),
        ({"goal": None}, 'key "goal": expected text'),
        ({"max_steps": "25"}, 'key "max_steps": expected a whole number, got "25"'),
        ({"max_steps": True}, 'key "max_steps": expected a whole number, got true'),
        ({"max_steps": 0}, 'key "max_steps": expected at least 1, got 0'),
        ({"max_steps": 5000}, 'key "max_steps": expected at most 1000, got 5000'),
        ({"max_time_seconds": 0}, 'key "max_time_seconds": expected a number above 0, got 0'),
        ({"pagination": "yes"}, 'key "pagination": expected true or false, got "yes"'),
        ({"keywords": "a"}, 'key "keywords": expected a list, got "a"'),
        ({"keywords": ["a", 404]}, 'key "keywords[1]": expected text (put it in quotes), got 404'),
        ({"xfail": ["a"]}, 'key "xfail": expected a mapping of keys to values, got ["a"]'),
        ({"xfail": {"a": 3}}, 'key "xfail.a": expected text'),
        (
            {"phase": "explore"},
            "key \"phase\": expected 'discovery' or 'execution', got \"explore\"",
        ),
        ({"task_id": "a b"}, 'key "task_id": expected a letter or digit'),
        ({"goal": ["x" * 500]}, "…"),
    ],
)
def test_a_wrong_type(changes: dict[str, Any], expected: str) -> None:
    assert expected in error_with(**changes)


@pytest.mark.parametrize("key", ["task_id", "goal"])
def test_a_missing_key(key: str) -> None:
    with pytest.raises(SpecError, match=f'^spec: the key "{key}" is missing$'):
        build_task({k: v for k, v in BASE.items() if k != key}, "spec")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"required_fields": ["folowers"]},
            '"folowers" is not in output_schema; did you mean "followers"?',
        ),
        (
            {"derived": ["folowers"]},
            'key "derived": "folowers" is not in output_schema; did you mean "followers"?',
        ),
        ({"derived": ["followers.note"]}, '"followers.note" is not in output_schema'),
        ({"derived": ["nmae.note"]}, '"nmae.note" is not in output_schema'),
        ({"required_fields": ["name", "name"]}, 'key "required_fields": "name" is listed twice'),
        ({"required_fields": [" "]}, 'key "required_fields": an entry is empty'),
        ({"required_artifacts": ["a", "a"]}, '"a" is listed twice'),
        ({"aliases": {"nmae": ["Name"]}}, 'key "aliases": "nmae" is not in output_schema'),
        ({"aliases": {"name": [""]}}, 'key "aliases.name": an alias is empty'),
        ({"judgment_required": True}, '"judgment_question" is missing'),
        ({"judgment_required": True, "judgment_question": " "}, '"judgment_question" is missing'),
        (
            {"judgment_required": True, "judgment_question": "ok?", "phase": "discovery"},
            "the discovery phase lists pages",
        ),
        ({"output_schema": {"a": "strng"}}, 'key "output_schema.a": "strng" is not a type'),
        ({"input_schema": {"a": "numbr"}}, 'key "input_schema.a": "numbr" is not a type'),
        ({"output_schema": {"": "string"}}, 'key "output_schema": a field has no name'),
        ({"output_schema": {}}, "nothing would be checked"),
        ({"goal": "  "}, 'key "goal": is empty'),
        ({"xfail": {"a": ""}}, 'key "xfail.a": is empty; give the reason'),
        ({"start_url": ""}, 'key "start_url": "" is empty'),
        ({"start_url": "github.com/{user}"}, "has no scheme; write https://github.com/1"),
        ({"start_url": "file:///etc/passwd"}, "only http and https"),
        ({"start_url": "https:///{user}"}, "has no host"),
        ({"start_url": "https://a b.org/"}, "contains a space or a control character"),
    ],
)
def test_invalid_values_and_contradicting_keys(changes: dict[str, Any], expected: str) -> None:
    assert expected in error_with(**changes)


BY = {"type": "object", "properties": {"team": {"type": "string"}}}
CHECKS = {"type": "array", "items": {"properties": {"note": {"type": "string"}, "by": BY}}}


@pytest.mark.parametrize("name", ["name", "tags.note", "checks", "checks.note", "checks.by.team"])
def test_derived_may_name_a_field_or_a_part_of_one(name: str) -> None:
    fields = {**BASE["output_schema"], "checks": CHECKS}
    assert build_task({**BASE, "output_schema": fields, "derived": [name]}, "spec").derived == [
        name
    ]


def test_derived_with_a_part_that_the_form_of_its_field_does_not_list() -> None:
    message = error_with(output_schema={"checks": CHECKS}, derived=["checks.nott"])
    assert message.endswith('not in output_schema; did you mean "checks.note"?')


@pytest.mark.parametrize(
    "url",
    ["{url}", "https://{host}:{port}/x", "https://x.org/{a}?b={c}", "/tickets/{id}", "list.html"],
)
def test_valid_start_urls(url: str) -> None:
    assert build_task({**BASE, "start_url": url}, "spec").start_url == url


def test_loading_prints_nothing_and_leaves_no_file_open(
    write_file: WriteFile,
    capfd: pytest.CaptureFixture[str],
    open_files: Callable[[], list[str]],
) -> None:
    good, bad = write_file("a.yaml", YAML), write_file("b.json", "{")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_task(good)
        error_for(bad)
        gc.collect()
    assert open_files() == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"expected_items": "3"}, "expected a whole number above 0, or {field: number} for each"),
        ({"expected_items": True}, 'key "expected_items": expected a whole number'),
        ({"expected_items": 0}, 'key "expected_items": expected a whole number above 0'),
        ({"expected_items": {}}, 'key "expected_items": expected a whole number above 0'),
        ({"expected_items": {"tags": 0}}, 'key "expected_items": expected a whole number above 0'),
        (
            {"expected_items": 3, "output_schema": {"name": "string"}},
            'key "expected_items": output_schema has no array field; add one, or delete the key',
        ),
        (
            {"expected_items": 3, "output_schema": {"a": "array", "b": {"type": "array"}}},
            "output_schema has 2 array fields (a, b); write {a: 3}",
        ),
        (
            {"expected_items": {"tag": 3}},
            '"tag" is not an array field of output_schema; did you mean ',
        ),
        ({"expected_items": {"name": 3}}, '"name" is not an array field of output_schema'),
    ],
)
def test_expected_items_must_name_arrays(changes: dict[str, Any], expected: str) -> None:
    assert expected in error_with(**changes)


@pytest.mark.parametrize(
    ("expected_items", "by_field"), [(None, {}), (3, {"tags": 3}), ({"tags": 3}, {"tags": 3})]
)
def test_expected_items_by_field(expected_items: Any, by_field: dict[str, int]) -> None:
    task = build_task({**BASE, "expected_items": expected_items}, "spec")
    assert task.expected_by_field == by_field
