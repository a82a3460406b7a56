"""Short names of media types: what a document's type is called where no classifier named one."""

_SHORT = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt",
    "message/rfc822": "mail",
    "text/plain": "text",
    "text/tab-separated-values": "tsv",
}


def short_name(media_type: str) -> str:
    """``pdf`` of ``application/pdf``; otherwise the subtype without what a registry put before it: ``dxf``, ``png``."""
    essence = media_type.partition(";")[0].strip().casefold()
    return _SHORT.get(essence) or essence.rpartition("/")[2].rpartition(".")[2].removeprefix("x-") or "unknown"
