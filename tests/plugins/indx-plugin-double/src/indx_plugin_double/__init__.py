"""Claims the scheme ``file``, which indx's own loader has."""

from indx_core.kit.registry import Contribution
from indx_core.testing.fakes import FakeLoader

CONTRIBUTION = Contribution(loaders=(FakeLoader(schemes=("file",)),))
