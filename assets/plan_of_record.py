"""The plan of record: a typed record under one metadata key, written with ``plan`` and read back by a replay.

Inline JSON up to 64 KB, since the UI loads it with every event; beyond that content-addressed in the lake, its digest
in the metadata. At shard grain the record is the set of the bucket's plans. What is read back is checked against its
digest: a replay executes exactly what was recorded or refuses.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import dagster as dg

from assets import keys
from indx_core.contracts.base import canonical_json
from indx_core.contracts.errors import PlanConflict
from indx_core.contracts.plan import RoutePlan
from indx_core.kit.lake import Lake

INLINE_BYTES = 64 * 1024
"""Larger metadata slows every page that shows the event: 12-36 ms to read back at 100 KB, 0.3 s at 1 MB."""
FOLDER = "plans_of_record"


def record(plans: Mapping[str, str], lake: Lake) -> dg.MetadataValue[Any]:
    """Metadata that holds the plans.

    Args:
        plans: Canonical JSON of the plan by source key: one at source grain, all of its bucket at shard grain.
        lake: Where a record beyond the inline limit goes.
    """
    if len(plans) == 1:
        (only,) = plans.values()
        if len(only.encode()) <= INLINE_BYTES:
            return dg.MetadataValue.json(json.loads(only))
    packed = zlib.compress(canonical_json({key: json.loads(plan) for key, plan in plans.items()}).encode(), 6)
    digest = "sha256:" + hashlib.sha256(packed).hexdigest()
    if len(packed) <= INLINE_BYTES // 2:
        return dg.MetadataValue.json({"zlib": base64.b64encode(packed).decode(), "sha256": digest})
    name = _object_name(digest)
    lake.store.put(name, packed)
    return dg.MetadataValue.json({"object": name, "sha256": digest})


def plans_in(metadata: Mapping[str, Any], source_keys: Iterable[str], lake: Lake) -> dict[str, RoutePlan]:
    """The plans of record among these documents, out of a materialization's metadata.

    Raises:
        PlanConflict: The record does not match its digest, or its object is gone.
    """
    value = metadata.get(keys.PLAN)
    data: Any = getattr(value, "data", None)
    if data is None:
        return {}
    if "plan_id" in data:
        plan = RoutePlan.model_validate(data)
        return dict.fromkeys(source_keys, plan)
    plans = json.loads(zlib.decompress(_packed(data, lake)))
    return {key: RoutePlan.model_validate(plans[key]) for key in source_keys if key in plans}


def _packed(data: Mapping[str, str], lake: Lake) -> bytes:
    packed = base64.b64decode(data["zlib"]) if "zlib" in data else lake.store.get(data["object"])
    if packed is None or "sha256:" + hashlib.sha256(packed).hexdigest() != data["sha256"]:
        raise PlanConflict("the plan of record is gone from the lake, or is not what was recorded")
    return bytes(packed)


def _object_name(digest: str) -> str:
    return f"{FOLDER}/{digest.removeprefix('sha256:')}.json.zlib"
