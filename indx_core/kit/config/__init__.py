"""``indx.toml``: found, read, validated. What it may say is ``contracts/ingest.py``; INDX_* variables are not here."""

from indx_core.kit.config.load import LoadedConfig, load_config

__all__ = ["LoadedConfig", "load_config"]
