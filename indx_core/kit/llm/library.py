"""The one door to LiteLLM and to the variables of the vendors, which are the vendors' and not INDX_* settings.

Importing LiteLLM costs seconds of processor time and 200 MB, so it happens on the first call of a worker, never when
lanes are listed. Nothing here sends anything.
"""

import importlib.util
import os
from functools import lru_cache
from typing import Any

_BEFORE_IMPORT = {
    # Without it, importing LiteLLM fetches a price list from the network: three attempts, seven seconds without one.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # In its default mode, importing LiteLLM reads a .env file of the working directory into this process.
    "LITELLM_MODE": "PRODUCTION",
    # Its handlers write warnings to the streams of whoever imports it.
    "LITELLM_LOG": "CRITICAL",
}


def missing() -> str | None:
    """The package to install before a model can be called, or ``None``."""
    return None if importlib.util.find_spec("litellm") else "litellm"


def unavailable() -> str | None:
    """Why no lane can reach a model here, and what to do; ``None`` where they can."""
    package = missing()
    return f"install the 'llm' extra; missing: {package}" if package else None


@lru_cache(maxsize=1)
def litellm() -> Any:
    """The LiteLLM module, imported on first use without touching the network."""
    for name, value in _BEFORE_IMPORT.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - LiteLLM can be told no other way, and only before import
    import litellm as module

    module.suppress_debug_info = True
    return module


def vendor_variable(name: str) -> str | None:
    """A variable that LiteLLM itself would read, such as ``OLLAMA_API_BASE``; blank means unset."""
    return (os.environ.get(name) or "").strip() or None  # noqa: TID251 - the vendor's variable, see the module's text


def keep_off_proxies(host: str) -> None:
    """Have this process reach a host directly, whatever proxy its environment names.

    The vendors' clients send requests to loopback addresses through ``HTTP_PROXY`` as well: what was promised to stay
    on this machine would leave it.
    """
    current = vendor_variable("no_proxy") or vendor_variable("NO_PROXY") or ""
    listed = [part.strip() for part in current.split(",") if part.strip()]
    if host not in listed:
        direct = ",".join([*listed, host])
        # Both: clients read either, and one that was set alone would hide the other.
        os.environ.update({"no_proxy": direct, "NO_PROXY": direct})  # noqa: TID251 - clients can be told no other way
