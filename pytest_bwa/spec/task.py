"""The task spec: everything about one site and one question, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from pytest_bwa.spec.login import Login
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.network.hosts import rules_of
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.typed_secrets import SecretSource
from pytest_bwa.spec.workpaper import Workpaper

RecipeMode = Literal["learn", "only", "off"]
ApproveRule = Literal["writes", "off"]
"""Whether a person is asked before an action may write."""
NotFoundRule = Literal["fail", "pass"]
"""What a sample is that does not exist."""
ExpectedRule = Literal["fail", "report"]
"""What a value is that differs from what the list says of it."""
JUDGMENT_KEYS = ("answer", "confidence", "reasoning", "evidence_refs")
"""The keys that every judgment has; judgment_output_schema may name others."""
Phase = Literal["discovery", "execution"]


class Discover(BaseModel):
    """Where the samples of a task are listed, and which links of that list lead to them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start_url: str | None = None
    """Address of the listing; may be relative to ``--base-url``. ``--start-url`` wins over it."""
    links: str | None = None
    """The form of the addresses that lead to samples, such as ``/people/*``: each * stands for one
    part of the path or for a value of the query."""
    goal: str | None = None
    """What to collect, in words for a model; None: every entry of the list."""
    first: int | None = Field(None, ge=1)
    """How many entries are wanted, in the list's own order; None: all."""
    max_pages: int | None = Field(None, ge=1)
    """Pages of the listing that are opened at most; None: 100."""
    max_samples: int | None = Field(None, ge=1)
    """Samples that are collected at most; None: 5,000."""


class TaskSpec(BaseModel):
    """One task, which is the same for all samples. ``tasks/_template.yaml`` shows every key.

    start_url, goal and system_prompt may contain ``{column}`` placeholders, which are filled from
    the sample.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task_id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    """Name of the task in reports and folder names."""
    title: str | None = None
    """What reports call the task; None: its task_id."""
    phase: Phase = "execution"
    """``execution`` runs one sample per row; ``discovery`` walks a listing and writes what it finds
    as samples.csv."""
    start_url: str | None = None
    """Address to open first if the sample has no url; may be relative to ``--base-url``."""
    system_prompt: str = ""
    """Role and rules of the agent; without placeholders it is cached for all samples."""
    goal: str
    """What to do for one sample, and when to stop."""
    keywords: list[str] = Field(default_factory=list)
    """Words of the task: elements that match them are kept when a long page is cut."""
    output_schema: dict[str, Any] = Field(default_factory=dict)
    """Fields to extract, each with a short form such as ``string | null`` or a JSON Schema."""
    input_schema: dict[str, Any] = Field(default_factory=dict)
    """Columns that the samples list must have, with their types; other columns are allowed."""
    max_steps: int = Field(25, ge=1, le=1000)
    """Maximum decisions per sample, not counting the opening of its page."""
    max_time_seconds: float | None = Field(None, gt=0)
    """Maximum wall-clock seconds per sample; None means no limit."""
    required_fields: list[str] = Field(default_factory=list)
    """Fields that must not be null for the status ``done``; 0 and false are values."""
    required_artifacts: list[str] = Field(default_factory=list)
    """Labels of screenshots, and names of downloads (``{sample_id}.pdf``), that ``done`` needs."""
    expected_items: int | dict[str, int] | None = None
    """Items that the only array field must have, or each of several, as {field: number}; with
    fewer, the status is ``partial_success``. None: any number."""
    max_consecutive_network_errors: int = Field(5, ge=1)
    """Network or browser errors in a row that end a sample; a wrong selector does not count."""
    judgment_required: bool = False
    """Whether the agent must answer judgment_question."""
    judgment_question: str | None = None
    """A question to answer with yes, no or inconclusive; required if judgment_required is true."""
    judgment_output_schema: dict[str, Any] | None = None
    """Form of the judgment that is put into the prompt; None means the standard form."""
    pagination: bool = False
    """Whether the answer goes over several pages of a list, which a model is then told."""
    stop_condition: str | None = None
    """The state in which the agent should call done, in words; None: the goal says it all."""
    auth_profile: str | None = None
    """Name of a login saved by ``bwa login NAME URL``; None means no login."""
    login: Login | None = None
    """The form by which each worker signs in before its first sample, and again where the site asks
    for it; no decision is spent on it. None: nobody signs in."""
    dialogs: Literal["dismiss", "accept"] = "dismiss"
    """How alerts, confirmations and prompts of the page are answered."""
    needs_discovery: bool = False
    """Whether the samples are found by walking a listing first, as with ``--discover``."""
    discover: Discover | None = None
    """The listing that is walked; None: the start_url is the listing."""
    read_only: bool | None = None
    """False: forms may be filled and sent. True: nothing that may write is sent, whoever asks for
    it. Not set: the rules policy only reads, the result lists what was sent, and what was entered
    is proven by reading it back once two of the sample's columns were entered."""
    allow_requests: list[AllowedRequest] = Field(default_factory=list)
    """Requests that read although their method may write: ``read_only: true`` lets them through,
    and ``approve: writes`` asks nobody about them."""
    approve: ApproveRule = "off"
    """``writes``: before an action sends what may write, a person is asked; what no action sends is
    not sent. ``--approve`` wins over it."""
    submit: str | None = None
    """The name of the one button that the rules policy may press to send a form."""
    confirmation: str | None = None
    """What the page says once a form was sent; without it the rules policy calls none sent."""
    derived: list[str] = Field(default_factory=list)
    """Fields that no page shows, because they follow from others; they need not have been seen."""
    locale: str | None = Field(None, pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")
    """How the site writes numbers and dates, such as ``en-GB``; None: as the page says."""
    not_found: NotFoundRule = "fail"
    """What a sample is that does not exist: a failure, or a pass. ``--not-found`` wins over it."""
    expected: ExpectedRule = "fail"
    """What a value is that differs from ``expected.<field>`` of the list: a finding, by which the
    sample fails, or only reported. ``--expected`` wins over it."""
    exception: Literal["yes", "no"] | None = None
    """The answer to judgment_question that is an exception, of which a run bounds the share."""
    aliases: dict[str, list[str]] = Field(default_factory=dict)
    """Other labels under which a page may show a field; ``Billing > City`` counts in that section
    only."""
    xfail: dict[str, str] = Field(default_factory=dict)
    """Reasons by sample_id for samples that are expected to fail; one that passes is a failure."""
    controls: tuple[str, ...] = ()
    """The controls that the samples are evidence of, such as ``CC8.1``; one or a list."""
    period: str | None = None
    """The time that they are evidence of, such as ``2026-01-01 to 2026-12-31``."""
    environment: str | None = None
    """Which installation of the system the samples are read from, such as ``production``."""
    account: str | None = None
    """The account that reads them; None: the name of auth_profile or of the user who signs in by
    login."""
    severity: Literal["blocker", "critical", "normal", "minor", "trivial"] = "normal"
    """How much a sample of this task matters, as Allure shows it."""
    allowed_domains: list[str] = Field(default_factory=list)
    """Hosts that a sample may visit: ``example.com``, ``*.example.com``, ``127.0.0.1:8000``, or
    ``*`` for every public host. Empty: those of start_url, the samples' urls and ``--base-url``."""
    allowed_resources: list[str] = Field(default_factory=list)
    """Other hosts from which pages may load scripts, styles, pictures and fonts, by GET and without
    cookies."""
    secrets: dict[str, SecretSource] = Field(default_factory=dict)
    """Values that may be typed as ``<secret:password>`` and are shown nowhere: columns of the list,
    or ``{password: VARIABLE}`` for values of the environment."""
    totp: dict[str, SecretSource] = Field(default_factory=dict)
    """``{code: VARIABLE}``: keys of one-time codes; ``<secret:code>`` types the present code."""
    redact: list[str] = Field(default_factory=list)
    """Regular expressions: what they find is ``***`` in everything that is written or sent."""
    concurrency: int | None = Field(None, ge=1)
    """How many samples of the audit may run at once on this machine, over all workers of ``-n``;
    None: as many as there are workers."""

    @field_validator("controls", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        texts = [value] if isinstance(value, str) else value
        return tuple(texts) if isinstance(texts, list) else texts

    @field_validator("expected_items", mode="plain")
    @classmethod
    def _numbers_of_items(cls, value: Any) -> Any:
        """Checked as a whole: of a union, pydantic would report each part that does not fit."""
        numbers = value.values() if isinstance(value, Mapping) and value else [value]
        if value is None or all(type(number) is int and number >= 1 for number in numbers):
            return value
        raise PydanticCustomError(
            "expected_items", "a whole number above 0, or {{field: number}} for each array field"
        )

    @field_validator("secrets", mode="before")
    @classmethod
    def _sources_of_secrets(cls, value: Any) -> Any:
        """A name alone is that of the variable. Checked as a whole, as the numbers above are."""
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            value = {name: {"column": name} for name in value}
        if (sources := _sources(value)) is not None:
            return sources
        raise PydanticCustomError(
            "secrets",
            "a list of columns, or {{name: VARIABLE or {{env: VARIABLE, hosts: [..]}}}}, with "
            "column instead of env for a column",
        )

    @field_validator("allowed_domains", "allowed_resources")
    @classmethod
    def _hosts_are_hosts(cls, value: list[str]) -> list[str]:
        try:
            rules_of(value)
        except ValueError as problem:
            words = str(problem).replace("{", "{{").replace("}", "}}")
            raise PydanticCustomError("hosts", words) from None
        return value

    @field_validator("totp", mode="before")
    @classmethod
    def _sources_of_codes(cls, value: Any) -> Any:
        sources = _sources(value)
        if sources is None or any(source.column for source in sources.values()):
            raise PydanticCustomError(
                "totp", "{{name: VARIABLE or {{env: VARIABLE, hosts: [..]}}}}"
            )
        return sources

    @field_validator("redact")
    @classmethod
    def _are_patterns(cls, value: list[str]) -> list[str]:
        import regex  # few specs have patterns, and it takes long to load

        for pattern in value:
            try:
                finds_nothing = regex.search(pattern, "", timeout=1) is None
            except (regex.error, TimeoutError) as error:
                raise PydanticCustomError(
                    "redact", "{pattern} is not a regular expression: {error}",
                    {"pattern": repr(pattern), "error": str(error)},
                ) from None  # fmt: skip
            if not finds_nothing:
                raise PydanticCustomError(
                    "redact", "{pattern} finds the empty text", {"pattern": repr(pattern)}
                )
        return value

    @model_validator(mode="after")
    def _names_of_secrets(self) -> TaskSpec:
        columns = [source.column for source in self.secrets.values() if source.column]
        if known := [column for column in columns if column.startswith("expected.")]:
            raise ValueError(
                f'secrets: the column "{known[0]}" cannot be secret: reports show what is expected'
            )
        if fixed := sorted({"sample_id", "xfail"} & set(columns)):
            raise ValueError(f'secrets: the column "{fixed[0]}" cannot be secret')
        if self.start_url and (used := [c for c in columns if f"{{{c}}}" in self.start_url]):
            raise ValueError(f'start_url: the column "{used[0]}" is secret: it can only be typed')
        if twice := sorted(set(self.totp) & set(self.secrets)):
            raise ValueError(f'totp: "{twice[0]}" is the name of a secret, too')
        if wrong := [n for n in {*self.totp, *self.secrets} if not n or set("<>\n") & set(n)]:
            raise ValueError(f"secrets: {wrong[0]!r} cannot be the name of a secret")
        return self

    @property
    def workpaper(self) -> Workpaper:
        """What the samples are evidence of, with the account that reads them."""
        login = self.login.user(self.secrets) if self.login else None
        return Workpaper(
            title=self.title,
            controls=self.controls,
            period=self.period,
            environment=self.environment,
            account=self.account or self.auth_profile or login,
        )

    @property
    def array_fields(self) -> list[str]:
        """The fields that may hold an array."""
        schema = OutputSchema(self.output_schema)
        return [name for name in self.output_schema if "array" in schema.kinds(name)]

    @property
    def listing_field(self) -> str | None:
        """The only array field whose entries have properties, one of them ``url``: what a discovery
        collects. None if there is none, or more than one."""
        names = [
            name
            for name, form in self.output_schema.items()
            if isinstance(form, Mapping) and isinstance(form.get("items"), Mapping)
            and "url" in form["items"].get("properties", {})
        ]  # fmt: skip
        return names[0] if len(names) == 1 else None

    @property
    def expected_by_field(self) -> dict[str, int]:
        """How many items each array field must have; fields that may have any number are left
        out."""
        if isinstance(self.expected_items, dict):
            return self.expected_items
        arrays = self.array_fields
        if self.expected_items is None or len(arrays) != 1:
            return {}
        return {arrays[0]: self.expected_items}

    @property
    def extra_judgment_keys(self) -> dict[str, Any]:
        """What judgment_output_schema asks for beyond the keys of every judgment, each with its
        form. The schema is a plain mapping, or a JSON Schema with ``properties``."""
        schema = self.judgment_output_schema or {}
        named = schema.get("properties", schema)
        forms = named if isinstance(named, Mapping) else schema
        return {key: form for key, form in forms.items() if key not in JUDGMENT_KEYS}

    def is_known_bad(self, sample: Sample) -> bool:
        """Whether the list or the spec says that this sample is expected to fail."""
        return bool(self.known_bad_reason(sample))

    def known_bad_reason(self, sample: Sample) -> str:
        """Why this sample is expected to fail, empty if it is not; the spec wins over the list."""
        return self.xfail.get(sample.sample_id, sample.xfail or "")

    def not_found_rule(self, sample: Sample) -> NotFoundRule:
        """What this sample is if it does not exist. One that is known to be bad is expected to
        fail: not to be found is what was expected of it, and no pass."""
        return "fail" if self.is_known_bad(sample) else self.not_found


def _sources(value: Any) -> dict[str, SecretSource] | None:
    """The sources by name; None if they are not written as such."""
    if not isinstance(value, Mapping):
        return None
    full = {name: {"env": v} if isinstance(v, str) else v for name, v in value.items()}
    try:
        return {str(name): SecretSource.model_validate(v) for name, v in full.items()}
    except ValidationError:
        return None
