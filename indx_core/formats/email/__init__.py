"""Mail (message/rfc822): everything this family contributes.

One page a message. ``message`` is the page enumerator that observer and reader share, ``headers`` and ``charsets``
decode, ``body`` decides what is text and what is named, ``visible`` turns HTML into lines.
"""

from indx_core.formats.email.observer import EmailObserver
from indx_core.formats.email.reader import EmailReader
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=(EmailObserver(),), readers=(EmailReader(),))
