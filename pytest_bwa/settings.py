"""Every setting of the agent, declared once. The table in docs/reference.md is made from it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from pytest_bwa.errors import InputError

PREFIX = "BWA_"
DOTENV = ".env"
DOTENV_ENCODING = "utf-8-sig"  # also without the mark with which some editors begin a file


_FOLLOWS = "it follows from BWA_ACTION_TIMEOUT"
_OF_SPEC = "set discover.{} in the spec"
FORMER = {
    "BWA_MODEL_TRIES": "a call is tried three times within BWA_MODEL_DEADLINE",
    "BWA_MODEL_BACKOFF": "the pauses between tries follow from BWA_MODEL_DEADLINE",
    "BWA_ELEMENT_TIMEOUT": _FOLLOWS,
    "BWA_OBSERVE_TIMEOUT": _FOLLOWS,
    "BWA_SETTLE_TIMEOUT": _FOLLOWS,
    "BWA_VISION_THRESHOLD": "leave it out, or turn pictures off with BWA_VISION=off",
    "BWA_DISCOVERY_MAX_PAGES": _OF_SPEC.format("max_pages"),
    "BWA_DISCOVERY_MAX_SAMPLES": _OF_SPEC.format("max_samples"),
    "BWA_MAX_TOKENS": "an answer that was cut off is asked for again with twice as many",
    "BWA_VISION_BASE_URL": "name the server in BWA_VISION_MODEL, as in ollama/qwen2.5vl",
    "BWA_TRAJECTORY": "trajectory.db is always written",
    "BWA_RECORD_SECRETS": "samples with secrets are never recorded",
    "BWA_RECIPE_SAMPLES": "three samples teach a recipe",
    "BWA_MAX_COST": "pass --max-cost, or set bwa_max_cost in pytest.ini",
}
"""Variables that were settings once, with what to use instead."""


def _also_unprefixed(name: str, default: Any, **bounds: Any) -> Any:
    """A setting that may also be given without the prefix, under the name that earlier tools
    used."""
    return Field(default=default, validation_alias=AliasChoices(PREFIX + name, name), **bounds)


class Settings(BaseSettings):
    """Read from environment variables, then from ``.env`` in the working directory. A variable is
    the prefix and the field's name in capitals, unless the field has a validation alias. An empty
    one is as good as none."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=DOTENV,
        env_file_encoding=DOTENV_ENCODING,
        env_ignore_empty=True,  # CI passes an input that nobody set as an empty text
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    model: str = "claude-sonnet-5-5"
    """The model that decides."""
    effort: Literal["low", "medium", "high"] = "medium"
    """How much the Claude 5.5 models think before they answer: low, medium or high."""
    model_deadline: float = Field(default=120.0, gt=0)
    """Maximum seconds for one decision, with up to three attempts. The fallback model then has as
    many again, but no more than are left of the sample's own limit."""
    fast_model: str = "claude-haiku-5-5"
    """The model that summarizes older steps and what later samples should know; if the one that
    decides is on a server of its own (`ollama/…`), that one, unless this is set."""
    model_servers: dict[str, str] = {}
    """Addresses of model servers by name, as JSON: `{"ollama": "http://gpu7:11434"}`. Without it,
    `ollama/…`, `vllm/…`, `llamacpp/…` and `lmstudio/…` are servers on this machine."""
    context_window: int = Field(
        default=200_000,
        ge=1000,
        validation_alias=AliasChoices("BWA_CONTEXT_WINDOW", "LLM_CONTEXT_WINDOW"),
    )
    """Tokens of the model's context window; if it is not set, another server than Anthropic's is
    asked. What is sent may use 8 % of it, but at least 8,000 and at most 24,000 tokens."""
    reflection_mode: Literal["light", "full"] = _also_unprefixed("REFLECTION_MODE", "light")
    """Whether the model may (light) or must (full) comment on its progress with every action."""
    vision: Literal["auto", "off"] = "auto"
    """auto: the model may look at pictures of the page, and one is read where only a picture can
    tell a field; off: never."""
    vision_model: str = ""
    """The model that reads screenshots, such as `ollama/qwen2.5vl`; if empty, the one that
    decides."""
    enable_fallback_llm: bool = _also_unprefixed("ENABLE_FALLBACK_LLM", False)
    """Whether the fallback model is asked once after the main model failed."""
    fallback_llm_model: str = _also_unprefixed("FALLBACK_LLM_MODEL", "claude-haiku-5-5")
    """The fallback model."""
    finalize_on_failure: bool = _also_unprefixed("FINALIZE_ON_FAILURE", True)
    """Whether one last call turns saved data into an answer when the step limit is reached or the
    model fails."""
    enable_memory_distillation: bool = _also_unprefixed("ENABLE_MEMORY_DISTILLATION", True)
    """Whether the fast model says, after a done sample that overcame something, what later samples
    of the run should know; otherwise this is taken from the log alone."""
    enable_lessons: bool = True
    """Whether lessons of earlier runs are used and new ones learnt (memory.json in BWA_HOME)."""
    enable_multi_actions: bool = _also_unprefixed("ENABLE_MULTI_ACTIONS", True)
    """Whether one decision may contain several actions."""
    enable_evaluate: bool = False
    """Whether a model may evaluate JavaScript that only reads the page; what it returns helps to
    find a value, and proves none."""
    max_actions_per_step: int = _also_unprefixed("MAX_ACTIONS_PER_STEP", 8, ge=1, le=8)
    """Maximum number of actions in one decision, 1 to 8."""
    action_timeout: float = Field(default=60.0, gt=0)
    """Maximum seconds for one action. A page that does not answer for half as long counts as hung;
    it is given a twelfth to settle, and an element a twelfth to become ready."""
    rate_limits: dict[str, float] = {
        "linkedin.com": 3.0,
        "github.com": 0.5,
        "atlassian.net": 1.0,
        "default": 0.2,
    }
    """Minimum seconds between two page loads from a domain, as JSON."""
    exemplars: int = Field(default=0, ge=0, le=2)
    """How many similar samples of earlier runs (0 to 2) the model is shown, as the steps by which
    they were done."""
    discovery_pause: float = Field(default=1.0, ge=0)
    """Minimum seconds between two pages of a listing that is walked to find samples."""
    browser: Path | None = None
    """The browser to drive, instead of the one that `bwa doctor` finds."""
    home: Path = Path("~/.pytest_bwa")
    """The folder for what is kept between runs (saved logins, lessons)."""
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    """The key for Claude."""
    anthropic_auth_token: SecretStr | None = Field(
        default=None, validation_alias="ANTHROPIC_AUTH_TOKEN"
    )
    """A bearer token instead of a key."""
    anthropic_base_url: str | None = Field(default=None, validation_alias="ANTHROPIC_BASE_URL")
    """Another server that speaks the Messages API (Ollama, vLLM, llama.cpp)."""

    @property
    def observe_timeout(self) -> float:
        """Seconds until a page that does not answer counts as hung."""
        return self.action_timeout / 2

    @property
    def element_timeout(self) -> float:
        """Seconds for an element to become ready."""
        return self.action_timeout / 12

    @property
    def settle_timeout(self) -> float:
        """Seconds for a page to settle."""
        return self.action_timeout / 12


def variable(name: str) -> str:
    """The environment variable of a setting."""
    alias = Settings.model_fields[name].validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[0])
    return str(alias) if alias else PREFIX + name.upper()


def read_settings() -> Settings:
    """Read the settings from the environment and ``.env``. InputError names the variables whose
    values cannot be used, or the file."""
    try:
        _check_dotenv(Path(DOTENV))
        _check_former()
        return Settings()
    except (ValidationError, SettingsError) as error:
        raise InputError(_error_message(error)) from None


def _check_dotenv(path: Path) -> None:
    """Raise InputError for a file that cannot be read as text: what it sets would be lost."""
    try:
        content = path.read_bytes() if path.is_file() else b""
        # As UTF-8, UTF-16 without its mark is text, too, and none of its names is known.
        problem = "has a NUL byte" if b"\0" in content else ""
        content.decode(DOTENV_ENCODING)
    except OSError as error:
        raise InputError(f"{path.absolute()} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = 1 + error.object[: error.start].count(b"\n")
        problem = f"is not UTF-8 (line {line})"
    if problem:
        raise InputError(
            f"{path.absolute()} {problem}: save it as UTF-8 (it may be UTF-16, or encrypted)"
        )


def _check_former() -> None:
    """Raise InputError for a variable that would be ignored, although it was a setting once."""
    given = {**dotenv_values(DOTENV, encoding=DOTENV_ENCODING), **os.environ}
    set_names = {name.upper() for name, value in given.items() if value}
    if former := [name for name in FORMER if name in set_names]:
        raise InputError(f"{former[0]} is no longer a setting: {FORMER[former[0]]}")


def _error_message(error: ValidationError | SettingsError) -> str:
    """Every problem, without the values: one of them may be a key."""
    if isinstance(error, SettingsError):
        field = re.search(r'field "(\w+)"', str(error))
        name = variable(field[1]) if field and field[1] in Settings.model_fields else "a variable"
        return f"{name} is not valid JSON: {error}"
    return "; ".join(
        f"{_variable_of(str(problem['loc'][0]))}: {problem['msg'][0].lower()}{problem['msg'][1:]}"
        for problem in error.errors(include_input=False, include_url=False)
    )


def _variable_of(place: str) -> str:
    """pydantic names a setting by its field, or by the alias through which it was given."""
    return variable(place) if place in Settings.model_fields else place
