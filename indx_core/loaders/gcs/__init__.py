"""``gs:`` URIs: one object of a bucket of Google Cloud Storage, and the listing of a bucket or folder.

Holds credentials and endpoint. Reading and listing are ``kit/objectstore``.
"""

from indx_core.kit.registry import Contribution
from indx_core.loaders.gcs.loader import GcsLoader

CONTRIBUTION = Contribution(loaders=(GcsLoader(),))
