"""Entities: precision and recall of each free lane on the labelled cases, per label, each beside an outside baseline.

Usage: ``python benchmarks/bench_entities.py [--misses]``. Reads ``benchmarks/cases/entities`` (see its README for the
labels and their provenance). A find counts when label and both offsets are exactly those of the case; ``overlap``
counts it when the label is right and the spans share a character. ``normalised`` is the share of exact finds of labels
with a normal form whose form is the labelled one too.

Baselines, which share no code with the lanes:

- for ``patterns``: one plain regular expression a label, as they circulate;
- for both, on the Japanese cases: GiNZA (``ja_ginza``), a neural model with its own idea of where a name ends; left out
  where it is not installed;
- for ``vibrato``: the dictionary's tags taken one by one, touching family and given names merged and nothing else,
  which is what the lane was before compounds were put together.
"""

import argparse
import importlib.util
import json
import re
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).parent / "cases" / "entities"
MARK = re.compile(r"⟦([a-z_]+)\|([^|⟧]*)(?:\|([^⟧]*))?⟧")


class Entity(NamedTuple):
    label: str
    start: int
    end: int
    normalized: str | None = None


class Case(NamedTuple):
    id: str
    held: bool
    text: str
    entities: list[Entity]


Lane = Callable[[str], list[Entity]]


def load() -> list[Case]:
    lines = [line for file in sorted(CASES.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    return [parse(json.loads(line)) for line in lines]


def parse(case: dict[str, str]) -> Case:
    text, entities, at = "", [], 0
    for mark in MARK.finditer(case["text"]):
        text += case["text"][at : mark.start()]
        entities.append(Entity(mark[1], len(text), len(text) + len(mark[2]), mark[3]))
        text += mark[2]
        at = mark.end()
    return Case(case["id"], case["set"] == "held", text + case["text"][at:], entities)


# -- lanes and baselines ----------------------------------------------------------------------------------------------


def patterns(text: str) -> list[Entity]:
    from indx_core.engines.ner_patterns.extractor import PatternsExtractor

    return [Entity(s.label, s.start, s.end, s.normalized) for s in PatternsExtractor().extract([text])[0].spans]


def plain_regexes(text: str) -> list[Entity]:
    plain = {
        "email": r"[\w.+-]+@[\w-]+\.[\w.-]+",
        "registration_number": r"T\d{13}",
        "invoice_number": r"INV-[\w-]+",
        "date": r"\d{4}[-/年]\d{1,2}[-/月]\d{1,2}日?|\d{1,2}/\d{1,2}/\d{2,4}|(?:令和|平成|昭和)\d+年\d+月\d+日"
        r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}, \d{4}",
        "money": r"[¥￥$€£]\s?[\d,.]+\d|[\d,]+円",
        "postal_code": r"〒?\d{3}-\d{4}",
        "phone": r"\(?0\d{1,4}\)?-\d{1,4}-\d{3,4}|\+\d[\d -]+\d|\(\d{3}\) \d{3}-\d{4}",
    }
    return [Entity(label, *match.span()) for label, pattern in plain.items() for match in re.finditer(pattern, text)]


def vibrato(text: str) -> list[Entity]:
    from indx_core.engines.ner_vibrato.extractor import VibratoExtractor

    return [Entity(s.label, s.start, s.end) for s in VibratoExtractor().extract([text])[0].spans]


def bare_tags(text: str) -> list[Entity]:
    import fugashi
    import ipadic

    labels = {"人名": "person", "組織": "organization", "地域": "location"}
    found: list[Entity] = []
    end, before = 0, ("", "")
    for node in fugashi.GenericTagger(ipadic.MECAB_ARGS)(text):
        start = text.index(node.surface, end)
        tags = node.feature_raw.split(",")
        if tags[1] == "固有名詞" and tags[2] in labels:
            label = labels[tags[2]]
            if before == ("人名", "姓") and tags[2:4] == ["人名", "名"] and start == end:
                found[-1] = Entity(label, found[-1].start, start + len(node.surface))
            else:
                found.append(Entity(label, start, start + len(node.surface)))
        before = (tags[2], tags[3]) if tags[1] == "固有名詞" else ("", "")
        end = start + len(node.surface)
    return found


@cache
def ginza_model() -> Any:
    import spacy

    return spacy.load("ja_ginza")


def ginza(text: str) -> list[Entity]:
    from ginza import ENE_ONTONOTES_MAPPING

    labels = {
        "PERSON": "person",
        "ORG": "organization",
        "GPE": "location",
        "LOC": "location",
        "FAC": "location",
        "DATE": "date",
        "MONEY": "money",
    }
    organizations = {"School", "Public_Institution", "Government", "Company"}  # FAC in that mapping, ours by the README
    found = []
    for entity in ginza_model()(text).ents:
        coarse = "ORG" if entity.label_ in organizations else ENE_ONTONOTES_MAPPING.get(entity.label_, "")
        if coarse in labels:
            found.append(Entity(labels[coarse], entity.start_char, entity.end_char))
    return found


PATTERN_LABELS = ("email", "registration_number", "invoice_number", "date", "money", "postal_code", "phone")
NAME_LABELS = ("person", "organization", "location")
LANES: list[tuple[str, Lane, tuple[str, ...], str]] = [
    ("patterns", patterns, PATTERN_LABELS, ""),
    ("plain regexes", plain_regexes, PATTERN_LABELS, ""),
    ("vibrato", vibrato, NAME_LABELS, "ja-"),
    ("bare IPADIC tags", bare_tags, NAME_LABELS, "ja-"),
]
if importlib.util.find_spec("ja_ginza") is not None:
    LANES += [
        ("patterns, ja", patterns, ("date", "money"), "ja-"),
        ("GiNZA", ginza, ("date", "money"), "ja-"),
        ("GiNZA", ginza, NAME_LABELS, "ja-"),
    ]


# -- scores -----------------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    wanted: int
    given: int
    exact: int
    overlap: int
    normal_wanted: int
    normal_right: int

    def line(self, name: str) -> str:
        def share(part: int, whole: int) -> str:
            return f"{part / whole:.2f}" if whole else "   -"

        precision, recall = share(self.exact, self.given), share(self.exact, self.wanted)
        f1 = share(2 * self.exact, self.given + self.wanted)
        return (
            f"{name:<22}{self.wanted:>5}{self.given:>6}  {precision:>5} {recall:>5} {f1:>5}"
            f"   {share(self.overlap, self.wanted):>5}   {share(self.normal_right, self.normal_wanted):>5}"
        )


def score(cases: Iterable[Case], lane: Lane, labels: tuple[str, ...]) -> Score:
    totals = [0] * 6
    for case in cases:
        wanted = [entity for entity in case.entities if entity.label in labels]
        given = [entity for entity in lane(case.text) if entity.label in labels]
        by_place = {entity[:3]: entity for entity in given}
        exact = [(entity, by_place[entity[:3]]) for entity in wanted if entity[:3] in by_place]
        overlap = sum(
            any(one.label == other.label and one.start < other.end and other.start < one.end for other in given)
            for one in wanted
        )
        normal = [(one.normalized, other.normalized) for one, other in exact if one.normalized is not None]
        counts = (len(wanted), len(given), len(exact), overlap, len(normal), sum(a == b for a, b in normal))
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
    return Score(*totals)


def show_misses(cases: Iterable[Case], lane: Lane, labels: tuple[str, ...]) -> None:
    for case in cases:
        wanted = {entity[:3] for entity in case.entities if entity.label in labels}
        given = {entity[:3] for entity in lane(case.text) if entity.label in labels}
        for label, start, end in sorted(wanted ^ given, key=lambda entity: entity[1:]):
            sign = "-" if (label, start, end) in wanted else "+"
            print(f"      {case.id:<14} {sign} {label:<14} {case.text[start:end]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--misses", action="store_true", help="list every miss (-) and false find (+) of the tune set")
    arguments = parser.parse_args()
    cases = load()
    print("exact span and label                 P     R    F1   overlap R  normalised")
    for name, lane, labels, prefix in LANES:
        chosen = [case for case in cases if case.id.startswith(prefix)]
        for title, subset in (("tune", [c for c in chosen if not c.held]), ("held", [c for c in chosen if c.held])):
            print(score(subset, lane, labels).line(f"{name}, {title}"))
        for label in labels:
            print(score(chosen, lane, (label,)).line(f"    {label}"))
        text = "\n".join(case.text for case in chosen) * (2 if lane is ginza else 40)
        lane(text)  # opens the dictionary
        before = time.process_time()
        lane(text)
        print(f"    {len(text) / (time.process_time() - before) / 1000:,.0f} thousand characters per CPU-second")
        if arguments.misses:
            show_misses([case for case in chosen if not case.held], lane, labels)


if __name__ == "__main__":
    main()
