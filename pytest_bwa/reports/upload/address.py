"""Addresses of stores, as ``--evidence`` and the commands take them."""

from __future__ import annotations

from pytest_bwa.errors import InputError

EXTRAS = {
    "s3": "s3",
    "gs": "gcs",
    "gcs": "gcs",
    "az": "azure",
    "abfs": "azure",
    "abfss": "azure",
    "file": "s3",
    "memory": "s3",
}
"""The protocols of stores, and for each the extra of this package that has what it needs."""
_NAMED = "s3://, gs://, az:// or file://"
_WITH_CONTAINER = ("abfs", "abfss")
"""Before the ``@`` of these addresses stands a container, and no user."""
_LOCAL = ("file", "memory")


def is_address(text: str) -> bool:
    """Whether a text is the address of a store, and not a path."""
    return "://" in text


def protocol_of(address: str) -> str:
    return address.partition("://")[0].lower()


def store_address(text: str) -> str:
    """The address without a slash at its end. Raises InputError, which repeats no credentials."""
    protocol, place = protocol_of(text), text.partition("://")[2]
    if protocol not in EXTRAS:
        raise InputError(f'evidence is kept at {_NAMED} addresses, not at "{protocol}://"')
    user, at, host = place.rpartition("@")
    is_user = bool(at) and (":" in user or protocol not in _WITH_CONTAINER)
    if (is_user or "?" in place) and protocol not in _LOCAL:
        harmless = f"{protocol}://{host.partition('?')[0]}"
        raise InputError(
            f"{harmless}…: an address of a store has no user and no parameters; credentials come "
            "from the store's own environment (such as AWS_PROFILE)"
        )
    if not place.strip("/"):
        raise InputError(f'"{text}" names no bucket')
    return f"{protocol}://{place.rstrip('/')}"
