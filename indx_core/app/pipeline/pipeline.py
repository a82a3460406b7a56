"""``DirectoryPipeline``: the ordered stages, the slots bound to names or objects, and the run.

Holds no stage of its own.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from indx_core.app.pipeline import slots
from indx_core.app.pipeline.context import SpaceContext
from indx_core.app.pipeline.files import files_of
from indx_core.app.pipeline.stages import Chunking, EmbedAndPack, Enrich, Parse, Relate, Stage, Walk
from indx_core.app.service import Service
from indx_core.contracts.errors import ConfigInvalid
from indx_core.contracts.ingest import IndxConfig
from indx_core.knowledge.space import KnowledgeSpace


class DirectoryPipeline:
    """A folder or ZIP file to a knowledge space.

    Stages are a list that is changed before a run: ``insert`` before a named one, ``drop``, ``replace``. Slots take a
    name or an object with the methods of ``slots.py``; nothing that costs money or sends text runs unless it is named.
    """

    def __init__(
        self,
        *,
        parser: Any = "indx",
        llm: Any = None,
        vlm: Any = None,
        embedder: Any = "default-text",
        store: Any = "memory",
        output: Any = "indx",
        config: IndxConfig | None = None,
    ) -> None:
        """Bind the slots.

        Raises:
            ConfigInvalid: A name that nothing installed answers to.
        """
        service, self._config = Service(), config or IndxConfig()
        options = self._config.ingest
        self._slots: dict[str, Any] = {
            "parser": _bound(parser, lambda name: slots.parser_named(name, service, options, pictures=vlm is not None)),
            "llm": _bound(llm, lambda name: slots.llm_named(name, service)),
            "vlm": _bound(vlm, lambda name: slots.vlm_named(name, service)),
            "embedder": _bound(embedder, lambda name: slots.embedder_named(name, service)),
            "writer": _bound(output, slots.writer_named),
        }
        self._store = store
        self.stages: list[Stage] = [Walk(), Parse(), Chunking(), Relate(), Enrich(), EmbedAndPack()]

    @property
    def names(self) -> list[str]:
        """Names of the stages, in order."""
        return [stage.name for stage in self.stages]

    def insert(self, stage: Stage, *, before: str | None = None, after: str | None = None) -> Self:
        """Put a stage before or after a named one.

        Raises:
            ConfigInvalid: There is no such stage, or not exactly one of ``before`` and ``after``.
        """
        if (before is None) == (after is None):
            raise ConfigInvalid("a stage is inserted before or after another one", param="before")
        at = self._index(before) if before is not None else self._index(str(after)) + 1
        self.stages.insert(at, stage)
        return self

    def drop(self, name: str) -> Self:
        """Leave a stage out.

        Raises:
            ConfigInvalid: There is no such stage.
        """
        del self.stages[self._index(name)]
        return self

    def replace(self, name: str, stage: Stage) -> Self:
        """Put a stage in the place of a named one.

        Raises:
            ConfigInvalid: There is no such stage.
        """
        self.stages[self._index(name)] = stage
        return self

    def run(self, root: str | Path, out: str | Path | None = None) -> KnowledgeSpace:
        """Process a folder or ZIP file; what could not be processed is in ``space.errors``.

        Args:
            root: The folder or ZIP file.
            out: Folder the output is written to.

        Raises:
            SourceUnreadable: The root cannot be walked.
        """
        return self.run_context(root, out).to_space()

    def run_context(self, root: str | Path, out: str | Path | None = None) -> SpaceContext:
        """The same, returning everything the stages accumulated."""
        place = Path(root).resolve()
        ctx = SpaceContext(
            root=str(place),
            out=None if out is None else str(out),
            config=self._config,
            files=files_of(place),
            store=_bound(self._store, slots.store_named),  # a new one each run
            **self._slots,
        )
        return run_stages(ctx, self.stages)

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise ConfigInvalid(f"no stage is called {name!r}; there are: {', '.join(self.names)}", param="stages")
        return self.names.index(name)


def _bound(given: Any, named: Callable[[str], Any]) -> Any:
    """What fills a slot: the object that was given, or what answers to the name."""
    return named(given) if isinstance(given, str) else given


def run_stages(ctx: SpaceContext, stages: Sequence[Stage]) -> SpaceContext:
    """Run stages over one context, each returning the object it received."""
    for stage in stages:
        ctx = stage.run(ctx)
    return ctx
