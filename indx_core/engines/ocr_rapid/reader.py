"""The capability ``generic-ocr``: pages of PDFs and images, rendered and recognised one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import CapabilityUnavailable, IndxError, SettingsInvalid
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.engines.ocr_rapid.models import Models, Unavailable, find_models
from indx_core.engines.ocr_rapid.settings import OcrEngineSettings, OcrSettings
from indx_core.kit.render.page import MEDIA_TYPES, page_image
from indx_core.ports.document import OpenDocument

if TYPE_CHECKING:
    from PIL.Image import Image

    from indx_core.engines.ocr_rapid.engine import Engine

_ID = "generic-ocr"
_DISTRIBUTION = "indx-capability-generic-ocr"


class GenericOcr:
    """Recognition on the processor, without a network.

    Confidence says how well what was found was read, not whether everything was found.
    """

    @property
    def descriptor(self) -> CapabilityDescriptor:
        try:
            models = find_models(OcrSettings.load())
        except (Unavailable, SettingsInvalid) as reason:  # left out over a bad variable, no plan would mention it
            return _descriptor(available=False, unavailable_reason=str(reason))
        return _descriptor(model=models.name, languages=models.languages)

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        settings = OcrSettings.load()
        try:
            models = find_models(settings)
        except Unavailable as reason:
            raise CapabilityUnavailable(f"{_ID}: {reason}") from None
        for number in pages:
            try:
                image = page_image(document, number, dpi=settings.dpi, max_pixels=settings.max_pixels)
            except IndxError as error:
                yield PageOutput(number, status=PageStatus.FAILED, reason=error.message)
                continue
            yield _recognised(_engine(models), image, number, settings.detection_side)


def _engine(models: Models) -> Engine:
    """The engine of this process.

    Raises:
        CapabilityUnavailable: A model file does not load: every page descends.
    """
    from indx_core.engines.ocr_rapid.engine import engine

    threads = OcrEngineSettings.load().threads
    try:
        return engine(models, threads)
    except Exception as error:  # noqa: BLE001 - onnxruntime's own errors, whose messages hold paths of the server
        reason = f"{_ID}: the models do not load ({type(error).__name__})"
        raise CapabilityUnavailable(reason, remedy="check the INDX_OCR_*_MODEL files, or unset them") from None


def _recognised(engine: Engine, image: Image, number: int, detection_side: int) -> PageOutput:
    from indx_core.engines.ocr_rapid.page import recognise

    try:
        return recognise(engine, image, number, detection_side)
    except Exception as error:  # noqa: BLE001 - errors of OpenCV and onnxruntime on this one image; the next may be fine
        return PageOutput(number, status=PageStatus.FAILED, reason=f"recognition failed ({type(error).__name__})")


def _descriptor(
    *,
    model: str | None = None,
    languages: tuple[str, ...] = (),
    available: bool = True,
    unavailable_reason: str | None = None,
) -> CapabilityDescriptor:
    return CapabilityDescriptor(
        id=_ID,
        kind=CapabilityKind.OCR,
        media_types=MEDIA_TYPES,
        distribution=_DISTRIBUTION,
        model=model,
        languages=languages,
        available=available,
        unavailable_reason=unavailable_reason,
    )
