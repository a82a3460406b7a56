"""A source of either lane becomes bytes with a media type.

Holds the order of the checks: scheme, fetch, size, media type. Inline bytes were handed over, so only size and media
type apply to them.
"""

from dataclasses import dataclass

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import InputTooLarge
from indx_core.contracts.page import PageOutput
from indx_core.contracts.source import InlineSource, LoadedSource, Source, UriSource
from indx_core.kit.intake.guard import typed_errors
from indx_core.kit.intake.resolve import URI_PARAM, loader_for
from indx_core.kit.intake.settings import IntakeSettings
from indx_core.kit.intake.sniff import media_type_of
from indx_core.kit.registry import Registry
from indx_core.ports.document import NativeRead, OpenDocument

INLINE_PARAM = "source.inline.data"


@dataclass(frozen=True, slots=True)
class AcquiredDocument:
    """Bytes that arrived, and what they are.

    Attributes:
        loaded: The bytes, and what was declared about them.
        media_type: As recognised, else declared, else named by the file's extension.
        sniffer: Distribution whose observer recognised the bytes; ``None`` when a declaration was believed.
    """

    loaded: LoadedSource
    media_type: str
    sniffer: str | None


def acquire(source: Source, registry: Registry) -> AcquiredDocument:
    """Fetch a source and name its media type. Opens nothing.

    Raises:
        UnsupportedSource: Its scheme does not resolve here. Checked before any loader is asked.
        SourceForbidden: A loader's guard refuses the destination.
        SourceEncrypted: The bytes are an encrypted Office document.
        SourceUnreadable: The bytes did not arrive, or nothing says what they are.
        InputTooLarge: More bytes than ``INDX_MAX_INPUT_BYTES``.
    """
    limit = IntakeSettings.load().max_input_bytes
    loaded = _fetched(source, registry, limit) if isinstance(source, UriSource) else _handed_over(source)
    if limit is not None and len(loaded.data) > limit:
        raise InputTooLarge(
            f"the source is larger than the {limit} bytes that INDX_MAX_INPUT_BYTES allows",
            param=URI_PARAM if isinstance(source, UriSource) else INLINE_PARAM,
        )
    media_type, sniffer = media_type_of(loaded, registry)
    return AcquiredDocument(loaded, media_type, sniffer)


def open_document(acquired: AcquiredDocument, registry: Registry) -> OpenDocument:
    """The handle that observer, signatures, readers and chunkers share. The caller closes it."""
    loaded = acquired.loaded
    return OpenDocument(loaded.data, acquired.media_type, loaded.filename, _native_read(acquired.media_type, registry))


def _native_read(media_type: str, registry: Registry) -> NativeRead:
    """The media type's native reader, chosen on first use as a route chooses it: the first by id that can run here."""

    def read(document: OpenDocument, number: int) -> PageOutput | None:
        native = [each for each in registry.readers if _extracts(each.descriptor, media_type)]
        if not native:
            return None
        reader = min(native, key=lambda each: each.descriptor.id)
        return next((output for output in reader.read(document, [number]) if output.number == number), None)

    return read


def _extracts(descriptor: CapabilityDescriptor, media_type: str) -> bool:
    return descriptor.kind is CapabilityKind.NATIVE and descriptor.available and descriptor.reads(media_type)


def _fetched(source: UriSource, registry: Registry, limit: int | None) -> LoadedSource:
    loader = loader_for(source.uri, registry)
    with typed_errors(f"the source could not be fetched by {loader.distribution}", URI_PARAM):
        return loader.load(source.uri, limit)


def _handed_over(source: InlineSource) -> LoadedSource:
    return LoadedSource(source.data, filename=source.filename, declared_media_type=source.media_type)
