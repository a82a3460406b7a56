"""Which URIs resolve: what is installed, what INDX_URI_SCHEMES admits, and what a refusal says."""

import pytest

from indx_core.contracts.errors import SettingsInvalid, SourceUnreadable, UnsupportedSource
from indx_core.contracts.source import InlineSource, UriSource
from indx_core.kit.intake import acquire, enabled_schemes, list_root, loader_for, resolvable
from indx_core.kit.registry import Contribution, Registry
from indx_core.testing.fakes import FakeLoader, FakeObserver, fake_document, fake_registry

PAGE = fake_document("one")


@pytest.fixture
def registry() -> Registry:
    return fake_registry(
        Contribution(
            loaders=(FakeLoader({"memory://a": PAGE}), FakeLoader({"vault://a": PAGE}, schemes=("vault",))),
            observers=(FakeObserver(),),
        )
    )


@pytest.mark.parametrize(
    ("variable", "enabled"),
    [
        (None, ("memory", "vault")),
        ("", ("memory", "vault")),
        ("memory", ("memory",)),
        ("VAULT:, ftp", ("vault",)),
        ("none", ()),
        ("NONE", ()),
    ],
)
def test_the_variable_narrows_what_is_installed(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, variable: str | None, enabled: tuple[str, ...]
) -> None:
    if variable is not None:
        monkeypatch.setenv("INDX_URI_SCHEMES", variable)
    assert enabled_schemes(registry) == enabled
    assert resolvable(registry).schemes == enabled


def test_none_beside_a_scheme_is_refused_since_it_means_two_things(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_URI_SCHEMES", "none,file")
    with pytest.raises(SettingsInvalid, match="INDX_URI_SCHEMES"):
        enabled_schemes(registry)


def test_observable_media_types_are_those_of_the_observers(registry: Registry) -> None:
    assert resolvable(registry).observable_media_types == ("text/x-fake",)


@pytest.mark.parametrize("uri", ["ftp://host/a", "C:\\scan.pdf", "scan.pdf", ""])
def test_what_no_loader_declares_is_refused_and_the_message_lists_what_resolves(registry: Registry, uri: str) -> None:
    with pytest.raises(UnsupportedSource) as refused:
        loader_for(uri, registry)
    assert "this installation resolves memory, vault" in refused.value.message
    assert refused.value.param == "source.uri.uri"
    assert (refused.value.http_status, refused.value.code) == (415, "unsupported_source")


def test_a_scheme_that_is_installed_and_not_enabled_names_the_variable(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_URI_SCHEMES", "vault")
    with pytest.raises(UnsupportedSource, match=r"INDX_URI_SCHEMES.*resolves vault"):
        loader_for("memory://a", registry)


def test_an_installation_without_loaders_says_that_it_resolves_nothing() -> None:
    with pytest.raises(UnsupportedSource, match="resolves no scheme"):
        loader_for("memory://a", Registry())


def test_the_scheme_is_checked_before_any_loader_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = FakeLoader({"memory://a": PAGE})
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    registry = fake_registry(Contribution(loaders=(loader,), observers=(FakeObserver(),)))
    with pytest.raises(UnsupportedSource):
        acquire(UriSource(uri="memory://a"), registry)
    assert loader.loads == []


def test_an_inline_source_is_never_affected_by_schemes(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    assert acquire(InlineSource(data=PAGE), registry).media_type == "text/x-fake"


def test_a_scheme_is_compared_without_regard_to_case(registry: Registry) -> None:
    assert loader_for("Memory://a", registry).schemes == ("memory",)


def test_a_listing_that_breaks_off_is_an_error_and_not_a_short_listing() -> None:
    """A caller that saw the end of the iterator may record everything else as deleted."""
    registry = fake_registry(Contribution(loaders=(FakeLoader(error=ConnectionResetError("peer 10.0.0.7")),)))
    with pytest.raises(SourceUnreadable) as refused:
        list(list_root("memory://root", registry))
    assert "10.0.0.7" not in refused.value.message


def test_a_loader_that_serves_single_objects_cannot_list() -> None:
    class Single:
        distribution = "single"
        schemes = ("single",)

        def load(self, uri, max_bytes):  # type: ignore[no-untyped-def]
            raise NotImplementedError

    with pytest.raises(UnsupportedSource, match="cannot list"):
        list_root("single://root", fake_registry(Contribution(loaders=(Single(),))))


def test_a_disabled_scheme_cannot_be_listed(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_URI_SCHEMES", "vault")
    with pytest.raises(UnsupportedSource):
        list_root("memory://root", registry)
