"""``http:`` and ``https:`` URIs: one GET, to public addresses only unless a deployment allows others.

Holds the guard against reaching what only this machine can reach. Knows no cookies, no credentials and no proxies, and
does not look at what it fetched.
"""

from indx_core.kit.registry import Contribution
from indx_core.loaders.http.loader import HttpLoader

CONTRIBUTION = Contribution(loaders=(HttpLoader(),))
