"""One model as a lane reaches it: requests with our own retries, typed failures, and what was charged.

Knows no prompt and no answer; ``chat.py`` does. LiteLLM's two kinds of retries are off: by default it sends three
requests a call, and without a package of its own it turns a 500 into an untyped exception.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from indx_core.contracts.capability import Device
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable
from indx_core.kit.llm.endpoint import Endpoint, endpoint
from indx_core.kit.llm.library import keep_off_proxies, litellm, missing
from indx_core.kit.llm.settings import ModelConnection

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_NO_KEY = "none"
"""Sent to a local server that was given no key: clients insist on one, and the vendor's own stays at home."""

_REASONS = {
    400: "refused the request",
    401: "refused the credentials",
    403: "refused the credentials",
    404: "does not know the model",
    408: "did not answer in time",
    422: "refused the request",
    429: "is throttling requests",
}


@dataclass(frozen=True, slots=True)
class Connection:
    """A model, where it is, and how patiently it is asked.

    Attributes:
        lane: Id of the lane, which messages start with.
        model: LiteLLM name of the model.
        endpoint: Where it is called.
        api_key: The lane's own credential, if it has one.
        timeout_seconds: Wall clock of one request.
        retries: Further requests after a transient failure.
        pause: Waits between requests; a test passes its own.
    """

    lane: str
    model: str
    endpoint: Endpoint
    api_key: SecretStr | None = None
    timeout_seconds: float = 60
    retries: int = 1
    pause: Callable[[float], None] = field(default=time.sleep, compare=False)

    @classmethod
    def of(cls, lane: str, model: str, settings: ModelConnection) -> "Connection":
        """The connection that a lane's settings describe."""
        return cls(
            lane,
            model,
            endpoint(model, settings.api_base),
            settings.api_key,
            settings.timeout_seconds,
            settings.retries,
        )

    @property
    def device(self) -> Device:
        """Where the model computes."""
        return self.endpoint.device

    def send(self, function: str, **arguments: Any) -> Any:
        """Call one of LiteLLM's functions, such as ``completion`` or ``embedding``, and return its response.

        Raises:
            CapabilityUnavailable: LiteLLM is missing, or the request was refused and would be again.
            CapabilityTemporarilyUnavailable: Throttled, timed out or failing, at every attempt.
        """
        if package := missing():
            raise CapabilityUnavailable(f"{self.lane}: install the 'llm' extra; missing: {package}")
        if self.endpoint.local:
            keep_off_proxies(self.endpoint.host)
        call = getattr(litellm(), function)
        attempt = 0
        while True:
            try:
                return call(**self._common(), **arguments)
            except Exception as error:  # noqa: BLE001 - LiteLLM passes on whatever its clients raise
                failure = self._failure(error)
                if attempt == self.retries or not isinstance(failure, CapabilityTemporarilyUnavailable):
                    # `from None`: the vendor's own message may repeat a part of the key and the private address.
                    raise failure from None
                self.pause(_pause_seconds(error, attempt))
                attempt += 1

    def charged(self, response: Any) -> float | None:
        """What a response cost in USD: 0 on this machine, ``None`` where LiteLLM knows no price of the model."""
        if self.endpoint.local:
            return 0.0
        cost = getattr(response, "_hidden_params", {}).get("response_cost")
        return None if cost is None else float(cost)

    def refusal(self, reason: str, cost_usd: float | None) -> CapabilityUnavailable:
        """The error of an answer that came and cannot be used; what it cost stands in ``details["cost_usd"]``."""
        return CapabilityUnavailable(f"{self._who} {reason}", details={"cost_usd": cost_usd})

    @property
    def _who(self) -> str:
        return f"{self.lane}: the model {self.model}"

    def _common(self) -> dict[str, Any]:
        key = self.api_key.get_secret_value() if self.api_key else (_NO_KEY if self.endpoint.local else None)
        return {
            "model": self.model,
            "api_base": self.endpoint.base,
            "api_key": key,
            "timeout": self.timeout_seconds,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": True,  # a model without a temperature of its own is asked without one
        }

    def _failure(self, error: Exception) -> CapabilityUnavailable:
        """A typed error that says what kind of failure it was, and nothing of the vendor's wording."""
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            return CapabilityUnavailable(f"{self._who} could not be asked ({type(error).__name__})")
        failing = status >= 500
        reason = _REASONS.get(status, "is failing or out of reach" if failing else "refused the request")
        message = f"{self._who} {reason} (status {status})"
        if failing or status in {408, 409, 425, 429}:
            return CapabilityTemporarilyUnavailable(message)
        return CapabilityUnavailable(message, remedy="check the lane's model, key and address in its INDX_* variables")


def _pause_seconds(error: Exception, attempt: int) -> float:
    """Seconds before the next attempt: what the server asked for, or twice the last pause; within bounds either way.

    The server asks in ``Retry-After`` (RFC 9110, section 10.2.3); its form as a date is not read.
    """
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:
        asked = _FIRST_PAUSE_SECONDS * 2**attempt
    return min(max(asked, 0.0), _LONGEST_PAUSE_SECONDS)
