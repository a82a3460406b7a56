"""XML names of Office files in their usual short form: ``w:p``, ``a:t``, ``r:id``.

Strict OOXML (ISO/IEC 29500 strict) uses other namespaces for the same elements; both spellings get the same short form,
so nothing above this module knows the difference. A name of an unknown namespace keeps its long form.
"""

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_OFFICE = "http://schemas.microsoft.com/office/"

_BOTH = {
    # prefix: (transitional, strict), each after its own stem
    "w": ("wordprocessingml/2006/main", "wordprocessingml/main"),
    "s": ("spreadsheetml/2006/main", "spreadsheetml/main"),
    "p": ("presentationml/2006/main", "presentationml/main"),
    "a": ("drawingml/2006/main", "drawingml/main"),
    "c": ("drawingml/2006/chart", "drawingml/chart"),
    "dgm": ("drawingml/2006/diagram", "drawingml/diagram"),
    "pic": ("drawingml/2006/picture", "drawingml/picture"),
    "xdr": ("drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing"),
    "wp": ("drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"),
    "m": ("officeDocument/2006/math", "officeDocument/math"),
    "r": ("officeDocument/2006/relationships", "officeDocument/relationships"),
}

_SINGLE = {
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
    "http://schemas.openxmlformats.org/package/2006/content-types": "ct",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    _OFFICE + "drawing/2008/diagram": "dsp",
    _OFFICE + "drawing/2010/main": "a14",
    _OFFICE + "drawing/2014/chartex": "cx",
    _OFFICE + "word/2010/wordml": "w14",
    _OFFICE + "word/2010/wordprocessingShape": "wps",
    _OFFICE + "word/2010/wordprocessingGroup": "wpg",
    _OFFICE + "word/2010/wordprocessingCanvas": "wpc",
    _OFFICE + "word/2010/wordprocessingInk": "wpi",
    _OFFICE + "powerpoint/2010/main": "p14",
    _OFFICE + "powerpoint/2018/8/main": "p188",
    _OFFICE + "spreadsheetml/2018/threadedcomments": "tc",
}

PREFIXES: dict[str, str] = {
    **_SINGLE,
    **{_TRANSITIONAL + transitional: prefix for prefix, (transitional, _) in _BOTH.items()},
    **{_STRICT + strict: prefix for prefix, (_, strict) in _BOTH.items()},
}


class _ShortNames(dict[str, str]):
    def __missing__(self, name: str) -> str:
        namespace, brace, local = name.rpartition("}")
        prefix = PREFIXES.get(namespace[1:]) if brace else None
        short = f"{prefix}:{local}" if prefix else name
        if len(self) < 10_000:  # a hostile file cannot grow it without end
            self[name] = short
        return short


_SHORT = _ShortNames()


def short(name: str) -> str:
    """``{namespace}local`` as ``prefix:local``."""
    return _SHORT[name]
