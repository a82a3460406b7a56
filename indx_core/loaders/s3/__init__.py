"""``s3:`` URIs: one object of a bucket, and the listing of a bucket or folder, of AWS or a compatible server.

Holds credentials, region and endpoint. Reading and listing are ``kit/objectstore``.
"""

from indx_core.kit.registry import Contribution
from indx_core.loaders.s3.loader import S3Loader

CONTRIBUTION = Contribution(loaders=(S3Loader(),))
