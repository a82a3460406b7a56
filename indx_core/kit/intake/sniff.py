"""What bytes are: recognised by installed observers first, else as declared, else by the file name's extension.

Also knows the few well-known types that nothing here reads, by their bytes, so that a refusal can say what the file is
and what to do with it. Does not recognise what an observer recognises.
"""

import re

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.contracts.source import LoadedSource
from indx_core.kit.intake.guard import typed_errors
from indx_core.kit.registry import Registry

OOXML = "application/vnd.openxmlformats-officedocument."
EXTENSIONS = {
    "txt": "text/plain",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "pdf": "application/pdf",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "docx": OOXML + "wordprocessingml.document",
    "docm": OOXML + "wordprocessingml.document",
    "xlsx": OOXML + "spreadsheetml.sheet",
    "xlsm": OOXML + "spreadsheetml.sheet",
    "pptx": OOXML + "presentationml.presentation",
    "pptm": OOXML + "presentationml.presentation",
    "eml": "message/rfc822",
    "dxf": "image/vnd.dxf",
    "dwg": "image/vnd.dwg",
    "xdw": "application/vnd.fujixerox.docuworks",
    "xbd": "application/vnd.fujixerox.docuworks.binder",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "msg": "application/vnd.ms-outlook",
}
"""Media types by extension: the twelve that are read, and the known ones whose refusal names a way out."""

UNDECLARED = {"", "application/octet-stream", "binary/octet-stream"}
"""What transports send when they do not know: it declares nothing, so the file name is asked."""

_WAYS_OUT = {
    "image/vnd.dwg": ("a DWG drawing", "save it as DXF"),
    "application/vnd.fujixerox.docuworks": ("a DocuWorks document", "print it to PDF from DocuWorks"),
    "application/vnd.fujixerox.docuworks.binder": ("a DocuWorks binder", "print it to PDF from DocuWorks"),
    "application/msword": ("a Word 97-2003 document", "save it as .docx"),
    "application/vnd.ms-excel": ("an Excel 97-2003 workbook", "save it as .xlsx"),
    "application/vnd.ms-powerpoint": ("a PowerPoint 97-2003 presentation", "save it as .pptx"),
    "application/vnd.ms-outlook": ("an Outlook message", "save it as .eml"),
    "application/x-ole-storage": ("an OLE container", "save it in a current format"),
}

_DWG = re.compile(rb"AC10\d\d\x00")  # the version is followed by zeros in every release; text that starts so is not
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = {
    "WordDocument": "application/msword",
    "Workbook": "application/vnd.ms-excel",
    "Book": "application/vnd.ms-excel",
    "PowerPoint Document": "application/vnd.ms-powerpoint",
    "__properties_version1.0": "application/vnd.ms-outlook",
}


def media_type_of(loaded: LoadedSource, registry: Registry) -> tuple[str, str | None]:
    """The media type of loaded bytes, and the distribution that recognised them (``None``: a declaration was believed).

    Raises:
        SourceEncrypted: They are an Office document behind a password.
        SourceUnreadable: Nothing recognises them, nothing was declared and the extension says nothing.
    """
    for observer in registry.observers:
        with typed_errors(f"the document could not be recognised by {observer.distribution}"):
            sniffed = observer.sniff(loaded.data)
        if sniffed is not None:
            return sniffed, observer.distribution
    return _unread_type(loaded.data) or _declared(loaded) or _by_extension(loaded.filename), None


def way_out(media_type: str) -> tuple[str, str | None]:
    """Message and remedy for a media type that nothing installed observes; no remedy: the error's own applies."""
    if media_type not in _WAYS_OUT:
        return f"no installed observer looks at {media_type}", "convert the file to a type `indx capabilities` lists"
    what, remedy = _WAYS_OUT[media_type]
    return f"this is {what} ({media_type}), which no installed observer looks at: {remedy}", remedy


def _declared(loaded: LoadedSource) -> str | None:
    declared = (loaded.declared_media_type or "").partition(";")[0].strip().lower()
    return None if declared in UNDECLARED else declared


def _by_extension(filename: str | None) -> str:
    extension = (filename or "").rpartition(".")[2].lower()
    if extension in EXTENSIONS:
        return EXTENSIONS[extension]
    named = f"the file name {filename!r} has no known extension" if filename else "there is no file name"
    raise SourceUnreadable(
        f"the source has no media type: its bytes are not recognised, none was declared, and {named}",
        param="source",
        remedy="give the file name its usual extension or declare a media type; in a corpus, `exclude` leaves it out",
    )


def _unread_type(data: bytes) -> str | None:
    """A well-known type that nothing of ours reads, by its bytes."""
    if _DWG.match(data):
        return "image/vnd.dwg"
    if not data.startswith(_OLE):
        return None
    lowered = data.lower()  # names are compared without case ([MS-CFB] 2.6.4), and some programs write capitals
    if _has_ole_stream(lowered, "EncryptedPackage"):
        raise SourceEncrypted("the Office document is protected by a password", param="source")
    return next(
        (kind for name, kind in _OLE_STREAMS.items() if _has_ole_stream(lowered, name)), "application/x-ole-storage"
    )


def _has_ole_stream(lowered: bytes, name: str) -> bool:
    """Whether a directory entry of an OLE container, given in lower case, has this name ([MS-CFB] 2.6.1).

    Entries are 128 bytes, aligned, and begin with the name in UTF-16 and, at byte 64, its length in bytes with the
    final zero. Looking for that form needs no walk along a sector chain that hostile bytes can bend into a loop.
    """
    encoded = name.lower().encode("utf-16-le") + b"\0\0"
    at = lowered.find(encoded)
    while at >= 0:
        if at % 128 == 0 and int.from_bytes(lowered[at + 64 : at + 66], "little") == len(encoded):
            return True
        at = lowered.find(encoded, at + 2)
    return False
