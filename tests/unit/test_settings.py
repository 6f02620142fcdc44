"""Settings come from the environment, then from .env; an error names the variable."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.policy.registry import has_model
from pytest_bwa.settings import read_settings


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
    with pytest.raises(InputError, match="rate_limits"):
        read_settings()
