"""Asking installed signatures, and what their matches nominate.

A nominee leads the route of the scopes it was recognised on and the ladder stays behind it, so that a wrong signature
costs one cheap attempt and never the document. Belongs here: running ``detect`` of third-party code without letting it
take a plan down, and the rule who may lead. Recognising anything is the signatures' own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, CapabilitySnapshot
from indx_core.contracts.errors import IndxError, RequestTimeout
from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import DecisionReason, SignatureMatch
from indx_core.planning.scopes import DOCUMENT, describe, listed, page_of
from indx_core.ports.document import OpenDocument
from indx_core.ports.signature import Signature

_CONFIDENCE_DIGITS = 4
"""A share of a handful of signals; more digits would be float noise in ``plan_id``."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What the signatures said. The default is what a plan without detection is decided with.

    Attributes:
        matches: Document-scoped first, then by page; within a scope in the order they lead.
        reasons: Signatures that were left out, and why.
    """

    matches: tuple[SignatureMatch, ...] = ()
    reasons: tuple[DecisionReason, ...] = ()


NOTHING_DETECTED = Detection()


def detect(signatures: Iterable[Signature], document: OpenDocument, observation: Observation) -> Detection:
    """Ask every signature that looks at this media type. Call it only for a request that turned detection on.

    Not pure: it runs installed plugins over the document's bytes. One that raises, or answers with a page that is not
    there, is left out with a reason, and the plan goes on without it.

    Args:
        signatures: In registry order.
        document: The open source; what a signature opens stays open for the reader.
        observation: Of the same bytes.

    Raises:
        RequestTimeout: The deadline passed inside a signature; it stops the work and never changes a route.
    """
    matches: list[SignatureMatch] = []
    reasons: list[DecisionReason] = []
    for signature in signatures:
        if signature.media_types and observation.media_type not in signature.media_types:
            continue
        try:
            matches += [_checked(match, len(observation.pages)) for match in signature.detect(document, observation)]
        except RequestTimeout:
            raise
        except Exception as error:  # noqa: BLE001 - a broken signature is left out and reported, never fatal
            said = error.message if isinstance(error, IndxError | _InvalidMatch) else type(error).__name__
            reasons.append(_reason("signature_failed", f"signature {signature.name} is left out: {said}"))
    return Detection(tuple(sorted(matches, key=_leading_order)), tuple(reasons))


def nominees(
    matches: Iterable[SignatureMatch], snapshot: CapabilitySnapshot, media_type: str, page_count: int
) -> tuple[Mapping[str, tuple[CapabilityDescriptor, ...]], list[DecisionReason]]:
    """Who leads which scope, and a reason for every nomination, followed or not.

    A nominee that is missing, cannot run or does not read the type changes no route; its match stays reported, since
    the caller is entitled to know that the document was recognised.

    Returns:
        Leaders by scope in the order of ``matches``, and one reason per signature and nominee.
    """
    leaders: dict[str, list[CapabilityDescriptor]] = {}
    scopes: dict[tuple[str, str], list[str]] = {}
    for match in matches:
        scopes.setdefault((match.signature, match.nominated_capability_id), []).append(match.scope)
        nominee = snapshot.capability(match.nominated_capability_id)
        if nominee is None or _obstacle(nominee, media_type) is not None:
            continue
        leading = leaders.setdefault(match.scope, [])
        if nominee not in leading:
            leading.append(nominee)
    reasons = [
        _nomination(signature, name, snapshot.capability(name), where, media_type, page_count)
        for (signature, name), where in scopes.items()
    ]
    return {scope: tuple(leading) for scope, leading in leaders.items()}, reasons


class _InvalidMatch(Exception):
    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _checked(match: SignatureMatch, page_count: int) -> SignatureMatch:
    page = page_of(match.scope)
    if match.scope != DOCUMENT and (page is None or not 1 <= page <= page_count):
        raise _InvalidMatch(f"it recognised {match.scope} in a document of {page_count} pages")
    if not 0 <= match.confidence <= 1:
        raise _InvalidMatch("it answered with a confidence outside 0-1")
    return match.model_copy(update={"confidence": round(match.confidence, _CONFIDENCE_DIGITS)})


def _leading_order(match: SignatureMatch) -> tuple[int, float]:
    """Sorting is stable: equally confident signatures stay in registry order."""
    return page_of(match.scope) or 0, -match.confidence


def _obstacle(nominee: CapabilityDescriptor, media_type: str) -> tuple[str, str] | None:
    """Code and words for why an installed nominee cannot lead; ``None`` when it can."""
    if nominee.kind is CapabilityKind.MANUAL:
        return "nominee_not_a_reader", "which reads nothing"
    if not nominee.reads(media_type):
        return "nominee_not_a_reader", f"which does not read {media_type}"
    if not nominee.available:
        return "nominee_unavailable", f"which cannot run here: {nominee.unavailable_reason}"
    return None


def _nomination(
    signature: str,
    name: str,
    nominee: CapabilityDescriptor | None,
    scopes: list[str],
    media_type: str,
    page_count: int,
) -> DecisionReason:
    pages = [page for page in map(page_of, scopes) if page is not None]
    where = [*([DOCUMENT] if DOCUMENT in scopes else []), *([describe(pages, page_count)] if pages else [])]
    recognised = f"signature {signature} recognised {listed(dict.fromkeys(where))} and nominates {name}"
    if nominee is None:
        return _reason("nominee_missing", f"{recognised}, which is not installed; the route is unchanged")
    obstacle = _obstacle(nominee, media_type)
    if obstacle is not None:
        return _reason(obstacle[0], f"{recognised}, {obstacle[1]}; the route is unchanged")
    return _reason("signature_nominated", f"{recognised}, which leads with the ladder behind it")


def _reason(code: str, message: str) -> DecisionReason:
    return DecisionReason(scope=DOCUMENT, code=code, message=message)
