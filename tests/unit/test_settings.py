"""Settings come from the environment, then from .env; an error names the variable."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.settings import read_settings


def test_the_environment_overrides_the_dotenv_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("BWA_MODEL=from-file\nBWA_EFFORT=low\nOTHER=x\n")
    monkeypatch.setenv("BWA_MODEL", "from-environment")
    settings = read_settings()
    assert (settings.model, settings.effort) == ("from-environment", "low")


def test_keys_are_not_in_the_repr(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    settings = read_settings()
    assert settings.has_model
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
