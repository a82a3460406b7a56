"""Retirement from the command line: what became of documents that are gone from corpora which were listed whole.

As a sensor's sweep does it (``sensors/gone.py``), with no limit of time: tombstones before anything runs, rows removed
when everything has run. Does not decide what is gone, and lists nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from assets.broken import changed_evaluation
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.retire import tombstones
from indx_dagster.launch import Session
from indx_dagster.sensors.gone import Retirement
from indx_dagster.sensors.patience import Patience


@dataclass
class Gone:
    """The gone documents of one command's corpora.

    Attributes:
        keys: Documents that this command found gone, sorted by corpus.
        said: Why nothing of a corpus is retired, one sentence each.
    """

    session: Session
    corpora: Sequence[str]
    keys: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, session: Session, corpora: Sequence[Corpus]) -> "Gone":
        """Of the corpora that were listed for their own sake: one named by a file or a folder in it retires nothing."""
        return cls(session, sorted({each.name for each in corpora if not each.within}))

    def foresee(self, sources: Sequence[ListedSource]) -> None:
        """Find out what is gone from these listings, which nobody recorded, and write nothing."""
        listed = {source.key for source in sources}
        for corpus in self.corpora:
            retirement = self._retirement(corpus)
            self.keys += retirement.missing(listed, tombstones(self.session.lake, corpus))
            self._note(retirement)

    def bury(self) -> None:
        """Write the tombstones of what the recorded listings no longer hold; its rows serve on."""
        for corpus in self.corpora:
            retirement = self._retirement(corpus)
            retirement.bury()
            self.keys += retirement.buried
            self._note(retirement)

    def remove(self) -> int:
        """Remove the rows of what nothing stands in for; returns how many gone documents serve on.

        Also those that an earlier command, or the sensor, left serving.
        """
        session, serving = self.session, 0
        for corpus in self.corpora:
            if not tombstones(session.lake, corpus):
                continue
            patience, _ = Patience.current(session.instance, session.lake, session.loaded, session.installation, corpus)
            self._retirement(corpus).remove(patience)
            serving += sum(stone.serving for stone in tombstones(session.lake, corpus).values())
        evaluation = changed_evaluation(session.instance, session.lake) if self.keys else None
        if evaluation is not None:
            session.instance.report_runless_asset_event(evaluation)
        return serving

    def _retirement(self, corpus: str) -> Retirement:
        session = self.session
        return Retirement(session.instance, session.lake, session.loaded, session.installation, corpus, math.inf)

    def _note(self, retirement: Retirement) -> None:
        for event in retirement.events:
            self.session.instance.report_runless_asset_event(event)
        if retirement.refused:
            self.said.append(f"{retirement.corpus}: {retirement.refused}")
