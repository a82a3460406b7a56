"""Job ``preview``: a page with its chunk boxes, shown in the UI as metadata of the document's ``chunks``.

On request only, and small: every byte of an event stays in the event log for ever.
"""

import base64

import dagster as dg

from assets.keys import asset_key
from indx_core.app.ingest.listings import partition_name
from indx_core.app.preview import preview
from indx_core.contracts.ingest import Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.kit.registry import discover
from resources.base import resource_settings
from resources.failures import faults_of_the_deployment

WIDTH = 700
"""Pixels across: a page's text can be made out, in some 60 kB."""
RESOURCES = ("lake", "loaders", "readers")


class PreviewConfig(dg.Config):
    """Which page."""

    document: str
    """Its source key."""
    page: int = 1


def build_preview(loaded: LoadedConfig) -> dg.JobDefinition:
    """The job under a configuration."""

    @dg.op(required_resource_keys=set(RESOURCES), description="Draw a page with the boxes of its chunks.")
    def draw_page(context: dg.OpExecutionContext, config: PreviewConfig) -> None:
        with faults_of_the_deployment(), resource_settings(context, RESOURCES):
            drawn = preview(Lake.open(), loaded.config, discover(), config.document, config.page)
        picture = base64.b64encode(drawn.thumbnail(WIDTH)).decode()
        without = "".join(f", {count} without a box ({reason})" for reason, count in drawn.unboxed.items())
        context.log_event(
            dg.AssetObservation(
                asset_key(Stage.CHUNKS),
                partition=partition_name(config.document, loaded.config),
                metadata={
                    "document": config.document,
                    "page": config.page,
                    "chunks": f"{len(drawn.boxed)} drawn{without}",
                    "preview": dg.MetadataValue.md(f"![page {config.page}](data:image/jpeg;base64,{picture})"),
                },
            )
        )

    @dg.job(
        name="preview",
        executor_def=dg.in_process_executor,
        description="Draw a page of an ingested document with its chunk boxes: see the observations of `chunks`.",
    )
    def job() -> None:
        draw_page()

    return job
