"""Resources mirror settings: every variable is a visible, optional field, secrets never are, and what is set wins."""

import dagster as dg
import pytest
from pydantic import SecretStr

from indx_core.kit.settings import IndxSettings, all_settings, environment, overriding
from indx_dagster.definitions import default_resources
from resources.base import mirror
from resources.ports import PORTS, settings_of


class Example(IndxSettings):
    """Of this test alone."""

    prefix = "EXAMPLE_"
    dpi: int = 200
    ratio: float | None = None
    quiet: bool = False
    names: tuple[str, ...] = ()
    key: SecretStr | None = None


Mirror = mirror("ExampleResource", "An example.", (Example,))


def test_a_field_that_is_not_set_leaves_the_variable_alone() -> None:
    assert Mirror().variables() == {}


def test_what_is_set_becomes_the_variable_as_a_worker_reads_it() -> None:
    variables = Mirror(example_dpi=300, example_ratio=0.5, example_quiet=True, example_names="a,b").variables()
    assert variables == {
        "INDX_EXAMPLE_DPI": "300",
        "INDX_EXAMPLE_RATIO": "0.5",
        "INDX_EXAMPLE_QUIET": "true",
        "INDX_EXAMPLE_NAMES": "a,b",
    }
    with overriding(variables):
        loaded = Example.load()
        assert (loaded.dpi, loaded.ratio, loaded.quiet, loaded.names) == (300, 0.5, True, ("a", "b"))
        assert environment()["INDX_EXAMPLE_DPI"] == "300"


def test_a_secret_is_no_field_since_the_ui_shows_literals() -> None:
    assert "example_key" not in Mirror.model_fields


def test_run_config_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_EXAMPLE_DPI", "100")
    seen = {}

    @dg.op(required_resource_keys={"example"})
    def look(context: dg.OpExecutionContext) -> None:
        with overriding(context.resources.example.variables()):
            seen["dpi"] = Example.load().dpi

    @dg.job(resource_defs={"example": Mirror.configure_at_launch()})
    def job() -> None:
        look()

    job.execute_in_process(run_config={"resources": {"example": {"config": {"example_dpi": 300}}}})
    assert seen == {"dpi": 300}


def test_every_folder_with_settings_shows_in_exactly_one_port() -> None:
    """A format or an engine that is added shows up by itself, and none shows up twice."""
    shown = [each for port in PORTS for each in settings_of(port)]
    groups = ("indx_core.formats.", "indx_core.engines.", "indx_core.loaders.", "indx_core.signatures.")
    wanted = [each for each in all_settings() if each.__module__.startswith(groups)]
    assert sorted(each.__qualname__ for each in shown) == sorted(each.__qualname__ for each in wanted)


def test_the_default_resources_change_nothing() -> None:
    assert {name: resource.variables() for name, resource in default_resources().items() if resource.variables()} == {}


def test_no_secret_of_ours_is_a_field_of_a_resource() -> None:
    fields = {name for resource in default_resources().values() for name in type(resource).model_fields}
    assert not [
        name for name in fields if name.endswith(("api_key", "secret_access_key", "session_token", "account_key"))
    ]
