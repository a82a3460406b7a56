"""``indx capabilities``."""

import click

from indx_core.app.cli.output import columns, json_option, show
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.kit.short_names import short_name


@click.command("capabilities")
@click.option("--snapshot", "snapshot_id", help="A snapshot this process advertised before, by its id.")
@json_option
def command(snapshot_id: str | None, as_json: bool | None) -> None:
    """Show what is installed here and what could be.

    Example: indx capabilities --json | jq .snapshot_id
    """
    from indx_core.app.facade import capabilities

    show(capabilities(snapshot_id), readable, as_json=as_json)


def readable(snapshot: CapabilitySnapshot) -> str:
    """The snapshot by section: rungs of the ladder, spaces, annotators, what resolves, what was left out."""
    parts = [f"snapshot {snapshot.snapshot_id}  policy {snapshot.policy_version}"]
    reads = [
        (
            capability.id,
            capability.kind.value,
            capability.device.value,
            (capability.unavailable_reason or "unavailable")
            if not capability.available
            else _types(capability.media_types),
        )
        for capability in snapshot.capabilities
    ]
    spaces = [
        (space.id, f"{space.dimension}-d", space.metric, ", ".join(e.embedder_id for e in space.embedders))
        for space in snapshot.embedding_spaces
    ]
    annotators = [
        (
            each.id,
            each.port,
            ", ".join(each.units),
            each.device.value if each.available else (each.unavailable_reason or "unavailable"),
        )
        for each in (*snapshot.classifiers, *snapshot.extractors, *snapshot.enrichers)
    ]
    finds = [(", ".join(snapshot.language_detectors), ", ".join(snapshot.languages))]
    resolvable = [
        ("schemes", ", ".join(snapshot.resolvable.schemes) or "none"),
        ("observes", _types(snapshot.resolvable.observable_media_types)),
        ("input limit", f"{snapshot.limits.max_input_bytes or 'none'}"),
    ]
    failures = [(failure.distribution, failure.reason) for failure in snapshot.failures]
    sections: list[tuple[str, list[tuple[str, ...]]]] = [
        ("capabilities", [*reads]),
        ("embedding spaces", [*spaces]),
        ("annotators", [*annotators]),
        ("languages", [*finds] if snapshot.language_detectors else []),
        ("sources", [*resolvable]),
        ("left out", [*failures]),
    ]
    parts += [f"{title}\n{columns(rows)}" for title, rows in sections if rows]
    return "\n\n".join(parts)


def _types(media_types: tuple[str, ...]) -> str:
    """Short names: a line of media types of Office files is some thousand characters. JSON has them in full."""
    return ", ".join(map(short_name, media_types)) or "any media type"
