"""libtiff keeps quiet: it writes every fault it meets to the process's stderr, into progress bars and envelopes.

What a fault means for us arrives as the decoder's exception. Belongs here: that one call. Does not: any decoding.
"""

import ctypes
from functools import cache


@cache
def quiet_libtiff() -> None:
    """Take the error handler away from the libtiff that Pillow decodes with, for the life of the process.

    Pillow itself takes away only the handler of warnings. Its library is reached through Pillow's own module, whose
    dependency it is, so that it is the same one wherever it was installed. Where that cannot be, libtiff is heard.
    """
    from PIL import _imaging

    try:
        set_handler = ctypes.CDLL(_imaging.__file__).TIFFSetErrorHandler
    except (AttributeError, OSError):  # a build without libtiff, or a platform that looks symbols up otherwise
        return
    set_handler.argtypes, set_handler.restype = [ctypes.c_void_p], ctypes.c_void_p
    set_handler(None)
