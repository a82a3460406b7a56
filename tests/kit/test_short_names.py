"""Short names of media types."""

import pytest

from indx_core.formats.office.media_types import MEDIA_TYPES
from indx_core.kit.short_names import short_name


@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("application/pdf", "pdf"),
        ("text/plain; charset=utf-8", "text"),
        ("image/vnd.dxf", "dxf"),
        ("application/x-tar", "tar"),
        ("application/vnd.ms-word.document.macroEnabled.12", "docm"),
        ("application/vnd.openxmlformats-officedocument.presentationml.slideshow", "ppsx"),
        ("", "unknown"),
    ],
)
def test_a_media_type_is_called_as_people_call_it(media_type: str, name: str) -> None:
    assert short_name(media_type) == name


def test_every_office_type_has_a_name_of_its_own() -> None:
    """The last part of a macro-enabled one is ``12``, of a template ``template``: types of no document."""
    names = [short_name(media_type) for media_type in MEDIA_TYPES]
    assert len(set(names)) == len(names)
    assert all(len(name) == 4 and name[:2] in {"do", "xl", "pp", "po"} for name in names)
