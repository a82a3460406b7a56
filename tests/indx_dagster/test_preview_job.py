"""Job ``preview``: a page with its boxes, as metadata of the document's chunks in the UI."""

import base64
import io
from pathlib import Path

import dagster as dg
from dagster_corner import dagster_corner
from PIL import Image

from assets.keys import asset_key
from indx_core.contracts.ingest import Grain, Stage
from indx_dagster.definitions import build_defs


def test_a_preview_is_an_observation_of_the_documents_chunks(tmp_path: Path) -> None:
    with dagster_corner(tmp_path, Grain.SOURCE) as corner:
        picture = io.BytesIO()
        Image.new("RGB", (400, 300), "white").save(picture, format="PNG")
        (corner.root / "blank.png").write_bytes(picture.getvalue())
        corner.ingest()
        job = build_defs(loaded=corner.loaded).resolve_job_def("preview")
        config = {"ops": {"draw_page": {"config": {"document": "corner/blank.png", "page": 1}}}}
        assert job.execute_in_process(instance=corner.instance, run_config=config).success
        wanted = dg.AssetRecordsFilter(asset_key(Stage.CHUNKS), asset_partitions=["corner/blank.png"])
        (record,) = corner.instance.fetch_observations(wanted, limit=2).records
        shown = str(record.asset_observation.metadata["preview"].value)
    encoded = shown.removeprefix("![page 1](data:image/jpeg;base64,").removesuffix(")")
    assert Image.open(io.BytesIO(base64.b64decode(encoded))).size == (400, 300)
