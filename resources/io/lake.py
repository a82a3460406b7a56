"""The lake: the folder or bucket that every asset's tables are written to."""

from indx_core.kit.lake import LakeSettings
from resources.base import mirror

LakeResource = mirror("LakeResource", "Folder or bucket the tables are written to.", (LakeSettings,))
