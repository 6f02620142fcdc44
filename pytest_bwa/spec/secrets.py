"""Masks secret values, which no prompt, log or report may show."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import encodings, mask_texts


def hide_secrets(task: TaskSpec, sample: Sample) -> Callable[[str], str]:
    """Return a function that masks the values of the sample's secret columns, and of the secrets
    that the policy may type, in any text.

    They may appear in a filled placeholder, in typed text of the history or on a page.
    """
    columns = {sample.columns.get(name, "").strip() for name in task.secrets} - {""}
    escaped = {json.dumps(value, ensure_ascii=False)[1:-1] for value in columns}
    typed = {os.environ.get(source.env, "") for source in task.typed_secrets.values()} - {""}
    return mask_texts(columns | escaped | {form for value in typed for form in encodings(value)})
