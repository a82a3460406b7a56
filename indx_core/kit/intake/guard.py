"""One rule for whatever a plugin raises: typed errors pass, anything else becomes ``SourceUnreadable``.

Knows no loader and no format. The original exception goes to the log; its text may hold a path or a credential and
never reaches a caller.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from indx_core.contracts.errors import Cause, IndxError, SourceUnreadable

log = logging.getLogger(__name__)


@contextmanager
def typed_errors(doing: str, param: str | None = "source") -> Iterator[None]:
    """Run a plugin's code so that only typed errors leave it.

    Args:
        doing: What was attempted and by whom, as the start of a sentence: ``the loader X could not fetch it``.
        param: Location of the source in the request, given to typed errors that name none.

    Raises:
        IndxError: As the plugin raised it.
        SourceUnreadable: For any other exception. ``MemoryError`` passes: the worker is at fault, not the source.
    """
    try:
        yield
    except IndxError as error:
        if error.cause is not Cause.DEPLOYMENT:  # a bad variable is not at fault in any field of the request
            error.param = error.param or param
        raise
    except MemoryError:
        raise
    except Exception as error:
        log.exception("%s", doing)
        raise SourceUnreadable(f"{doing} ({type(error).__name__})", param=param) from error
