"""Finding and reading ``indx.toml``.

Precedence: run config, environment, ``indx.toml``, default. Relative roots are taken from the file's own folder, so
that a code location started from another directory reads the same corpus.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from indx_core.contracts.base import fault
from indx_core.contracts.errors import ConfigInvalid
from indx_core.contracts.ingest import CorpusConfig, IndxConfig
from indx_core.kit.config.settings import ConfigSettings, LaneSettings

FILE_NAME = "indx.toml"


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A configuration and the folder its relative paths start from."""

    config: IndxConfig
    folder: Path

    def root(self, corpus: str) -> str:
        """Where a corpus lives: its URI as written, or the absolute path of its directory."""
        config = self.config.corpora.get(corpus)
        if config is None:
            known = ", ".join(sorted(self.config.corpora)) or "none"
            raise ConfigInvalid(f"no corpus {corpus!r} in {FILE_NAME}; it names: {known}")
        return resolve_root(config, self.folder)


def resolve_root(corpus: CorpusConfig, folder: Path) -> str:
    """The URI of a corpus as written, or the absolute path of its directory."""
    if "://" in corpus.root or corpus.root.startswith(("file:", "data:")):
        return corpus.root
    return str((folder / corpus.root).resolve())


def load_config() -> LoadedConfig:
    """Read ``indx.toml`` now, or take the defaults where there is none.

    Raises:
        ConfigInvalid: It does not parse or validate, or ``INDX_CONFIG`` names a file that is not there.
    """
    settings = ConfigSettings.load()
    path = _find(settings.config)
    values = _parse(path) if path else {}
    overrides = settings.model_dump(exclude={"config"}, exclude_none=True)
    try:
        config = IndxConfig.model_validate({**values, **overrides})
    except ValidationError as error:
        raise ConfigInvalid("; ".join(f"{_location(e['loc'])}: {fault(e)}" for e in error.errors())) from None
    return LoadedConfig(_with_lanes(config, LaneSettings.load()), path.parent if path else Path.cwd())


def _with_lanes(config: IndxConfig, lanes: LaneSettings) -> IndxConfig:
    own = {
        name: corpus.model_copy(update={"ingest": lanes.over(corpus.ingest)})
        for name, corpus in config.corpora.items()
        if corpus.ingest
    }
    return config.model_copy(update={"ingest": lanes.over(config.ingest), "corpora": {**config.corpora, **own}})


def _find(named: str | None) -> Path | None:
    if named:
        path = Path(named).resolve()
        if not path.is_file():
            raise ConfigInvalid("INDX_CONFIG names a file that does not exist")
        return path
    checkout = Path(__file__).resolve().parents[3]
    return next((f / FILE_NAME for f in (Path.cwd(), checkout) if (f / FILE_NAME).is_file()), None)


def _parse(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigInvalid(f"{FILE_NAME}: {error}") from None


def _location(parts: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in parts) or FILE_NAME
