"""Which settings are in force and where from. Values of secrets are never shown, nor credentials inside addresses."""

import difflib
from collections.abc import Iterator

from pydantic import SecretBytes, SecretStr

from indx_core.app.doctor.report import Check, Origin, Status, Variable
from indx_core.contracts.errors import ConfigInvalid, SettingsInvalid
from indx_core.kit.blot import BLOT, blotted
from indx_core.kit.config import load_config
from indx_core.kit.config.settings import ConfigSettings
from indx_core.kit.settings import IndxSettings, all_settings, environment


def variables() -> Iterator[Variable]:
    """Every setting there is, in the order of ``docs/configuration.md``; of a class that does not validate, none."""
    stated = {name for name, value in environment().items() if value.strip()}
    from_file = _keys_of_file()
    for cls in all_settings():
        try:
            values = cls.load()
        except SettingsInvalid:
            continue
        for field in cls.model_fields:
            name = cls.variable(field)
            if name in stated:
                yield Variable(name=name, origin=Origin.ENVIRONMENT, value=_shown(getattr(values, field)))
            elif cls is ConfigSettings and field in from_file:
                yield Variable(name=name, origin=Origin.FILE, value=_shown(from_file[field]))
            else:
                yield Variable(name=name, origin=Origin.DEFAULT, value=_shown(getattr(values, field)))


def setting_checks() -> Iterator[Check]:
    """Variables that do not validate, and ones that nobody reads: a misspelt one has no effect and says nothing."""
    known: set[str] = set()
    for cls in all_settings():
        known |= set(cls.variables())
        yield from _invalid(cls)
    for name in sorted(set(environment()) - known):
        near = difflib.get_close_matches(name, known, n=1)
        remedy = f"did you mean {near[0]}?" if near else "docs/configuration.md lists every variable"
        yield Check(area="settings", name=name, status=Status.WARNING, detail="nobody reads it", remedy=remedy)


def _invalid(cls: type[IndxSettings]) -> Iterator[Check]:
    try:
        cls.load()
    except SettingsInvalid as error:
        yield Check.refused("settings", cls.__name__, error)


def _keys_of_file() -> dict[str, object]:
    """Top-level values that ``indx.toml`` states; none where it does not load, which its own check reports."""
    try:
        config = load_config().config
    except (ConfigInvalid, SettingsInvalid):
        return {}
    return {name: getattr(config, name) for name in config.model_fields_set}


def _shown(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, SecretStr | SecretBytes):
        return BLOT
    if isinstance(value, tuple):
        return blotted(",".join(map(str, value))) or None
    return blotted(str(value))
