"""The task spec: all that is known about a site and a question, in one file (F-10)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Phase = Literal["discovery", "execution"]


class TaskSpec(BaseModel):
    """Unknown keys are refused by the loader, which suggests the nearest known one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task_id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    phase: Phase = "execution"
    start_url: str | None = None
    system_prompt: str = ""
    goal: str
    keywords: list[str] = Field(default_factory=list)
    output_schema: dict[str, Any] = Field(default_factory=dict)
    input_schema: dict[str, Any] = Field(default_factory=dict)
    max_steps: int = Field(25, ge=1, le=1000)
    max_time_seconds: float | None = Field(None, gt=0)
    required_fields: list[str] = Field(default_factory=list)
    required_artifacts: list[str] = Field(default_factory=list)
    expected_items: int | None = Field(None, ge=1)
    max_consecutive_network_errors: int = Field(5, ge=1)
    judgment_required: bool = False
    judgment_question: str | None = None
    judgment_output_schema: dict[str, Any] | None = None
    pagination: bool = False
    stop_condition: str | None = None
    auth_profile: str | None = None
    dialogs: Literal["dismiss", "accept"] = "dismiss"
    needs_discovery: bool = False
    aliases: dict[str, list[str]] = Field(default_factory=dict)
    xfail: dict[str, str] = Field(default_factory=dict)
    allowed_domains: list[str] = Field(default_factory=list)
    secrets: list[str] = Field(default_factory=list)
    concurrency: int | None = Field(None, ge=1)
