"""How a site is signed in to, as far as a spec can say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from pytest_bwa.spec.messages import quote_value, suggest_name
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.typed_secrets import SecretSource, named, names_in


class Login(BaseModel):
    """One form on one page: what needs more, a person does with ``bwa login``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    """Address of the page with the form; may be relative to ``--base-url``."""
    fields: dict[str, str]
    """What is typed into each field, by its label: ``{User: <secret:user>, Password:
    <secret:password>}``."""
    submit: str | None = None
    """The name of the button that sends the form; None: Enter in the last field sends it."""
    confirmation: str
    """What the site shows only to those who are signed in, such as ``Log out``."""

    @property
    def secrets(self) -> Mapping[str, str]:
        """The names of the secrets that are typed, each with the label of its field."""
        return {name: label for label, text in self.fields.items() for name in names_in(text)}

    def user(self, secrets: Mapping[str, SecretSource]) -> str:
        """What is typed first, which is the user's name; of a secret where it comes from."""
        typed = next(iter(self.fields.values()), "")
        sources = [secrets[name] for name in names_in(typed) if name in secrets]
        return f"the value of {sources[0].env}" if sources else typed

    def problems(self, secrets: Mapping[str, SecretSource]) -> Iterator[str]:
        """What keeps it from being used with these secrets and codes of a task."""
        if problem := url_problem(self.url):
            yield f'key "login.url": {quote_value(self.url)} {problem}'
        for key in ("confirmation", "submit"):
            if getattr(self, key) is not None and not getattr(self, key).strip():
                yield f'key "login.{key}": is empty'
        if not self.secrets:
            yield f'key "login.fields": none is a secret; write {{Password: {named("password")}}}'
        for name, label in self.secrets.items():
            key = f'key "login.fields.{label}"'
            if name not in secrets:
                hint = suggest_name(name, secrets) or '; name its variable in "secrets"'
                yield f"{key}: there is no secret {quote_value(name)}{hint}"
            elif secrets[name].column:
                yield (
                    f"{key}: the secret {quote_value(name)} is a column of the list, and the "
                    "samples share one login; name a variable instead"
                )
