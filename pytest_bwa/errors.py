"""The errors that end a command, a sample or a run, in one tree.

    BwaError
    ├── InputError              bad spec, samples or options: exit status 4, before any browser
    │   │                       starts
    │   ├── SpecError           names the file, and the key or line
    │   ├── SamplesError        names the file, the row and the column
    │   ├── ResumeRefused       the run folder was made from another spec or samples file
    │   └── MergeRefused        the runs are not the shards of one list
    ├── BrowserMissing          no browser to drive, with the remedy in one line: exit status 4
    │                           before the first sample; later, the sample fails with it
    ├── EvidenceError           the evidence cannot be written, or read again (disk full, no
    │   │                       permission)
    │   └── StoreError          a store does not take, keep or give a file of a run
    ├── SampleEnded             ends one sample; the loop turns it into a result
    │   ├── LimitReached        the steps or the time of the sample are used up
    │   ├── Stuck               the page does not change, whatever is tried
    │   ├── SiteUnreachable     too many network or browser errors came in a row
    │   ├── SignInFailed        the site did not take the login of the spec, or has another form
    │   ├── PageLost            the browser or the page died, or does not answer
    │   └── ModelFailed         the model gave no usable decision; the loop asks again after
    │                           faults that pass
    ├── DecisionUnusable        no action can be read from one reply; the loop asks again
    ├── RunStopped              ends the whole run at once
    │   └── CredentialsRefused  the model's server refuses the key
    ├── CostLimitReached        no further sample begins: the run has cost what it may cost
    └── ClusterLost             in ``cluster/coordinator.py``: the Dask scheduler is gone

    AuditFinding (an AssertionError)  ``SampleResult.assert_done`` raises it for a sample that did
                                      not pass
    SampleBroken (an AssertionError)  the same if the browser, the model, the disk or the site's
                                      server failed; it excuses no known-bad sample

    ModelServerNotice (a UserWarning) something that the model's server lacks; the run goes on

A message is one sentence that says what happened and what to do next.

What says only that one thing was not possible, and ends nothing, is no BwaError and stands in the
module that raises it: a selector without an element (``NotFound``), a text that cannot be converted
(``Uncertain``), a place that a page does not have (``PlaceNotFound``), a secret for another host
(``SecretRefused``), a proxy behind which no other can be put (``UnusableProxy``), a fault that is
retried (``RetryableError``). Whoever calls that module catches it, in other rooms, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


class BwaError(Exception):
    """Base of everything below."""


class InputError(BwaError):
    """Bad spec, samples or options; reported before any browser starts."""


class SpecError(InputError):
    """A task spec that cannot be used."""


class SamplesError(InputError):
    """A samples list that cannot be used; the message names file, row and column."""

    def __init__(
        self, problem: str, *, file: Path | str, row: int | None = None, column: str | None = None
    ) -> None:
        where = str(file)
        if row is not None:
            where += f", row {row}"
        if column is not None:
            where += f', column "{column}"'
        super().__init__(f"{where}: {problem}")


class ResumeRefused(InputError):
    """The run folder cannot be resumed with this input."""


class MergeRefused(InputError):
    """The runs are not all the shards of one list; ``problems`` has a sentence for each reason."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class BrowserMissing(BwaError):
    """No browser that Playwright can drive was found, or it does not start, or it opens no page."""


class EvidenceError(BwaError):
    """Evidence could not be written, or read again. Files already written are intact."""


class StoreError(EvidenceError):
    """A store (``--evidence s3://…``) does not take, keep or give a file. ``is_refusal`` says that
    it never will: there is no such bucket, or these credentials may not write to it."""

    def __init__(self, message: str, *, is_refusal: bool = False) -> None:
        super().__init__(message)
        self.is_refusal = is_refusal


class SampleEnded(BwaError):
    """Ends one sample; never leaves the loop."""


class LimitReached(SampleEnded):
    """The steps or the seconds of a sample are used up."""


class Stuck(SampleEnded):
    """The last steps had no effect, and neither had recovery; the message is the diagnosis."""


class SiteUnreachable(SampleEnded):
    """Too many network or browser errors came in a row; the page itself may still be there."""


class SignInFailed(SampleEnded):
    """The harness could not sign in; the message says what it looked for."""


class PageLost(SampleEnded):
    """The browser, the page or its renderer is gone, or did not answer in time."""


class ModelFailed(SampleEnded):
    """The model gave no usable decision within its tries and its deadline.

    ``usage`` is the Usage of the calls that were made (of ``steps/``, which this module does
    not know), None if it is not known, and ``exchange`` what was sent and what came back.
    ``is_passing``: whether the next decision may be answered, as after an overload.
    """

    def __init__(self, message: str, usage: Any = None, *, is_passing: bool = False) -> None:
        super().__init__(message)
        self.usage, self.is_passing = usage, is_passing
        self.exchange: object = None


class DecisionUnusable(BwaError):
    """A reply came, but no action can be read from it; asking again may help.

    The message is for the model; ``usage`` is the Usage of the reply, or None, and ``exchange`` the
    call.
    """

    def __init__(self, message: str, usage: Any = None) -> None:
        super().__init__(message)
        self.usage = usage
        self.exchange: object = None


class RunStopped(BwaError):
    """No further sample can succeed; the run ends at once with this line."""


class CredentialsRefused(RunStopped):
    """The model's server answered 401 or 403."""


class CostLimitReached(BwaError):
    """No further sample begins, because the run has cost what it may cost."""


class AuditFinding(AssertionError):
    """A sample did not pass; the only error that a known-bad sample may raise."""


class SampleBroken(AssertionError):
    """A sample could not be audited: the browser, the model, the disk or the site's server failed,
    and not the sample."""


class ModelServerNotice(UserWarning):
    """The model's server lacks something; the run goes on without it."""
