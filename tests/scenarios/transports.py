"""The three ways to ask for the same thing: Python, the command line, HTTP. Each answers with the contract's JSON.

A scenario speaks to this surface alone and so cannot know which transport it runs against.
"""

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from pydantic import ValidationError

import indx_core as indx
from indx_core.app.cli.main import main
from indx_core.contracts.encode import EmbedRequest, EncodeRequest, ImageInput, TextInput
from indx_core.contracts.errors import IndxError
from indx_core.contracts.plan import PlanRequest
from indx_core.contracts.source import InlineSource
from indx_core.kit.settings import overriding

Json = dict[str, Any]


@dataclass(frozen=True)
class Document:
    """A file of a scenario."""

    data: bytes
    name: str


class Refused(Exception):
    """The typed envelope's ``error``, whatever carried it."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(dict(error))
        self.type = error.get("type")
        self.code = error.get("code")
        self.message = error.get("message", "")
        self.param = error.get("param")
        self.request_id = error.get("request_id")


class Transport(Protocol):
    """What a scenario may do. Fields are those of the contract's requests, as JSON."""

    echoes_request_id: bool

    def plan(self, document: Document, **fields: Any) -> Json: ...

    def encode(self, document: Document, **fields: Any) -> Json: ...

    def embed(self, space: str, query: str | Document) -> Json: ...


class Python:
    """``import indx_core``, in this process."""

    echoes_request_id = False  # who calls a function knows which call it was

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def plan(self, document: Document, **fields: Any) -> Json:
        return self._asked(lambda: indx.plan(PlanRequest(source=_inline(document), **fields)))

    def encode(self, document: Document, **fields: Any) -> Json:
        return self._asked(lambda: indx.encode(EncodeRequest(source=_inline(document), **fields)))

    def embed(self, space: str, query: str | Document) -> Json:
        given = TextInput(text=query) if isinstance(query, str) else ImageInput(source=_inline(query))
        return self._asked(lambda: indx.embed(EmbedRequest(embedding_space_id=space, input=given)))

    def _asked(self, call: Callable[[], Any]) -> Json:
        try:
            with overriding(self._environment):
                result: Json = call().model_dump(mode="json")
        except IndxError as error:
            raise Refused(error.envelope().error.model_dump()) from None
        except ValidationError as error:
            first = error.errors()[0]
            raise Refused({"param": ".".join(map(str, first["loc"])), "message": first["msg"]}) from None
        return result


class CommandLine:
    """``indx``, on a file in a folder."""

    echoes_request_id = False

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._environment = environment
        self._folder = folder

    def plan(self, document: Document, **fields: Any) -> Json:
        return self._run("plan", self._file(document), *self._options(fields))

    def encode(self, document: Document, **fields: Any) -> Json:
        return self._run("encode", self._file(document), *self._options(fields))

    def embed(self, space: str, query: str | Document) -> Json:
        if isinstance(query, Document):
            pytest.skip("the command line embeds text only")
        return self._run("embed", query, "--space", space)

    def _file(self, document: Document) -> str:
        path = self._folder / document.name
        path.write_bytes(document.data)
        return str(path)

    def _options(self, fields: Mapping[str, Any]) -> Iterator[str]:
        for name, value in fields.items():
            if name == "signature_detection":
                yield "--signatures"
            elif name == "embedding_space_ids":
                yield from (word for space in value for word in ("--space", space))
            elif name in ("constraints", "metadata"):
                yield from (f"--{name}", json.dumps(value))
            elif name == "classification":
                yield from (word for each in value["document_ids"] for word in ("--classifier", each))
            elif name == "plan":
                saved = self._folder / "plan.json"
                saved.write_text(json.dumps(value), encoding="utf-8")
                yield from ("--plan", str(saved))
            elif name != "request_id":
                pytest.skip(f"the command line has no option for {name}")

    def _run(self, *arguments: str) -> Json:
        out, err = io.StringIO(), io.StringIO()
        with overriding(self._environment), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main(list(arguments))
            except SystemExit:
                raise Refused(json.loads(err.getvalue().splitlines()[-1])["error"]) from None
        result: Json = json.loads(out.getvalue())
        return result


class Http:
    """A running service: files are uploaded."""

    echoes_request_id = True

    def __init__(self, service: Any) -> None:
        self._service = service

    def plan(self, document: Document, **fields: Any) -> Json:
        return self._upload("/v1/plan", document, fields)

    def encode(self, document: Document, **fields: Any) -> Json:
        return self._upload("/v1/encode", document, fields)

    def embed(self, space: str, query: str | Document) -> Json:
        if isinstance(query, Document):
            return self._upload("/v1/embed", query, {"embedding_space_id": space})
        asked = {"embedding_space_id": space, "input": {"type": "text", "text": query}}
        return self._answered(self._service.post("/v1/embed", asked))

    def _upload(self, path: str, document: Document, fields: Mapping[str, Any]) -> Json:
        from app.http.serving import file_part, request_part

        reply = self._service.upload(path, file_part(document.data, document.name), request_part(fields))
        return self._answered(reply)

    @staticmethod
    def _answered(reply: Any) -> Json:
        if reply.status != 200:
            raise Refused(reply.error)
        result: Json = reply.json
        return result


def _inline(document: Document) -> InlineSource:
    return InlineSource(data=document.data, filename=document.name)
