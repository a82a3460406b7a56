"""Places the configuration names: ``indx.toml`` and its roots, the lake, the fonts that pages are drawn with."""

import os
from collections.abc import Iterator
from pathlib import Path

from indx_core.app.doctor.report import Check, Status
from indx_core.app.ingest.options import require_installed
from indx_core.app.installation import Installation
from indx_core.contracts.errors import IndxError
from indx_core.contracts.tables import TABLES
from indx_core.kit.blot import blotted
from indx_core.kit.config import LoadedConfig, load_config
from indx_core.kit.lake import LakeSettings
from indx_core.kit.lake.evolve import recorded_versions, require_known
from indx_core.kit.lake.stores import LocalStore, open_store

FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/X11/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
)
JAPANESE_FONTS = ("ipa", "takao", "vl-gothic", "vlgothic", "noto", "cjk", "gothic", "mincho", "msgothic", "meiryo")
"""Parts of the names of font files that have Japanese glyphs on the systems indx runs on."""


def corpus_checks() -> Iterator[Check]:
    """Whether ``indx.toml`` is valid, its roots are there, and what it names is installed."""
    try:
        loaded = load_config()
    except IndxError as error:
        yield Check.refused("indx.toml", "indx.toml", error)
        return
    if not loaded.config.corpora:
        yield Check(area="indx.toml", name="corpora", status=Status.WARNING, detail="none is named")
    for name in loaded.config.corpora:
        yield _root(name, loaded)
    yield from _options(loaded)


def _root(name: str, loaded: LoadedConfig) -> Check:
    root = loaded.root(name)
    if "://" in root or root.startswith("data:"):
        return Check(area="indx.toml", name=name, status=Status.OK, detail=f"{blotted(root)}, which is not asked")
    if not Path(root).is_dir() or not os.access(root, os.R_OK | os.X_OK):
        remedy = f"make the folder, or correct `root` of [corpora.{name}]"
        detail = f"{root} is no folder that can be read"
        return Check(area="indx.toml", name=name, status=Status.PROBLEM, detail=detail, remedy=remedy)
    return Check(area="indx.toml", name=name, status=Status.OK, detail=root)


def _options(loaded: LoadedConfig) -> Iterator[Check]:
    options = {name: loaded.config.options(name) for name in loaded.config.corpora}
    try:
        snapshot = Installation.current().snapshot
    except IndxError as error:
        yield Check.refused("indx.toml", "ingest", error)
        return
    for name, each in options.items():
        try:
            require_installed([each], snapshot)
        except IndxError as error:
            yield Check.refused("indx.toml", f"{name}: ingest", error)


def lake_checks() -> Iterator[Check]:
    """Whether the lake can be read and written, and is of a schema known here. One in a bucket is not asked."""
    try:
        settings = LakeSettings.load()
        store = open_store(settings)
    except IndxError as error:
        yield Check.refused("lake", "INDX_LAKE", error)
        return
    if not isinstance(store, LocalStore):
        detail = f"{blotted(settings.lake)}, which is not asked"
        yield Check(
            area="lake", name="INDX_LAKE", status=Status.OK, detail=detail, remedy="`indx sql 'SHOW TABLES'` asks it"
        )
        return
    yield _folder(store.root)
    if store.root.is_dir():
        yield from _schema(store)


def _folder(root: Path) -> Check:
    nearest = next(folder for folder in (root, *root.parents) if folder.exists())
    right = os.R_OK | os.W_OK | os.X_OK
    if not nearest.is_dir() or not os.access(nearest, right):
        what = "is no folder" if not nearest.is_dir() else "cannot be read and written"
        return Check(
            area="lake",
            name="INDX_LAKE",
            status=Status.PROBLEM,
            detail=f"{nearest} {what}",
            remedy="name a folder of your own in INDX_LAKE, or give this user the right to it",
        )
    detail = str(root) if nearest == root else f"{root}, which the first ingest makes"
    return Check(area="lake", name="INDX_LAKE", status=Status.OK, detail=detail)


def _schema(store: LocalStore) -> Iterator[Check]:
    try:
        recorded = recorded_versions(store)
        require_known(recorded)
    except IndxError as error:
        yield Check.refused("lake", "schema", error)
        return
    older = sorted(name for name, version in (recorded or {}).items() if version < TABLES[name].version)
    detail = f"earlier than this release: {', '.join(older)}; it is read as it is" if older else "of this release"
    yield Check(area="lake", name="schema", status=Status.OK, detail=detail if recorded else "not recorded yet")


def font_checks() -> Iterator[Check]:
    """Whether PDFium finds a Japanese font. Without one, pages that embed none are drawn, and recognised, empty."""
    folders = [Path(each).expanduser() for each in FONT_FOLDERS]
    names = (file.name.lower() for folder in folders if folder.is_dir() for file in folder.rglob("*.[toTO][tT][fcFC]"))
    found = next((name for name in names if any(part in name for part in JAPANESE_FONTS)), None)
    if found:
        yield Check(area="fonts", name="japanese", status=Status.OK, detail=found)
        return
    detail = "none found: PDF pages that embed no font are drawn without their Japanese characters"
    remedy = "apt install fonts-ipafont"
    yield Check(area="fonts", name="japanese", status=Status.ABSENT, detail=detail, remedy=remedy)
