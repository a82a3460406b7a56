"""docs/api: every public model is documented field by field, and the facade is typed as the requests are."""

import sys
import zipfile
from pathlib import Path
from typing import get_type_hints

import pytest
from architecture.repository import ROOT

import indx_core as indx
from indx_core.app.facade import EncodeOptions, PlanOptions
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.plan import PlanRequest

sys.path.insert(0, str(ROOT / "scripts"))
import api_pages
import docstrings


def test_every_field_of_a_public_model_says_what_it_holds() -> None:
    assert api_pages.undocumented() == []


@pytest.mark.parametrize(("options", "request_"), [(PlanOptions, PlanRequest), (EncodeOptions, EncodeRequest)])
def test_the_options_of_the_facade_are_the_fields_of_the_request(options: type, request_: type) -> None:
    """A new field of a request would otherwise be a type error for whoever names it."""
    assert set(get_type_hints(options)) == set(request_.model_fields) - {"source"}


@pytest.mark.parametrize("name", indx.__all__)
def test_a_public_name_has_a_home_and_a_docstring(name: str) -> None:
    assert (getattr(indx, name).__doc__ or "").strip()


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nowhere"):
        indx.nowhere  # noqa: B018


def test_a_docstring_is_read_section_by_section() -> None:
    def documented() -> None:
        """What it does.

        Args:
            one: First,
                and more of it.
            **others: The rest.

        Returns:
            A thing
            of two lines.
        """

    doc = docstrings.parse(documented)
    assert doc.text == "What it does."
    assert doc.entries["Args"] == {"one": "First, and more of it.", "**others": "The rest."}
    assert doc.entries["Returns"] == {"": "A thing of two lines."}


def test_the_wheel_says_that_it_is_typed(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    wheel = next(iter(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])))
    with zipfile.ZipFile(wheel) as packed:
        assert "indx_core/py.typed" in packed.namelist()
        assert {name.split("/")[0] for name in packed.namelist()} == {"indx_core", "indx_dagster-0.1.0.dist-info"}
