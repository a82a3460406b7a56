"""Where a model computes: on this machine or at a vendor's. ``data_residency`` rests on the answer.

Decided without LiteLLM and without the network, from the name of the model and the address it will be called at. The
address that was judged is the one that is called: it is handed to LiteLLM, which then looks for none of its own.
"""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from indx_core.contracts.capability import Device
from indx_core.kit.llm.library import vendor_variable


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one model is called.

    Attributes:
        base: Address of its server; ``None`` where LiteLLM knows the vendor's.
        device: ``gpu`` where the address is a loopback one, else ``external``.
    """

    base: str | None
    device: Device

    @property
    def local(self) -> bool:
        """Whether text sent there stays on this machine, and costs nothing."""
        return self.device is Device.GPU

    @property
    def host(self) -> str:
        """Host of the address; ``""`` where LiteLLM knows the vendor's."""
        return _host(self.base or "")


@dataclass(frozen=True, slots=True)
class _Server:
    """A kind of model server that people run themselves: the variables LiteLLM reads its address from, in order."""

    variables: tuple[str, ...]
    default: str | None = None


_OLLAMA = _Server(("OLLAMA_API_BASE",), "http://localhost:11434")
_SERVERS = {
    "ollama": _OLLAMA,
    "ollama_chat": _OLLAMA,
    "llamafile": _Server(("LLAMAFILE_API_BASE",), "http://127.0.0.1:8080/v1"),
    "lemonade": _Server(("LEMONADE_API_BASE",), "http://localhost:8000/api/v1"),
    "docker_model_runner": _Server(("DOCKER_MODEL_RUNNER_API_BASE",), "http://localhost:22088/engines/llama.cpp"),
    "xinference": _Server(("XINFERENCE_API_BASE",), "http://127.0.0.1:9997/v1"),
    "lm_studio": _Server(("LM_STUDIO_API_BASE",)),
    "hosted_vllm": _Server(("HOSTED_VLLM_API_BASE",)),
    "openai_like": _Server(("OPENAI_LIKE_API_BASE",)),
    "litellm_proxy": _Server(("LITELLM_PROXY_API_BASE",)),
    "openai": _Server(("OPENAI_BASE_URL", "OPENAI_API_BASE")),
}
"""By the first part of a model's name, from LiteLLM 1.110. Every other provider is a vendor: external, unless its
address is set here. A server of this list that a variable moves to another host is external too."""


def endpoint(model: str, api_base: str | None = None) -> Endpoint:
    """Where a model is called.

    Args:
        model: LiteLLM name, ``<provider>/<name>``.
        api_base: The lane's own setting; wins over the provider's variable, which wins over its default.
    """
    provider, separator, _name = model.partition("/")
    server = _SERVERS.get(provider) if separator else None
    base = api_base or (_address(server) if server else None)
    return Endpoint(base, Device.GPU if base and is_loopback(base) else Device.EXTERNAL)


def is_loopback(address: str) -> bool:
    """Whether a URL names this machine: ``localhost`` or an address of 127.0.0.0/8 or ::1. Nothing is resolved."""
    host = _host(address)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _address(server: _Server) -> str | None:
    found = (vendor_variable(name) for name in server.variables)
    return next((address for address in found if address), server.default)
