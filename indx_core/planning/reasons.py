"""The public sentences that say why a scope is routed as it is.

A reason is for a person who asks why a page costs what it costs. The measures behind it are private preflight and never
leave the planner; signals are named. What holds for most pages is said once, for the document; a page speaks for itself
only where it differs, so a thousand scanned pages are one sentence.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from indx_core.contracts.capability import CapabilityDescriptor
from indx_core.contracts.observation import PageObservation, TextLayer
from indx_core.contracts.plan import DecisionReason
from indx_core.planning.constraints import exclusion_sentence
from indx_core.planning.scopes import DOCUMENT, page_scope

_BLANK_SIGNAL = "empty"
_DISTRUST: Mapping[str, str] = {
    "garbage_text": "its characters do not map to readable text",
    "invisible_text": "it stands invisibly over a scan",
}


class Condition(NamedTuple):
    """Why a page stands on its ladder: a code and a sentence."""

    code: str
    sentence: str


def condition(page: PageObservation) -> Condition:
    """The public reason behind a page's text layer."""
    if page.text_layer is TextLayer.ABSENT:
        return Condition("no_text_layer", "there is no text layer to read")
    if page.text_layer is TextLayer.UNTRUSTED:
        why = [f"{_DISTRUST[signal]} ({signal})" for signal in page.signals if signal in _DISTRUST]
        return Condition(
            "untrusted_text_layer", f"the text layer is not trusted: {'; '.join(why) or 'observer verdict'}"
        )
    if _BLANK_SIGNAL in page.signals:
        return Condition("blank_page", "the page is blank, so there is nothing to recognise")
    return Condition("text_layer", "the text layer can be read as it stands")


def page_reasons(pages: Sequence[PageObservation]) -> list[DecisionReason]:
    """The most common condition once for the document (ties: the earliest page's), then the pages that differ."""
    if not pages:
        return [
            DecisionReason(scope=DOCUMENT, code="no_pages", message="the document has no pages, so nothing is read")
        ]
    conditions = [condition(page) for page in pages]
    counts = dict.fromkeys(conditions, 0)
    for each in conditions:
        counts[each] += 1
    common = max(counts, key=counts.__getitem__)
    share = f"{counts[common]} of {len(pages)} pages: " if len(pages) > 1 else ""
    return [
        DecisionReason(scope=DOCUMENT, code=common.code, message=share + common.sentence),
        *(
            DecisionReason(scope=page_scope(page.number), code=each.code, message=each.sentence)
            for page, each in zip(pages, conditions, strict=True)
            if each != common
        ),
    ]


def unavailable_reasons(rungs: Iterable[CapabilityDescriptor]) -> list[DecisionReason]:
    """One reason for each rung the plan descends past because it cannot run here."""
    return [
        DecisionReason(
            scope=DOCUMENT, code="rung_unavailable", message=f"{each.id} cannot run here: {each.unavailable_reason}"
        )
        for each in rungs
    ]


def exclusion_reasons(excluded: Mapping[str, Iterable[str]]) -> list[DecisionReason]:
    """One reason for each constraint that left rungs out, by the constraint's name."""
    return [
        DecisionReason(scope=DOCUMENT, code="rung_excluded", message=exclusion_sentence(name, ids))
        for name, ids in excluded.items()
    ]
