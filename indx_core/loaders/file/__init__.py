"""``file:`` URIs: one regular file of this machine, and the listing of a directory. Both stay inside the roots named.

Does not know what a file holds, nor which schemes a deployment enables (``kit/intake``).
"""

from indx_core.kit.registry import Contribution
from indx_core.loaders.file.loader import FileLoader

CONTRIBUTION = Contribution(loaders=(FileLoader(),))
