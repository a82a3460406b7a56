"""``data:`` URIs (RFC 2397): the bytes are in the address. Opens neither disk nor network."""

from indx_core.kit.registry import Contribution
from indx_core.loaders.data.loader import DataLoader

CONTRIBUTION = Contribution(loaders=(DataLoader(),))
