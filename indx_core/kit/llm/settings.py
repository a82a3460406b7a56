"""Fields that the settings of every model lane share. Bases only: each lane subclasses them under its own prefix."""

from pydantic import Field, SecretStr

from indx_core.kit.settings import IndxSettings


class ModelConnection(IndxSettings):
    """How a lane reaches its model. Operational: nothing here belongs to the version of an output."""

    api_key: SecretStr | None = Field(
        default=None,
        description="Credential of the vendor. Unset, the vendor's own variable is used (`OPENAI_API_KEY`, …). One key "
        "serves every model of this lane, so leave it unset where they are of several vendors.",
    )
    api_base: str | None = Field(
        default=None,
        description="Address of the model server, `http://…` or `https://…`, in the place of the vendor's own. A model "
        "on a loopback address is local, every other one external.",
    )
    timeout_seconds: float = Field(default=60, gt=0, description="Wall clock of one request.")
    retries: int = Field(
        default=1,
        ge=0,
        le=10,
        description="Further requests after one that was throttled, timed out or met a failing server.",
    )


class ModelChoice(IndxSettings):
    """Which models a lane may use."""

    model: str | None = Field(
        default=None, description="LiteLLM name of the model, such as `ollama/llama3.2` or `anthropic/claude-sonnet-5`."
    )
    models: tuple[str, ...] = Field(
        default=(),
        description="Further models that a request may choose, comma separated; each is advertised under the lane's "
        "id, a colon and the model's name.",
    )

    def by_id(self, lane: str) -> dict[str, str]:
        """Model name by the id it is advertised under: the lane's own for ``model``, ``<lane>:<name>`` for the others.

        >>> ModelChoice(model="ollama/a", models=("openai/b",)).by_id("llm")
        {'llm': 'ollama/a', 'llm:openai/b': 'openai/b'}
        """
        first = {lane: self.model} if self.model else {}
        return first | {f"{lane}:{name}": name for name in self.models}
