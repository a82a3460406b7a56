"""The text of ``docs/openapi.json``: what the service serves at ``/openapi.json``, indented."""

import json

from indx_core.app.http.openapi import openapi


def page() -> str:
    """The whole document."""
    return json.dumps(openapi(), ensure_ascii=False, indent=2) + "\n"
