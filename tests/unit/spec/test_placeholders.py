from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from pytest_bwa.errors import SpecError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import named_columns
from pytest_bwa.spec.task import TaskSpec


def task(**keys: str | list[str]) -> TaskSpec:
    return TaskSpec.model_validate({"task_id": "t", "goal": "g", **keys})


def goal_of(text: str, **columns: str) -> str:
    return placeholders.fill(task(goal=text), Sample("s", columns)).goal


def url_of(text: str, **columns: str) -> str | None:
    return placeholders.fill(task(start_url=text), Sample("s", columns)).start_url


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("Read {name}.", "Read Ada."),
        ("{name}{name}", "AdaAda"),
        ('Answer {"a": 1}', 'Answer {"a": 1}'),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
        ('{"who": "{name}"}', '{"who": "Ada"}'),
        ('{"who": {name}}', '{"who": Ada}'),
        ("{}", "{}"),
        ("{ name }", "{ name }"),
        ("{first name}", "{first name}"),
        ("{1}", "{1}"),
        ("a{2,3}", "a{2,3}"),
        ("{naïve}", "{naïve}"),
        ("{{name}}", "{name}"),
        ("{{name}", "{name}"),
        ("{{{name}}}", "{Ada}"),
        ("{{{{name}}}}", "{{name}}"),
        ('{{"a": {"b": 1}}}', '{"a": {"b": 1}}'),
        ("}} {name} {", "}} Ada {"),
        ("}", "}"),
        ("", ""),
    ],
)
def test_only_an_identifier_in_braces_is_filled(text: str, filled: str) -> None:
    assert goal_of(text, name="Ada") == filled


def test_a_value_is_not_filled_again() -> None:
    assert goal_of("{a} {b}", a="{b}", b="{{a}}") == "{b} {{a}}"


def test_start_url_goal_prompt_and_labels_are_filled_and_nothing_else() -> None:
    unfilled = TaskSpec(
        task_id="t",
        goal="g {a}",
        start_url="/x/{a}",
        system_prompt="p {a}",
        required_artifacts=["f-{a}.pdf", "{b}", "f-1.pdf"],
        stop_condition="until {a}",
        keywords=["{a}"],
    )
    filled = placeholders.fill(unfilled, Sample("s", {"a": "1"}))
    assert (filled.goal, filled.start_url, filled.system_prompt) == ("g 1", "/x/1", "p 1")
    assert filled.required_artifacts == ["f-1.pdf"]  # once, and none of an empty column
    assert (filled.stop_condition, filled.keywords) == ("until {a}", ["{a}"])
    assert unfilled.goal == "g {a}"


@pytest.mark.parametrize(
    ("template", "value", "url"),
    [
        ("{v}", "https://x.org/a b?q=1&r=ä#f", "https://x.org/a b?q=1&r=ä#f"),
        ("{v}?tab=repositories", "https://x.org/ada", "https://x.org/ada?tab=repositories"),
        ("https://{v}", "x.org/a?b=c", "https://x.org/a?b=c"),
        ("https://x.org/{v}", "torvalds/linux", "https://x.org/torvalds/linux"),
        ("https://x.org/{v}", "a b", "https://x.org/a%20b"),
        ("https://x.org/{v}", "what?", "https://x.org/what%3F"),
        ("https://x.org/{v}", "c#", "https://x.org/c%23"),
        ("https://x.org/{v}", "100%", "https://x.org/100%25"),
        ("https://x.org/{v}", "a%20b", "https://x.org/a%20b"),
        ("https://x.org/{v}", "Zoë", "https://x.org/Zo%C3%AB"),
        ("https://x.org/{v}", "@ada", "https://x.org/@ada"),
        ("/tickets/{v}", "T 1", "/tickets/T%201"),
        ("https://x.org/?q={v}", "a&b=c", "https://x.org/?q=a%26b%3Dc"),
        ("https://x.org/?q={v}", "c++ #1", "https://x.org/?q=c%2B%2B%20%231"),
        (
            "https://x.org/?u={v}&z=1",
            "https://y/?a=1&b",
            "https://x.org/?u=https://y/?a%3D1%26b&z=1",
        ),
        ("https://x.org/#{v}", "a b#c", "https://x.org/#a%20b%23c"),
        ("https://{v}.x.org/", "evil.org/#", "https://evil.org%2F%23.x.org/"),
        ("https://x.org/{{v}}", "1", "https://x.org/{v}"),
    ],
)
def test_values_that_would_break_a_url_are_encoded(template: str, value: str, url: str) -> None:
    assert url_of(template, v=value) == url


@pytest.mark.parametrize("value", ["a&b", "a=b", "a+b", "a b", "50%", "ü#?/", "x;y", '"q"'])
def test_a_decoded_query_value_equals_the_original(value: str) -> None:
    url = url_of("https://x.org/s?before=1&q={v}&after=2", v=value) or ""
    assert parse_qs(urlsplit(url).query) == {"before": ["1"], "q": [value], "after": ["2"]}


@pytest.mark.parametrize(
    ("url", "concrete"),
    [("https://x.org", True), ("/a/{{b}}", True), ("/a/{b}", False), ("", False), (None, False)],
)
def test_a_url_without_placeholders_is_concrete(url: str | None, concrete: bool) -> None:
    assert placeholders.is_concrete(url) is concrete


def test_placeholder_names_are_in_order() -> None:
    assert placeholders.names('{b} {{c}} {a} {"d": {b}}') == ["b", "a", "b"]


@pytest.mark.parametrize("key", ["start_url", "goal", "system_prompt", "required_artifacts"])
def test_a_placeholder_that_is_not_a_column(key: str) -> None:
    text = "/x/{compny}"
    spec = task(**{key: [text] if key == "required_artifacts" else text})
    with pytest.raises(SpecError) as caught:
        placeholders.check(spec, ["sample_id", "company"], "spec.yaml")
    message = str(caught.value)
    assert message.startswith(
        f'spec.yaml: key "{key}": the placeholder {{compny}} is not a column of the samples'
    )
    assert 'did you mean "company"?' in message
    assert "write {{compny}} if it is meant as text" in message
    assert len(message.splitlines()) == 1


def test_the_columns_are_listed_if_no_name_is_similar() -> None:
    with pytest.raises(SpecError, match=r"\(columns: sample_id, two lines\)"):
        placeholders.check(task(goal="{zzz}"), ["sample_id", "two\nlines"], "spec.yaml")


def test_a_column_name_that_cannot_be_a_placeholder_is_an_error() -> None:
    with pytest.raises(SpecError, match=r'column "Ticket ID" cannot .* "Ticket_ID"'):
        placeholders.check(task(goal="Read {Ticket ID}"), ["sample_id", "Ticket ID"], "spec")


def test_escaped_names_and_json_need_no_column() -> None:
    placeholders.check(task(goal='{{name}} {"a": {"b": 1}} {sample_id}'), ["sample_id"], "spec")


def test_the_columns_that_a_spec_names_are_those_of_its_labels_too() -> None:
    spec = task(goal="{a}", required_artifacts=["{b}.pdf", "page"])
    assert placeholders.used(spec) == ["a", "b"]
    assert {"a", "b"} <= set(named_columns(spec))
