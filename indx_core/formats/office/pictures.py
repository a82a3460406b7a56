"""Raster pictures of slides as an embedder takes them: PNG and JPEG as they are, other rasters as PNG.

Drawings (EMF, WMF, SVG) are not raster pictures and have no image here.
"""

import io

from indx_core.kit.render.quiet import quiet_libtiff

_AS_THEY_ARE = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
_CONVERTED = (b"GIF8", b"BM", b"II*\x00", b"MM\x00*", b"RIFF")
_MAX_PIXELS = 100_000_000


def raster_picture(data: bytes) -> bytes | None:
    """PNG or JPEG bytes of a picture; ``None`` for a drawing, or for a picture that does not decode."""
    if data.startswith(_AS_THEY_ARE):
        return data
    if not data.startswith(_CONVERTED):
        return None
    return _as_png(data)


def _as_png(data: bytes) -> bytes | None:
    from PIL import Image

    quiet_libtiff()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > _MAX_PIXELS:
                return None
            target = io.BytesIO()
            picture.convert("RGBA" if "transparency" in picture.info else "RGB").save(target, "PNG")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return target.getvalue()
