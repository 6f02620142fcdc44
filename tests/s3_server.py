"""A real S3 server on this machine (moto's), which can be made to fail for single files."""

from __future__ import annotations

import io
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Literal

import boto3
from moto.server import ThreadedMotoServer

Fault = Literal["busy", "dropped", "altered", "other tag", "no checksums"]
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "a/secret/of/the/store"}
BUSY = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
_numbers = count(1)


class S3Server:
    """What is uploaded under a name that ends as a key of ``faults`` does meets that fault."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._moto = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
        self._moto.start()
        host, port = self._moto.get_host_and_port()
        self.environment = {
            **CREDENTIALS,
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_REGION": "us-east-1",
            "AWS_MAX_ATTEMPTS": "1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": "/dev/null",
        }
        self.faults: dict[str, Fault] = {}
        self.uploads: list[str] = []
        """The paths of all files that were sent, in their order."""
        server: Any = self._moto._server
        self._app, server.app = server.app, self._answer
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=self.environment["AWS_ENDPOINT_URL"],
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
        )

    def new_bucket(self) -> str:
        """Its name; all servers of a process have the same buckets."""
        name = f"evidence-{next(_numbers)}"
        self.client.create_bucket(Bucket=name)
        return name

    def names(self, bucket: str) -> set[str]:
        listed = self.client.list_objects_v2(Bucket=bucket)
        assert not listed["IsTruncated"]
        return {entry["Key"] for entry in listed.get("Contents", [])}

    def content(self, bucket: str, name: str) -> bytes:
        body: bytes = self.client.get_object(Bucket=bucket, Key=name)["Body"].read()
        return body

    def stop(self) -> None:
        self._moto.stop()

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] != "PUT" or path.count("/") < 2:
            return self._app(environ, start)
        self.uploads.append(path.split("/", 2)[2])
        fault = next((f for end, f in self.faults.items() if path.endswith(end)), None)
        if fault == "busy":
            start("503 Slow Down", [("Content-Type", "application/xml")])
            return [BUSY]
        if fault == "dropped":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionError("the line is cut")
        if fault == "altered":
            content = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["wsgi.input"] = io.BytesIO(content[:-1] + bytes([content[-1] ^ 1]))
        return self._app(environ, _with_headers_changed(start, fault))


def _with_headers_changed(start: Callable[..., Any], fault: Fault | None) -> Callable[..., Any]:
    def start_changed(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        if fault == "other tag":
            headers = [(k, f'"{"0" * 32}"' if k.lower() == "etag" else v) for k, v in headers]
        if fault == "no checksums":
            unknown = ("etag", "x-amz-checksum-sha256")
            headers = [(k, v) for k, v in headers if k.lower() not in unknown]
        return start(status, headers, *rest)

    return start_changed


@contextmanager
def s3_server() -> Iterator[S3Server]:
    server = S3Server()
    try:
        yield server
    finally:
        server.stop()
