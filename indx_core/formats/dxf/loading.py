"""ezdxf, kept quiet: a drawing opened in recovery mode with every repair as a coded finding.

All drawings go through the tolerant loader, so that one code path is tested and the same flaw is reported the same way.
ezdxf raises more than it documents (2 of 3 errors over 171 drawings measured), hence one boundary for all of them.
What a drawing holds is ``collecting``'s business.
"""

import logging
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

from indx_core.contracts.errors import IndxError, SourceUnreadable
from indx_core.formats.dxf.encoding import BINARY_SENTINEL, Findings, ascii_form

MEDIA_TYPE = "image/vnd.dxf"

_UNRENDERED = "*D_UNRENDERED"
_NO_FONTS = Path(__file__).parent / "no_fonts"
_ENTITY = re.compile(rb"^[ \t]*0[ \t]*\r?\n", re.MULTILINE)
_END = re.compile(rb"\n[ \t]*EOF\s*$", re.IGNORECASE)
# Leading comments (group 999) and any white space, then the first section.
_HEAD_BYTES = 200_000
_ASCII_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:999[ \t]*\r?\n[^\n]*\n\s*){0,1000}0[ \t]*\r?\n[ \t]*SECTION[ \t]*(?:\r?\n|$)",
    re.IGNORECASE,
)


def is_drawing(data: bytes) -> bool:
    """Whether the bytes begin as a DXF file does: the binary sentinel, or comments and a section."""
    return data.startswith(BINARY_SENTINEL) or bool(_ASCII_HEAD.match(data, 0, _HEAD_BYTES))


def load(data: bytes, max_entities: int, findings: Findings) -> Any:
    """The drawing as an ``ezdxf.document.Drawing``; its flaws, repaired or not, are added to ``findings``.

    Raises:
        SourceUnreadable: It is no DXF, or holds more than ``max_entities`` entities.
        Exception: What ezdxf raises on damaged drawings; call it inside ``typed_errors``.
    """
    if not is_drawing(data):
        raise SourceUnreadable(
            "these bytes do not begin with a DXF section or the binary DXF sentinel",
            remedy="save the drawing as DXF; DWG is not read",
        )
    library()
    text = ascii_form(data, findings)
    _refuse_too_many(text, max_entities)
    document, auditor = _recovered(text)
    if not _END.search(text[-200:]):
        findings.append(("drawing_cut_off", "the drawing does not end with an EOF tag; its end may be missing"))
    findings.extend(_repairs(auditor))
    return document


@contextmanager
def typed_errors() -> Iterator[None]:
    """Turns whatever ezdxf raises on a damaged drawing into ``SourceUnreadable``; see the first paragraph."""
    try:
        yield
    except (IndxError, MemoryError):
        raise
    except Exception as error:
        raise SourceUnreadable(
            f"the drawing is damaged beyond recovery ({type(error).__name__})",
            remedy="open the drawing in a CAD program, run its audit and save it as DXF again",
        ) from error


@lru_cache(maxsize=1)
def library() -> ModuleType:
    """The module ``ezdxf``, imported without its fonts and silent.

    On import it looks for the fonts of the machine, writes what it finds to ``~/.cache`` and reads ``~/.config``.
    Neither may be: a drawing's text must come out the same on every machine, and nothing is written here. The
    directory ``no_fonts`` holds an empty list of fonts in the place where ezdxf looks for one.
    """
    with _user_directories(_NO_FONTS):
        import ezdxf
        import ezdxf.recover

    logging.getLogger("ezdxf").setLevel(logging.CRITICAL + 1)
    return ezdxf


@contextmanager
def _user_directories(path: Path) -> Iterator[None]:
    names = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    before = {name: os.environ.get(name) for name in names}  # noqa: TID251 - a library's variables, put back below
    os.environ.update(dict.fromkeys(names, str(path)))  # noqa: TID251
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]  # noqa: TID251
            else:
                os.environ[name] = value  # noqa: TID251


def _recovered(text: bytes) -> tuple[Any, Any]:
    """``ezdxf.recover.read`` with one step in between: its audit removes dimensions that nobody rendered."""
    from ezdxf.audit import Auditor
    from ezdxf.document import Drawing
    from ezdxf.recover import Recover

    tool = Recover.run(BytesIO(text), errors="ignore")
    document = Drawing()
    document._load_section_dict(tool.section_dict)  # noqa: SLF001 - as `recover.read` does
    auditor = Auditor(document)
    for code, message in tool.errors:
        auditor.add_error(code, message)
    for code, message in tool.fixes:
        auditor.fixed_error(code, message)
    _keep_unrendered_dimensions(document)
    auditor.run()
    return document, auditor


def _keep_unrendered_dimensions(document: Any) -> None:
    """Give dimensions without a block an empty one; what they say is then worded by ``dimensions``."""
    for entity in list(document.entitydb.values()):
        if entity.dxftype() not in {"DIMENSION", "ARC_DIMENSION", "LARGE_RADIAL_DIMENSION"}:
            continue
        if entity.dxf.get("geometry", "*") not in document.blocks:
            if _UNRENDERED not in document.blocks:
                document.blocks.new(_UNRENDERED)
            entity.dxf.geometry = _UNRENDERED


def _refuse_too_many(text: bytes, limit: int) -> None:
    count = sum(1 for _ in _ENTITY.finditer(text))
    if count > limit:
        raise SourceUnreadable(
            f"the drawing holds some {count:,} entities, more than the {limit:,} allowed",
            remedy="raise INDX_DXF_MAX_ENTITIES if the drawing is worth it",
        )


def _repairs(auditor: Any) -> Findings:
    """One finding per kind of flaw, with the number of times it occurred."""
    from ezdxf.audit import AuditError

    names = {int(member): member.name.lower() for member in AuditError}
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for outcome, entries in (("repaired", auditor.fixes), ("damaged", auditor.errors)):
        for entry in entries:
            code = f"dxf_{outcome}_{names.get(int(entry.code), str(entry.code))}"
            counts[code] += 1
            first.setdefault(code, str(entry.message))
    return [(code, f"{number} times, first: {first[code]}"[:300]) for code, number in sorted(counts.items())]
