"""The ``bwa`` command line."""

from pytest_bwa.cli.app import app as app
