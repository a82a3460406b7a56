"""A token-classification model: its files, its session, and the tag of each token of a window."""

import importlib.util
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_onnx.settings import NerOnnxSettings
from indx_core.engines.ner_onnx.tags import Tagged, continued
from indx_core.kit.models.files import resolve_model, unavailable

LANE = "onnx"
_PACKAGES = ("onnxruntime", "tokenizers")
_REST_OF_A_WORD = "##"  # as WordPiece marks it; SentencePiece takes a whole Japanese sentence for a word


def unusable() -> str | None:
    """Why the lane cannot run here, and what to do; ``None`` where it can."""
    if absent := [name for name in _PACKAGES if importlib.util.find_spec(name) is None]:
        return f"install the 'ner' extra; missing: {', '.join(absent)}"
    settings = NerOnnxSettings.load()
    return unavailable(settings.model, settings.variable("model"), _files(settings))


class TokenClassifier:
    """One loaded model. One window a call: a batch would move the last bits of the scores, and gain little."""

    def __init__(self, folder: Path, model_file: str) -> None:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer

        names = json.loads((folder / "config.json").read_text("utf-8"))["id2label"]
        self._tags = [names[str(index)] for index in range(len(names))]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # workers are many
        self._session = onnxruntime.InferenceSession(
            str(folder / model_file), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {node.name for node in self._session.get_inputs()}

    def encode(self, window: str) -> Any:
        """The tokens of a window, special ones included."""
        return self._tokenizer.encode(window)

    def tag(self, encoding: Any) -> list[Tagged]:
        """The likeliest tag of each token that stands for characters, with its probability.

        The rest of a word has the tag of its first piece: models are trained on that one, and half a word is no name.
        """
        import numpy as np

        ids = np.array([encoding.ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        used = {name: values for name, values in feeds.items() if name in self._inputs}
        logits = self._session.run(None, used)[0][0].astype(np.float64)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        best = shares.argmax(axis=1)
        tagged: list[Tagged] = []
        for row, (start, end) in enumerate(encoding.offsets):
            if encoding.special_tokens_mask[row] or end <= start:
                continue
            if tagged and encoding.tokens[row].startswith(_REST_OF_A_WORD):
                tagged.append(Tagged(continued(tagged[-1].tag), start, end, tagged[-1].score))
            else:
                tagged.append(Tagged(self._tags[best[row]], start, end, float(shares[row, best[row]])))
        return tagged


def load() -> TokenClassifier:
    """The model that the settings name; one per process.

    Raises:
        CapabilityUnavailable: A package or a file is missing, or the files are not those of such a model.
    """
    if (reason := unusable()) is not None:
        raise CapabilityUnavailable(f"{LANE}: {reason}")
    settings = NerOnnxSettings.load()
    return _loaded(resolve_model(LANE, settings.model, _files(settings)), settings.model_file)


def _files(settings: NerOnnxSettings) -> tuple[str, ...]:
    return (settings.model_file, "config.json", "tokenizer.json")


@lru_cache(maxsize=1)
def _loaded(folder: Path, model_file: str) -> TokenClassifier:
    try:
        return TokenClassifier(folder, model_file)
    except Exception as error:  # noqa: BLE001 - onnxruntime and tokenizers raise kinds of their own
        raise CapabilityUnavailable(
            f"{LANE}: the model's files cannot be loaded ({type(error).__name__})",
            remedy=f"check the folder that {NerOnnxSettings.variable('model')} names",
        ) from None
