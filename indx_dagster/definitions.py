"""The definitions of the code location, assembled by a function so that tests and deployments swap parts.

Importing does no I/O: ``defs`` is evaluated when Dagster loads it.
"""

from collections.abc import Callable, Mapping

import dagster as dg

from assets.ingest import build_ingest
from assets.knowledge_space import build_knowledge_space
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.kit.config import LoadedConfig, load_config
from indx_dagster import jobs
from indx_dagster.preview import build_preview
from indx_dagster.schedules import build_schedules
from indx_dagster.sensors import build_sensors
from resources.base import SettingsResource
from resources.classifiers import ClassifiersResource
from resources.embedders import EmbeddersResource
from resources.enrichers import EnrichersResource
from resources.extractors import ExtractorsResource
from resources.io.lake import LakeResource
from resources.languages import LanguagesResource
from resources.loaders import LoadersResource
from resources.pipeline import PipelineResource
from resources.readers import ReadersResource
from resources.signatures import SignaturesResource


def default_resources() -> dict[str, SettingsResource]:
    """Every resource with nothing set: the environment decides."""
    return {
        "pipeline": PipelineResource(),
        "lake": LakeResource(),
        "loaders": LoadersResource(),
        "readers": ReadersResource(),
        "embedders": EmbeddersResource(),
        "classifiers": ClassifiersResource(),
        "extractors": ExtractorsResource(),
        "enrichers": EnrichersResource(),
        "languages": LanguagesResource(),
        "signatures": SignaturesResource(),
    }


def build_defs(
    *,
    loaded: LoadedConfig | None = None,
    installation: Installation | None = None,
    resources: Mapping[str, SettingsResource] | None = None,
    progress: Callable[[DocumentOutcome], None] = lambda _outcome: None,
) -> dg.Definitions:
    """Assets, checks, jobs, sensors and resources.

    Args:
        loaded: ``indx.toml``; found by itself when not given.
        installation: What is installed; taken now when not given.
        resources: Resources in the place of the default ones, by key.
        progress: Told of every outcome, in the process that runs the step.
    """
    loaded = loaded or load_config()
    step = build_ingest(loaded, installation or Installation.current(), progress)
    return dg.Definitions(
        assets=[step, build_knowledge_space(loaded)],
        jobs=[jobs.ingest, jobs.replay, build_preview(loaded)],
        sensors=build_sensors(loaded),
        schedules=build_schedules(loaded),
        resources={**default_resources(), **(resources or {})},
        executor=dg.in_process_executor,
    )


@dg.definitions
def defs() -> dg.Definitions:
    """What Dagster loads."""
    return build_defs()
