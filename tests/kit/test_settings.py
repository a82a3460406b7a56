"""Settings: INDX_* variables read per call, typed, documented, and never quoted back in an error."""

from typing import ClassVar

import pytest
from pydantic import Field, SecretStr

from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit import settings
from indx_core.kit.settings import IndxSettings, all_settings, environment, overriding, recipe


class SampleSettings(IndxSettings):
    prefix: ClassVar[str] = "SAMPLE_"
    stages: ClassVar[tuple[str, ...]] = ("chunks",)
    dpi: int = Field(default=120, gt=0, description="Dots per inch.")
    names: tuple[str, ...] = Field(default=(), description="Names.")
    api_key: SecretStr | None = Field(default=None, description="Key.")


@pytest.fixture(autouse=True)
def _a_third_partys_settings_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if its ``settings.py`` had been imported, and for these tests alone: every recipe would know them."""
    monkeypatch.setattr(SampleSettings, "__module__", "sample_plugin.settings")


def test_a_field_is_a_variable_with_the_prefix() -> None:
    assert list(SampleSettings.variables()) == ["INDX_SAMPLE_DPI", "INDX_SAMPLE_NAMES", "INDX_SAMPLE_API_KEY"]


def test_values_are_read_per_call(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SampleSettings.load().dpi == 120
    monkeypatch.setenv("INDX_SAMPLE_DPI", "300")
    assert SampleSettings.load().dpi == 300


@pytest.mark.parametrize("blank", ["", "   "])
def test_a_blank_value_means_the_default(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    monkeypatch.setenv("INDX_SAMPLE_DPI", blank)
    assert SampleSettings.load().dpi == 120


def test_a_tuple_is_a_comma_separated_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SAMPLE_NAMES", " a, b ,,c")
    assert SampleSettings.load().names == ("a", "b", "c")


def test_an_invalid_value_names_the_variable_and_never_shows_what_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SAMPLE_DPI", "hunter2")
    with pytest.raises(SettingsInvalid) as refused:
        SampleSettings.load()
    assert refused.value.message.startswith("INDX_SAMPLE_DPI: ")
    assert "hunter2" not in refused.value.message


def test_an_override_wins_over_the_environment_and_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SAMPLE_DPI", "300")
    with overriding({"INDX_SAMPLE_DPI": "72"}), overriding({"INDX_SAMPLE_NAMES": "x"}):
        assert SampleSettings.load().dpi == 72
        assert SampleSettings.load().names == ("x",)
        assert environment()["INDX_SAMPLE_DPI"] == "72"
    assert SampleSettings.load().dpi == 300


def test_a_worker_process_gets_exactly_the_variables_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SAMPLE_DPI", "300")
    monkeypatch.setenv("INDX_SAMPLE_NAMES", "a")
    settings.install({"INDX_SAMPLE_DPI": "72"})
    assert environment() == {"INDX_SAMPLE_DPI": "72"}


def test_every_settings_file_is_found_and_third_parties_are_found_when_loaded() -> None:
    names = [f"{cls.__module__}.{cls.__name__}" for cls in all_settings()]
    assert "indx_core.formats.text.settings.TextSettings" in names
    assert "indx_core.kit.intake.settings.IntakeSettings" in names
    assert "sample_plugin.settings.SampleSettings" in names
    assert names == sorted(names)


def test_every_variable_has_a_description_and_one_owner() -> None:
    owners: dict[str, str] = {}
    for cls in all_settings():
        for variable, info in cls.variables().items():
            assert info.description, f"{variable} is undocumented"
            assert owners.setdefault(variable, cls.__name__) == cls.__name__, f"{variable} has two owners"


def test_a_recipe_holds_what_a_stage_depends_on_sorted_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SAMPLE_API_KEY", "hunter2")
    chunks = recipe("chunks")
    assert chunks["INDX_SAMPLE_DPI"] == 120
    assert "INDX_SAMPLE_API_KEY" not in chunks
    assert "hunter2" not in str(chunks)
    assert list(chunks) == sorted(chunks)
    assert "INDX_SAMPLE_DPI" not in recipe("embeddings")


def test_a_recipe_changes_with_a_variable_its_stage_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = recipe("page_reads")
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-8-sig,cp932")
    assert recipe("page_reads") != before
    assert recipe("page_reads")["INDX_TEXT_ENCODING"] == ["utf-8-sig", "cp932"]
