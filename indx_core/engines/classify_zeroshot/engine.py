"""The one place that runs the model: pairs of a premise and hypotheses in, probabilities of entailment out.

The zero-shot pipeline of ``transformers`` written out: per label a softmax over entailment and contradiction alone, so
that labels do not compete. Only imported by the function that classifies.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np  # noqa: TID253 - see the docstring
import onnxruntime  # type: ignore[import-untyped]  # noqa: TID253 - as above
from numpy.typing import NDArray  # noqa: TID253 - as above
from tokenizers import Encoding, Tokenizer

from indx_core.contracts.errors import CapabilityUnavailable

_PAIRS_A_RUN = 8
"""Pairs padded together: memory grows with it, and a text's own answers never depend on another text."""


class Entailment:
    """A loaded model. Identical input gives identical output, whatever was read before."""

    def __init__(self, folder: Path, model_file: str, max_tokens: int) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._entailment, self._contradiction = _columns(config)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_tokens, strategy="only_first")
        self._tokenizer.enable_padding(pad_id=int(config.get("pad_token_id") or 0))
        options = onnxruntime.SessionOptions()
        # One thread: workers share the processors among themselves.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / model_file), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {node.name for node in self._session.get_inputs()}

    def probabilities(self, premise: str, hypotheses: Sequence[str]) -> list[float]:
        """Probability, 0-1, that the premise entails each hypothesis. The premise is cut to fit the window."""
        found: list[float] = []
        for start in range(0, len(hypotheses), _PAIRS_A_RUN):
            pairs = [(premise, hypothesis) for hypothesis in hypotheses[start : start + _PAIRS_A_RUN]]
            logits = self._logits(self._tokenizer.encode_batch(pairs))
            against = logits[:, self._contradiction] - logits[:, self._entailment]
            found.extend((1 / (1 + np.exp(against))).tolist())
        return found

    def _logits(self, pairs: Sequence[Encoding]) -> NDArray[np.float64]:
        """Shape (pairs, classes)."""
        feed = {
            "input_ids": [pair.ids for pair in pairs],
            "attention_mask": [pair.attention_mask for pair in pairs],
            "token_type_ids": [pair.type_ids for pair in pairs],
        }
        arrays = {name: np.asarray(rows, dtype=np.int64) for name, rows in feed.items() if name in self._inputs}
        return np.asarray(self._session.run(None, arrays)[0], dtype=np.float64)


@lru_cache(maxsize=1)
def entailment(folder: Path, model_file: str, max_tokens: int) -> Entailment:
    """The model of this process, loaded on first use.

    Raises:
        CapabilityUnavailable: The files are there and are no such model.
    """
    try:
        return Entailment(folder, model_file, max_tokens)
    except CapabilityUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - tokenizers and onnxruntime raise bare exceptions on a broken file
        raise CapabilityUnavailable(
            f"zeroshot: the model does not load ({type(error).__name__})",
            remedy="check the files of the model that INDX_CLASSIFIER_ZEROSHOT_MODEL names",
        ) from None


def _columns(config: dict[str, object]) -> tuple[int, int]:
    """Columns of entailment and of contradiction in the model's output: every publisher orders them differently."""
    labels = config.get("id2label")
    names = {str(name).lower(): int(index) for index, name in labels.items()} if isinstance(labels, dict) else {}
    try:
        return names["entailment"], names["contradiction"]
    except KeyError:
        raise CapabilityUnavailable(
            "zeroshot: the model's config.json names no entailment and contradiction: it is no inference model"
        ) from None
