"""What a stage's output depends on, as hashes: the answer to "is it stale, and why".

A *recipe* is everything but the source: code version, settings, options, engines. A *basis* is a recipe with the
version of the source. A *data version* identifies one document's output. Two runs with equal bases write equal bytes.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indx_core.contracts.base import content_id
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.kit import settings

STAGE_VERSIONS: Mapping[Stage, int] = {
    Stage.OBSERVATION: 2,
    Stage.PLAN: 1,
    Stage.PAGE_READS: 2,
    Stage.CHUNKS: 2,
    Stage.EMBEDDINGS: 1,
    Stage.ANNOTATIONS: 2,
}
"""Raised by hand when a stage's code writes other rows for the same input; it makes every partition stale."""

PersonsAnswer = tuple[str | int, ...]
"""What identifies a page that a person read: its number, the text, the reviewer; within a bucket its document first."""

UNRECORDED = "unrecorded"
"""Stands for the version of an upstream stage that was never recorded."""

_UPSTREAM: Mapping[Stage, tuple[Stage, ...]] = {
    Stage.OBSERVATION: (),
    Stage.PLAN: (Stage.OBSERVATION,),
    Stage.PAGE_READS: (Stage.PLAN,),
    Stage.CHUNKS: (Stage.PAGE_READS,),
    Stage.EMBEDDINGS: (Stage.CHUNKS,),
    Stage.ANNOTATIONS: (Stage.PAGE_READS, Stage.CHUNKS),
}


def upstream(stage: Stage) -> tuple[Stage, ...]:
    """The stages whose output this one reads."""
    return _UPSTREAM[stage]


@dataclass(frozen=True, slots=True)
class Basis:
    """What one document's stage was made from, short enough for an event tag.

    Attributes:
        source: Version of the source in its listing.
        settings: Hash of code version, settings and options, upstream included.
        engines: Hash of what is installed, as far as the stage depends on it.
    """

    source: str
    settings: str
    engines: str

    def encode(self) -> str:
        """``<settings>.<engines>.<source>``, within what a Dagster tag may hold."""
        return f"{self.settings}.{self.engines}.{_tag_part(self.source)}"

    @classmethod
    def decode(cls, text: str) -> "Basis | None":
        """The basis of a tag, or ``None`` for a tag of another form."""
        parts = text.split(".", 2)
        return cls(source=parts[2], settings=parts[0], engines=parts[1]) if len(parts) == 3 else None

    def differences(self, recorded: "Basis | None") -> tuple[str, ...]:
        """Why a recorded basis is stale against this one: ``missing``, or each of its parts that changed."""
        if recorded is None:
            return ("missing",)
        names = ("source", "settings", "engines")
        changed = [name for name in names if _tag_part(getattr(self, name)) != _tag_part(getattr(recorded, name))]
        return tuple(f"{name} changed" for name in changed)


def _tag_part(text: str) -> str:
    """The text, or where a tag could not hold it 16 hex digits of its SHA-256.

    A tag's value has at most 63 of few characters, two hashes of 16 among them: the ETags of S3 are too long, those of
    Google Cloud Storage are base64. An event with a tag that does not validate is not recorded.
    """
    return text if re.fullmatch(r"[A-Za-z0-9_.-]{0,29}", text) else hashlib.sha256(text.encode()).hexdigest()[:16]


def recipes(options: IngestOptions, snapshot: CapabilitySnapshot) -> dict[Stage, tuple[str, str]]:
    """Per stage the hashes ``(settings, engines)``, each 16 hex digits and covering everything upstream."""
    found: dict[Stage, tuple[str, str]] = {}
    for stage in Stage:
        above = [found[other] for other in upstream(stage)]
        own_settings = {
            "version": STAGE_VERSIONS[stage],
            "settings": settings.recipe(stage.value),
            **_options(stage, options),
        }
        found[stage] = (
            _short({"own": own_settings, "above": [settings_hash for settings_hash, _ in above]}),
            _short({"own": _engines(stage, options, snapshot), "above": [engines for _, engines in above]}),
        )
    return found


def data_version(
    stage: Stage,
    upstream_versions: Mapping[Stage, str],
    recipe: tuple[str, str],
    source_version: str,
    answers: Sequence[PersonsAnswer] = (),
) -> str:
    """Identity of a stage's output for one document: the versions it read, and its own recipe.

    An observation's is its source's digest and a plan's is its ``plan_id``; both come from the stage itself. That of
    the last stage also covers the source's version in its listing. It is the one value by which a bulk read of recorded
    versions can tell that nothing changed, without opening a document or its events. What people answered is an input
    of page reads beside the plan; an output without any has the version it would have if nobody could answer.
    """
    covered: dict[str, Any] = {
        "stage": stage.value,
        "upstream": {each.value: version for each, version in upstream_versions.items()},
        "recipe": list(recipe),
    }
    if stage is Stage.ANNOTATIONS:
        covered["source"] = source_version
    if answers:
        covered["answers"] = [list(answer) for answer in answers]
    return content_id(covered)


def code_version(stage: Stage, options: IngestOptions, snapshot: CapabilitySnapshot) -> str:
    """What Dagster shows as the asset's code version and compares to say that a partition is out of date.

    Names the stage's own version, the routing policy, and the hashes of settings and of engines, so that the two
    versions beside each other in the UI tell which of them changed.
    """
    settings_hash, engines_hash = (each[:8] for each in recipes(options, snapshot)[stage])
    policy = snapshot.policy_version
    return f"{STAGE_VERSIONS[stage]}+policy-{policy}+settings-{settings_hash}+engines-{engines_hash}"


def _options(stage: Stage, options: IngestOptions) -> dict[str, Any]:
    fields = {
        Stage.OBSERVATION: (),
        Stage.PLAN: ("constraints", "signature_detection", "embedding_spaces"),
        Stage.PAGE_READS: (),
        Stage.CHUNKS: ("chunkers",),
        Stage.EMBEDDINGS: ("embedding_spaces",),
        Stage.ANNOTATIONS: ("languages", "classification", "extraction", "enrichment"),
    }[stage]
    return options.model_dump(mode="json", include=set(fields))


def _engines(stage: Stage, options: IngestOptions, snapshot: CapabilitySnapshot) -> Any:
    match stage:
        case Stage.OBSERVATION:
            return list(snapshot.resolvable.observable_media_types)
        case Stage.PLAN:
            return [snapshot.snapshot_id, snapshot.policy_version]
        case Stage.PAGE_READS:
            return []
        case Stage.CHUNKS:
            return list(snapshot.chunkers)
        case Stage.EMBEDDINGS:
            spaces = [snapshot.space(space_id) for space_id in options.embedding_spaces]
            return [space.model_dump(mode="json") for space in spaces if space]
        case Stage.ANNOTATIONS:
            named = _named(options)
            annotators = (*snapshot.classifiers, *snapshot.extractors, *snapshot.enrichers)
            detectors = list(snapshot.language_detectors) if options.languages else []
            return [detectors, [a.model_dump(mode="json") for a in annotators if a.id in named]]


def _named(options: IngestOptions) -> set[str]:
    selections = (options.classification, options.extraction, options.enrichment)
    return {named for selection in selections for _place, _unit, named in selection.named()}


def _short(value: Any) -> str:
    return content_id(value).removeprefix("sha256:")[:16]
