"""The summary on a terminal: one table for the numbers, one for the refusals, one line for what happened now."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from indx_dagster.summary import Tally, joined


def print_summary(state: dict[str, Any], tally: Tally, seconds: float) -> None:
    """Print what the corpora hold and what this command did."""
    console = Console()
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
        ("cost", f"${tally.cost_usd:g}"),
    ):
        table.add_row(Text(name, style="bold"), Text(value))
    console.print(table)
    if state["refusals"]:
        refusals = Table("document", "code", "reason", "what to do", box=None, padding=(0, 2), header_style="bold")
        for refusal in state["refusals"][:20]:
            cells = (refusal["document"], refusal["code"], refusal["message"], refusal["remedy"])
            refusals.add_row(*(Text(str(cell)) for cell in cells))
        console.print(refusals)
    if tally.documents:
        noun = "document" if tally.documents == 1 else "documents"
        console.print(f"{tally.documents:,} {noun} processed in {seconds:.1f} s", highlight=False)
    else:
        console.print("everything is up to date")
