"""Summaries and quotes on a terminal: a table for the numbers, what stands out, one line for what happened."""

from typing import Any

from rich.table import Table
from rich.text import Text

from indx_core.app.cli.output import console as standard_output
from indx_core.app.cli.output import counted
from indx_dagster.summary import Tally, joined

SHOWN = 20
"""Refusals that a terminal shows; the others are counted."""


def print_summary(state: dict[str, Any], tally: Tally, seconds: float) -> None:
    """Print what the corpora hold and what this command did."""
    console = standard_output()
    table = Table(show_header=False, box=None, padding=(0, 2))
    pages = state["pages"]
    rate = sum(tally.pages.values()) / seconds if seconds and tally.pages else 0.0
    for name, value in (
        ("documents", f"{state['documents']:,}"),
        ("pages", joined(pages.items())),
        ("chunks", f"{state['chunks']:,}"),
        ("vectors", joined(state["vectors"].items())),
        ("refused", f"{len(state['refusals']):,}"),
        ("pages per second", f"{rate:,.1f}" if rate else "–"),
        ("cost", f"${tally.cost_usd:g}" + ("" if tally.cost_known else " and what nobody states a price for")),
    ):
        table.add_row(Text(name, style="bold"), Text(value))
    console.print(table)
    for refusal in state["refusals"][:SHOWN]:
        console.print(Text.assemble((refusal["document"], "bold"), f"  {refusal['code']}"), soft_wrap=True)
        console.print(Text(f"  {refusal['message']}\n  → {refusal['remedy']}"), soft_wrap=True)
    if len(state["refusals"]) > SHOWN:
        console.print(f'and {len(state["refusals"]) - SHOWN:,} more: indx sql "FROM refusals"', highlight=False)
    for key in tally.gone[:SHOWN]:
        console.print(Text.assemble((key, "bold"), "  retired: gone from its corpus"), soft_wrap=True)
    if len(tally.gone) > SHOWN:
        console.print(f'and {len(tally.gone) - SHOWN:,} more: indx sql "FROM tombstones"', highlight=False)
    if tally.serving:
        noun = "retired document serves" if tally.serving == 1 else "retired documents serve"
        console.print(f"{tally.serving:,} {noun} on: a document of the same length waits to be read", highlight=False)
    if tally.documents:
        refused = f", {tally.refusals.total():,} of them refused" if tally.refusals else ""
        done = f"{counted(tally.documents, 'document')} processed in {seconds:.1f} s{refused}"
        console.print(done, highlight=False, soft_wrap=True)
    elif not tally.gone:
        console.print("everything is up to date")


def print_quote(quote: dict[str, Any], documents: list[dict[str, Any]], budget_usd: float | None) -> None:
    """Print what would run, why, and at what price; ``documents`` are listed one a line."""
    console = standard_output()
    if not quote["documents"]:
        console.print("everything is up to date")
        return
    for row in documents:
        stages = " → ".join(row["stages"])
        line = f"{row['document']}  {', '.join(row['reasons'])}: {stages}  ${row['expected_usd']:g}"
        console.print(Text(line), soft_wrap=True)
    if documents and len(documents) < quote["documents"]:
        console.print(f"and {quote['documents'] - len(documents):,} more: --json has them all", highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2))
    unknown = quote["unknown_prices"]
    without = f", without {', '.join(unknown)}, whose price is unknown" if unknown else ""
    people = f", of which ${quote['people_usd']:g} is people's work" if quote["people_usd"] else ""
    aside = ", people's work aside" if people else ""
    for name, value in (
        ("would run", f"{counted(quote['documents'], 'document')}, {quote['bytes']:,} bytes"),
        ("because", joined(quote["reasons"].items())),
        ("stages", joined(quote["stages"].items())),
        ("would be refused", f"{len(quote['refused']):,}"),
        ("expected cost", f"${quote['expected_usd']:g}{people}{without}"),
        ("at most", f"${quote['at_most_usd']:g}, should every first choice fail{aside}{without}"),
        ("budget", "none" if budget_usd is None else f"${budget_usd:g}"),
    ):
        table.add_row(Text(name, style="bold"), Text(value))
    console.print(table)
    if quote["engines"]:
        engines = Table("engine", "vendor", "pages", "price", "expected", box=None, padding=(0, 2), header_style="bold")
        for row in quote["engines"]:
            amount = "unknown" if row["expected_usd"] is None else f"${row['expected_usd']:g}"
            cells = (row["engine"], row["vendor"] or "here", f"{row['pages']:,}", row["price"], amount)
            engines.add_row(*(Text(cell) for cell in cells))
        console.print(engines)
