"""From an open document to its plan: the half that planning alone and reading without a plan have in common."""

from indx_core.app.installation import Installation
from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import Component, PlanRequest, RoutePlan
from indx_core.kit.intake import AcquiredDocument, observe_document
from indx_core.planning.decide import decide
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import NOTHING_DETECTED, detect
from indx_core.ports.document import OpenDocument


def planned(
    document: OpenDocument, acquired: AcquiredDocument, request: PlanRequest, installation: Installation
) -> tuple[Observation, RoutePlan]:
    """What the document is, and its plan; with signatures where the request asks for them."""
    observation = observe_document(acquired, document, installation.registry)
    found = NOTHING_DETECTED
    if request.signature_detection:
        found = detect(installation.registry.signatures, document, observation)
    parts = RequestParts.of(request)
    return observation, decide(observation, installation.snapshot, parts, installation.economics, found)


def plan_components(observation: Observation) -> tuple[Component, ...]:
    """Who took part in planning, for the result to name."""
    named = (("loader", observation.loader), ("sniffer", observation.sniffer), ("observer", observation.observer))
    return tuple(Component(role=role, distribution=who) for role, who in named if who)
