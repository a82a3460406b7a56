"""``az:`` URIs: one blob of a container of Azure Storage, and the listing of a container or folder.

Holds account, credentials and endpoint. Reading and listing are ``kit/objectstore``.
"""

from indx_core.kit.registry import Contribution
from indx_core.loaders.azure.loader import AzureLoader

CONTRIBUTION = Contribution(loaders=(AzureLoader(),))
