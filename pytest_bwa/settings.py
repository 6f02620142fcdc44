"""Every setting of the agent, once. The README's table is tested against this class."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from pytest_bwa.errors import InputError

PREFIX = "BWA_"
RATE_LIMITS = {"linkedin.com": 3.0, "github.com": 0.5, "atlassian.net": 1.0, "default": 0.2}  # F-23


def _setting(default: Any, name: str, description: str, *also: str, **bounds: Any) -> Any:
    """A field read from BWA_<NAME>; ``also`` are the documents' own spellings of it."""
    return Field(
        default,
        validation_alias=AliasChoices(PREFIX + name, *also),
        description=description,
        **bounds,
    )


class Settings(BaseSettings):
    """Read from the environment, then from ``.env`` in the working directory."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    model: str = _setting("claude-sonnet-5-5", "MODEL", "The model that decides.")
    effort: Literal["low", "medium", "high"] = _setting(
        "medium", "EFFORT", "How much the 5.5 models think before they answer."
    )
    max_tokens: int = _setting(
        4096, "MAX_TOKENS", "Tokens that one answer may take, thinking included.", ge=256
    )
    model_deadline: float = _setting(
        120.0, "MODEL_DEADLINE", "Seconds that one decision may take, retries included.", gt=0
    )
    model_tries: int = _setting(3, "MODEL_TRIES", "Tries of one model call before it fails.", ge=1)
    model_backoff: float = _setting(
        1.0, "MODEL_BACKOFF", "Seconds before the second try; doubled for each further one.", ge=0
    )
    fast_model: str = _setting(
        "claude-haiku-5-5", "FAST_MODEL", "The model that condenses older steps."
    )
    context_window: int = _setting(
        200_000,
        "CONTEXT_WINDOW",
        "Tokens of the model's context window; a prompt takes 8 % of it, 8,000 to 24,000.",
        "LLM_CONTEXT_WINDOW",
        ge=1000,
    )
    reflection_mode: Literal["light", "full"] = _setting(
        "light",
        "REFLECTION_MODE",
        "Whether the model may (light) or must (full) say how it goes with every action.",
        "REFLECTION_MODE",
    )
    vision: Literal["auto", "off"] = _setting(
        "auto", "VISION", "Whether pictures are looked at where a page's tree tells too little."
    )
    vision_model: str = _setting(
        "", "VISION_MODEL", "The model that looks; without a name the one that decides."
    )
    vision_base_url: str | None = _setting(
        None, "VISION_BASE_URL", "Its server, where it is another one (a local vision model)."
    )
    vision_threshold: float = _setting(
        0.6, "VISION_THRESHOLD", "dom_confidence under which a picture is looked at.", ge=0, le=1
    )
    fallback_llm: bool = _setting(
        False,
        "ENABLE_FALLBACK_LLM",
        "Whether another model is asked once where the first gave no answer.",
        "ENABLE_FALLBACK_LLM",
    )
    fallback_model: str = _setting(
        "claude-haiku-5-5", "FALLBACK_LLM_MODEL", "That other model.", "FALLBACK_LLM_MODEL"
    )
    finalize_on_failure: bool = _setting(
        True,
        "FINALIZE_ON_FAILURE",
        "Whether one last call makes an answer of what was saved when steps or model run out.",
        "FINALIZE_ON_FAILURE",
    )
    multi_actions: bool = _setting(
        False,
        "ENABLE_MULTI_ACTIONS",
        "Whether one decision may hold several actions.",
        "ENABLE_MULTI_ACTIONS",
    )
    max_actions_per_step: int = _setting(
        3,
        "MAX_ACTIONS_PER_STEP",
        "How many, at the most 3.",
        "MAX_ACTIONS_PER_STEP",
        ge=1,
        le=3,
    )
    action_timeout: float = _setting(
        60.0, "ACTION_TIMEOUT", "Seconds that one action may take before it has failed.", gt=0
    )
    element_timeout: float = _setting(
        5.0, "ELEMENT_TIMEOUT", "Seconds that an element has to become ready to be acted on.", gt=0
    )
    observe_timeout: float = _setting(
        30.0, "OBSERVE_TIMEOUT", "Seconds that a page has to answer before it counts as hung.", gt=0
    )
    settle_timeout: float = _setting(
        5.0,
        "SETTLE_TIMEOUT",
        "Seconds at the most that are waited for a page to become quiet.",
        ge=0,
    )
    rate_limits: dict[str, float] = _setting(
        RATE_LIMITS, "RATE_LIMITS", "Seconds between two openings of pages of a domain, as JSON."
    )
    browser: Path | None = _setting(
        None, "BROWSER", "The browser to drive, instead of the one that would be found."
    )
    home: Path = _setting(
        Path("~/.pytest_bwa"), "HOME", "Where what outlives a run is kept (saved logins)."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias="ANTHROPIC_API_KEY", description="The key for Claude."
    )
    anthropic_auth_token: SecretStr | None = Field(
        None,
        validation_alias="ANTHROPIC_AUTH_TOKEN",
        description="A bearer token instead of a key.",
    )
    anthropic_base_url: str | None = Field(
        None,
        validation_alias="ANTHROPIC_BASE_URL",
        description="Another server that speaks the Messages API (Ollama, vLLM, llama.cpp).",
    )

    @property
    def has_model(self) -> bool:
        """Whether ``--policy auto`` takes claude."""
        return any((self.anthropic_api_key, self.anthropic_auth_token, self.anthropic_base_url))


def read_settings() -> Settings:
    """The settings as the environment and ``.env`` give them now. InputError names the variable
    whose value cannot be used."""
    try:
        return Settings()  # type: ignore[call-arg]  # every field has a default, by an alias
    except (ValidationError, SettingsError) as error:
        raise InputError(_complaint(error)) from None


def _complaint(error: ValidationError | SettingsError) -> str:
    """All of them, without their values: one may be a key."""
    if isinstance(error, SettingsError):  # JSON that is none
        return f"a setting cannot be read: {error}"
    return "; ".join(
        f"{problem['loc'][0]}: {problem['msg'][0].lower()}{problem['msg'][1:]}"
        for problem in error.errors(include_input=False, include_url=False)
    )
