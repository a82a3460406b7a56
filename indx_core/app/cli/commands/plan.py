"""``indx plan``."""

import click

from indx_core.app.cli.output import columns, counted, json_option, show
from indx_core.contracts.plan import Constraints, PlanResult


@click.command("plan")
@click.argument("source")
@click.option("--signatures", is_flag=True, help="Ask the installed parsers whether they recognise the document.")
@click.option("--space", "spaces", multiple=True, help="An embedding space the document is to be embedded in.")
@click.option(
    "--constraints", default="{}", help="Business constraints as JSON, such as '{\"maximum_cost_usd\": 0.05}'."
)
@json_option
def command(source: str, signatures: bool, spaces: tuple[str, ...], constraints: str, as_json: bool | None) -> None:
    """Decide what would happen to SOURCE (a path or URI) and at what price; nothing is read.

    Example: indx plan report.pdf
    """
    from indx_core.app.facade import plan

    result = plan(
        source,
        signature_detection=signatures,
        embedding_space_ids=spaces,
        constraints=parse_constraints(constraints),
    )
    show(result, readable, as_json=as_json)


def parse_constraints(text: str) -> Constraints:
    """Constraints out of a JSON option.

    Raises:
        RequestInvalid: It is not JSON, or a field does not validate; the message names the field.
    """
    from indx_core.app.requests import parsed_json, validated

    return validated(Constraints, parsed_json(text, "constraints"), within="constraints")


def readable(result: PlanResult) -> str:
    """Routes by scope with the first reason of each, matches, the price and the verdict."""
    plan = result.plan
    reasons: dict[str, str] = {}
    for reason in plan.reasons:
        reasons.setdefault(reason.scope, reason.message)
    routes = [
        (r.scope, f"[{', '.join(r.capability_ids)}]", reasons.get(r.scope, "")) for r in (plan.document, *plan.pages)
    ]
    estimates = plan.estimates
    lines = [
        f"{plan.media_type}  {counted(plan.page_count, 'page')}  {plan.plan_id[:19]}…",
        columns(routes),
        *(
            f"  {m.signature} on {m.scope}: {', '.join(m.evidence)} → {m.nominated_capability_id}"
            for m in plan.signatures
        ),
        f"  ${estimates.cost_usd:g}  {estimates.latency_ms} ms  quality {estimates.quality:.2f}  {plan.status.value}",
        *(f"  ✗ {line}" for line in plan.unsatisfied),
    ]
    return "\n".join(lines)
