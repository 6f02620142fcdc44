"""Settings come from the environment, then from .env; an error names the variable."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.policy.registry import has_model
from pytest_bwa.settings import FORMER, Settings, read_settings, variable


def test_the_environment_overrides_the_dotenv_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("BWA_MODEL=from-file\nBWA_EFFORT=low\nOTHER=x\n")
    monkeypatch.setenv("BWA_MODEL", "from-environment")
    settings = read_settings()
    assert (settings.model, settings.effort) == ("from-environment", "low")


def test_the_spelling_without_the_prefix_is_read_too_but_the_prefix_wins(monkeypatch):
    monkeypatch.setenv("REFLECTION_MODE", "full")
    monkeypatch.setenv("LLM_CONTEXT_WINDOW", "32000")
    assert (read_settings().reflection_mode, read_settings().context_window) == ("full", 32000)
    monkeypatch.setenv("BWA_REFLECTION_MODE", "light")
    assert read_settings().reflection_mode == "light"


def test_a_setting_that_is_only_ours_needs_its_prefix(monkeypatch):
    monkeypatch.setenv("EFFORT", "low")
    assert read_settings().effort == "medium"


def test_keys_are_not_in_the_repr(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    settings = read_settings()
    assert has_model(settings)
    assert "sk-secret" not in repr(settings)


@pytest.mark.parametrize(
    ("variable", "value"), [("BWA_ACTION_TIMEOUT", "soon"), ("BWA_EFFORT", "huge")]
)
def test_a_wrong_value_names_its_variable(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError, match=variable):
        read_settings()


def test_invalid_json_names_the_setting(monkeypatch):
    monkeypatch.setenv("BWA_RATE_LIMITS", "{broken")
    with pytest.raises(InputError, match=r"BWA_RATE_LIMITS is not valid JSON.*rate_limits"):
        read_settings()


@pytest.mark.parametrize("in_file", [False, True])
def test_what_was_a_setting_once_is_refused_with_what_to_use_instead(
    tmp_path, monkeypatch, in_file
):
    monkeypatch.chdir(tmp_path)
    for name, advice in FORMER.items():
        if in_file:
            (tmp_path / ".env").write_text(f"{name}=1\n")
        else:
            monkeypatch.setenv(name, "1")
        with pytest.raises(InputError, match=f"^{name} is no longer a setting: {advice}"):
            read_settings()
        monkeypatch.delenv(name, raising=False)


def test_one_setting_is_the_measure_of_all_waiting_for_a_page():
    settings = Settings(_env_file=None, action_timeout=24)
    waits = settings.observe_timeout, settings.element_timeout, settings.settle_timeout
    assert waits == (12, 2, 2)


def test_empty_variables_are_none(monkeypatch):
    for name in map(variable, Settings.model_fields):
        monkeypatch.setenv(name, "")
    assert read_settings() == Settings.model_construct()


def test_an_empty_variable_leaves_the_word_to_the_other_spelling_and_to_the_file(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("BWA_MODEL=from-file\nBWA_BROWSER=\n", "utf-8-sig")
    monkeypatch.setenv("BWA_MODEL", "")
    monkeypatch.setenv("BWA_REFLECTION_MODE", "")
    monkeypatch.setenv("REFLECTION_MODE", "full")
    settings = read_settings()
    found = settings.model, settings.browser, settings.reflection_mode
    assert found == ("from-file", None, "full")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"A=1\nX=\x9d\xff\n", "is not UTF-8 (line 2)"),
        ("BWA_MODEL=x\n".encode("utf-16"), "NUL byte|is not UTF-8"),
        ("BWA_MODEL=x\n".encode("utf-16-le"), "has a NUL byte"),
        (b"\0GITCRYPT\0\x9d\xff", "NUL byte|is not UTF-8"),
    ],
)
def test_a_dotenv_file_that_is_no_text_is_named_in_one_line(
    tmp_path, monkeypatch, content, problem
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_settings()
    message = str(refused.value)
    assert message.startswith(f"{tmp_path}/.env ")
    assert any(words in message for words in problem.split("|"))
    assert len(message.splitlines()) == 1


def test_a_dotenv_file_that_cannot_be_read_is_named_and_a_folder_is_none(tmp_path, monkeypatch):
    before = read_settings()
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").symlink_to("/proc/self/mem")
    with pytest.raises(InputError, match=r"/\.env cannot be read: Input/output error"):
        read_settings()
    (tmp_path / ".env").unlink()
    (tmp_path / ".env").mkdir()
    assert read_settings() == before
