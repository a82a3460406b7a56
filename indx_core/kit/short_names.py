"""Short names of media types, for people: what a document's type is called where no classifier named one.

Does not know which types are read, nor what an extension stands for: that is ``intake/sniff.py``.
"""

_SHORT = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
    "application/vnd.openxmlformats-officedocument.presentationml.template": "potx",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
    "application/vnd.ms-word.document.macroenabled.12": "docm",
    "application/vnd.ms-word.template.macroenabled.12": "dotm",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
    "application/vnd.ms-excel.template.macroenabled.12": "xltm",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptm",
    "application/vnd.ms-powerpoint.template.macroenabled.12": "potm",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12": "ppsm",
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
