"""Finds the files of a model that a setting names: a local folder, or a repository of the Hugging Face hub.

Nothing is fetched unless ``INDX_MODEL_DOWNLOADS`` is on, and nothing is looked up when lanes are listed.
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.kit.models.settings import ModelSettings

_PROBE_BYTES = 1 << 20


def unavailable(model: str, variable: str, files: Sequence[str]) -> str | None:
    """Why a model cannot be used on this machine, and what to do; ``None`` where it can. Opens no file, no network.

    Args:
        model: As for ``resolve_model``.
        variable: The setting that names it.
        files: Paths inside its folder that must be there.
    """
    folder = Path(model)
    if folder.is_dir():
        absent = [name for name in files if not (folder / name).is_file()]
        lacks = f"the model folder lacks {', '.join(absent)}: point {variable} at a folder with these files"
        return lacks if absent else None
    if importlib.util.find_spec("huggingface_hub") is None:
        return f"the model {model} is not on this machine: set {variable} to a folder that holds it"
    if ModelSettings.load().downloads or _in_cache(model, files):
        return None
    return (
        f"the model {model} is not on this machine: set {variable} to a folder that holds it, "
        f"or {ModelSettings.variable('downloads')}=true to fetch it"
    )


def resolve_model(lane: str, model: str, files: Sequence[str]) -> Path:
    """The folder in which a model's files are.

    Args:
        lane: Id of the lane, which messages start with.
        model: Path of a folder, or ``<owner>/<name>`` on the hub, with ``@<revision>`` to pin a commit.
        files: Paths inside the folder that must be there.

    Raises:
        CapabilityUnavailable: A file is missing, or the model is not on this machine and may not, or could not, be
            fetched. Says which variable would permit it.
    """
    folder = Path(model)
    if not folder.is_dir():
        folder = _from_hub(lane, model, files)
    absent = [name for name in files if not (folder / name).is_file()]
    if absent:
        raise CapabilityUnavailable(
            f"{lane}: the model folder lacks {', '.join(absent)}",
            remedy="point the lane's model setting at a folder with these files",
        )
    return folder


def model_label(model: str, weights: str) -> str:
    """What a descriptor calls a model: the hub's name, or a folder's own name with a fingerprint of its weights.

    A fingerprint because replaced weights are another model; never the path, which is the server's business.
    """
    folder = Path(model)
    if not folder.is_dir():
        return model
    file = folder / weights
    return f"{folder.resolve().name}@{fingerprint(file)}" if file.is_file() else folder.resolve().name


def fingerprint(file: Path) -> str:
    """12 hex digits over a file's size, first and last MiB: tells trained weights apart without reading gigabytes."""
    size = file.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with file.open("rb") as stream:
        digest.update(stream.read(_PROBE_BYTES))
        stream.seek(max(0, size - _PROBE_BYTES))
        digest.update(stream.read(_PROBE_BYTES))
    return digest.hexdigest()[:12]


def _in_cache(model: str, files: Sequence[str]) -> bool:
    """Whether a snapshot in the hub's cache has the files; its constants import in 20 ms, its client in 250."""
    from huggingface_hub.constants import HF_HUB_CACHE

    snapshots = Path(HF_HUB_CACHE) / f"models--{model.partition('@')[0].replace('/', '--')}" / "snapshots"
    found = snapshots.iterdir() if snapshots.is_dir() else ()
    return any(all((snapshot / name).is_file() for name in files) for snapshot in found)


def _from_hub(lane: str, model: str, files: Sequence[str]) -> Path:
    if importlib.util.find_spec("huggingface_hub") is None:
        raise CapabilityUnavailable(
            f"{lane}: {model} is no folder of this machine, and huggingface_hub is not installed",
            remedy="point the lane's model setting at a local folder, or install huggingface_hub",
        )
    from huggingface_hub import snapshot_download

    downloads = ModelSettings.load().downloads
    name, _, revision = model.partition("@")
    try:
        found = snapshot_download(
            name, revision=revision or None, allow_patterns=list(files), local_files_only=not downloads
        )
    except Exception as error:  # noqa: BLE001 - the hub's client raises a dozen kinds, those of its transport included
        if downloads:
            reason = f"{lane}: {model} could not be fetched from the Hugging Face hub ({type(error).__name__})"
            raise CapabilityUnavailable(reason, remedy="check the model's name and the network") from None
        raise CapabilityUnavailable(
            f"{lane}: the model {model} is not on this machine",
            remedy=f"set {ModelSettings.variable('downloads')}=true to fetch it, or name a local folder",
        ) from None
    return Path(found)
