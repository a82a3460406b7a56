"""What the loaders of object stores share: addresses, one client's options, reading, listing, typed failures.

Written against obstore, which speaks to all of them. What differs between clouds (credentials, the names of variables)
is in ``loaders/{s3,gcs,azure}``. The lake writes to buckets through ``kit/lake`` and needs none of this.
"""

from indx_core.kit.objectstore.client import check_allowed, invalid_when_opened, limits
from indx_core.kit.objectstore.loader import BucketLoader
from indx_core.kit.objectstore.settings import BucketLoaderSettings

__all__ = ["BucketLoader", "BucketLoaderSettings", "check_allowed", "invalid_when_opened", "limits"]
