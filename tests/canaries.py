"""Secrets that are planted everywhere one can be configured, to be looked for in everything that is written."""

from pydantic import SecretStr

from indx_core.kit.settings import all_settings

CANARY = "canary-7f3a9c51"
REFUSING = "http://127.0.0.1:1/v1"
"""Where vendors are said to be: nothing listens there, so that every call fails and its error is written."""


def planted() -> dict[str, str]:
    """``INDX_*`` variables: a canary in every secret setting, and every model named, at an address that refuses."""
    variables = {"INDX_LOADER_S3_ACCESS_KEY_ID": "AKIA"}
    for cls in all_settings():
        for name, info in cls.variables().items():
            if SecretStr in getattr(info.annotation, "__args__", (info.annotation,)):
                variables[name] = f"{CANARY}-{name}"
            elif name.endswith("_API_BASE"):
                variables[name] = REFUSING
            elif name.endswith("_MODEL") and ("LLM" in name or name in ("INDX_VLM_MODEL", "INDX_EMBED_MODEL")):
                variables[name] = "openai/one"
            elif name == "INDX_EMBED_DIMENSION":
                variables[name] = "8"
            elif name.endswith("_RETRIES"):
                variables[name] = "0"
    del variables["INDX_LOADER_AZURE_SAS_TOKEN"]  # excludes the account key
    assert sum(CANARY in value for value in variables.values()) >= 5
    return variables


def vendors() -> dict[str, str]:
    """Variables that clients of vendors read by themselves, and a proxy with a password."""
    names = (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "HF_TOKEN",
        "PGPASSWORD",
    )
    proxy = f"http://user:{CANARY}-proxy@127.0.0.1:1"
    keys = {name: f"{CANARY}-{name}" for name in names}
    return {**keys, "HTTPS_PROXY": proxy, "HTTP_PROXY": proxy, "AWS_ACCESS_KEY_ID": "AKIA"}
