"""The basis of a stage travels in a Dagster tag, whatever a store's versions look like."""

import pytest
from dagster import AssetKey, AssetMaterialization

from indx_core.app.ingest.recipe import Basis

VERSIONS = [
    "1265-1796062159079223",
    "dbf59f3774bdfc5666bcbbf69545e48c",
    "YVZXFaStTw20nbdKXHHSdw==",
    'W/"v 1"',
    "0x1C7C",
]


@pytest.mark.parametrize("version", [*VERSIONS, "dbf59f3774bdfc5666bcbbf69545e48c-120"])
def test_a_basis_fits_a_tag_and_is_recognised_again(version: str) -> None:
    """A materialization with a tag that does not validate is lost, and its document read again by every run."""
    basis = Basis(version, "0" * 16, "f" * 16)
    text = basis.encode()
    assert AssetMaterialization(AssetKey("a"), tags={"indx/basis": text}).tags == {"indx/basis": text}
    assert basis.differences(Basis.decode(text)) == ()
    assert Basis(version + "x", "0" * 16, "f" * 16).differences(Basis.decode(text)) == ("source changed",)
