"""The detector ``lingua``: statistics by lingua, and Japanese told from Chinese by the characters they share.

Only what is counted in ``han.py`` divides what lingua gave Japanese and Chinese together; every other language is
scored by lingua alone.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from indx_core.contracts.annotation import LanguageScore
from indx_core.contracts.errors import SettingsInvalid
from indx_core.engines.language_lingua.han import Evidence, evidence
from indx_core.engines.language_lingua.settings import ALL, LanguageSettings
from indx_core.kit.excerpt import excerpt

_LEAST_CHARACTERS = 20
"""A statistical detector scores a handful of characters confidently and wrongly."""
_SCORED_CHARACTERS = 20_000
"""lingua's time grows with the text, 1.2 ms per 1,000 characters; its answer does not change after a few pages."""
_JA, _ZH = "ja", "zh"
_LINGUA = (
    "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gu he hi hr hu hy id is it ja ka kk ko la lg lt "
    "lv mi mk mn mr ms nb nl nn pa pl pt ro ru sk sl sn so sq sr st sv sw ta te th tl tn tr ts uk ur vi xh yo zh zu"
)
"""The seventy-five of lingua; asking lingua itself would load it where lanes are listed."""


class LinguaDetector:
    """Languages of texts, by the candidates the deployment names.

    The texts of one call are taken for pages of one document: a page of kanji that could be either language leans
    towards what the others are written in.
    """

    id = "lingua"
    distribution = "indx-language-lingua"

    @property
    def languages(self) -> tuple[str, ...]:
        try:
            candidates = LanguageSettings.load().candidates
        except SettingsInvalid:  # ``detect`` raises it; left out over it, pages would have no language without a word
            return ()
        return tuple(_LINGUA.split()) if candidates == (ALL,) else candidates

    def detect(self, texts: Sequence[str]) -> list[tuple[LanguageScore, ...]]:
        settings = LanguageSettings.load()
        detector = _detector(settings.candidates, settings.low_accuracy)
        counted = [evidence(text) for text in texts]
        whole = sum(counted, Evidence(0, 0))
        return [
            _answer(_scores(detector, text), own, whole, settings.minimum_confidence)
            if len(text.strip()) >= _LEAST_CHARACTERS
            else ()
            for text, own in zip(texts, counted, strict=True)
        ]


def _answer(
    scores: dict[str, float], own: Evidence, whole: Evidence, minimum_confidence: float
) -> tuple[LanguageScore, ...]:
    if _JA in scores and _ZH in scores:
        both = scores[_JA] + scores[_ZH]
        share = _japanese_share(own, whole)
        scores = {**scores, _JA: both * share, _ZH: both * (1 - share)}
    # Rounded: the last bits of lingua's sums differ between identical calls, and outputs are compared byte by byte.
    rounded = ((language, round(min(value, 1.0), 6)) for language, value in scores.items())
    ranked = sorted(rounded, key=lambda score: (-score[1], score[0]))
    return tuple(
        LanguageScore(language=language, confidence=value)
        for language, value in ranked
        if value and value >= minimum_confidence
    )


def _japanese_share(own: Evidence, whole: Evidence) -> float:
    """How much of the evidence is for Japanese, 0-1, with the document's own share counted as one more character.

    So a page that shows nothing either way is given what its document shows, or one half where that shows nothing
    either; one telling character in a document makes 0.875, and a line of kana makes it certain.
    """
    document = (whole.japanese + 0.5) / (whole.japanese + whole.chinese + 1)
    return (own.japanese + document) / (own.japanese + own.chinese + 1)


def _scores(detector: Any, text: str) -> dict[str, float]:
    values = detector.compute_language_confidence_values(excerpt(text.strip(), _SCORED_CHARACTERS))
    return {value.language.iso_code_639_1.name.lower(): value.value for value in values}


@lru_cache(maxsize=1)
def _detector(candidates: tuple[str, ...], low_accuracy: bool) -> Any:
    """The statistics of this process, loaded on first use."""
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    if candidates == (ALL,):
        builder = LanguageDetectorBuilder.from_all_languages()
    else:
        unknown = [code for code in candidates if not hasattr(IsoCode639_1, code.upper())]
        if unknown:
            variable = LanguageSettings.variable("candidates")
            raise SettingsInvalid(f"{variable}: lingua does not know {', '.join(unknown)}")
        codes = [getattr(IsoCode639_1, code.upper()) for code in candidates]
        builder = LanguageDetectorBuilder.from_iso_codes_639_1(*codes)
    return (builder.with_low_accuracy_mode() if low_accuracy else builder).build()
