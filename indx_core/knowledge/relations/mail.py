"""Threads of mail: a message refers to those its headers name (RFC 5322, 3.6.4). Reads no text."""

import re
from collections.abc import Iterator, Sequence

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations.documents import RelatedDocument

_MESSAGE_ID = re.compile(r"<[^<>\s]+>")
_ANSWERED, _EARLIER = 1.0, 0.9
"""Weights: the message answered, and one further up the thread."""


def threads(documents: Sequence[RelatedDocument]) -> list[Relation]:
    """From each message to those of the corpus that it answers or names. Of two copies, the first is meant."""
    known: dict[str, str] = {}
    for document in documents:
        for identity in _MESSAGE_ID.findall(document.properties.get("message_id", ""))[:1]:
            known.setdefault(identity, document.id)
    return [edge for document in documents for edge in _of(document, known)]


def _of(document: RelatedDocument, known: dict[str, str]) -> Iterator[Relation]:
    for header, weight, said in (("in_reply_to", _ANSWERED, "in reply to"), ("references", _EARLIER, "references")):
        for identity in _MESSAGE_ID.findall(document.properties.get(header, "")):
            target = known.get(identity)
            if target is not None and target != document.id:
                yield Relation(
                    type=RelationType.REFERENCES,
                    from_id=document.id,
                    to=target,
                    weight=weight,
                    evidence=f"mail: {said} {identity}"[:120],
                )
