"""A working inference model of a few kilobytes: a hypothesis is entailed as far as its characters occur in the premise.

It has the files, inputs and outputs of a real one (pair encoding, three classes), so that the lane's own code runs:
finding files, tokenizing pairs, cutting the premise, batching, reading the right columns. Of the quality of trained
weights it says nothing.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
CLASSES = ("contradiction", "neutral", "entailment")


def tiny_nli(folder: Path, characters: str, classes: tuple[str, ...] = CLASSES) -> Path:
    """Write the model into a folder.

    Args:
        folder: Where; ``model.onnx``, ``tokenizer.json`` and ``config.json`` are written.
        characters: The alphabet, one token each.
        classes: Names and order of the output's columns.
    """
    vocabulary = [*SPECIAL, *dict.fromkeys(characters)]
    _tokenizer(vocabulary).save(str(folder / "tokenizer.json"))
    names = {str(index): name for index, name in enumerate(classes)}
    (folder / "config.json").write_text(json.dumps({"id2label": names, "pad_token_id": 0}))
    onnx.save(_network(len(vocabulary), classes), folder / "model.onnx")
    return folder


def _tokenizer(vocabulary: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({token: index for index, token in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Split(Regex(r"."), "isolated")
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    return tokenizer


def _network(size: int, classes: tuple[str, ...]) -> onnx.ModelProto:
    """Share of the hypothesis' tokens that occur in the premise, as logits 10 x (share - 1/2) for and against."""
    weights = {"entailment": 10.0, "contradiction": -10.0, "neutral": 0.0}
    ordinary = np.ones(size, dtype=np.float32)
    ordinary[: len(SPECIAL) - 1] = 0
    constants = {
        "depth": np.array(size, dtype=np.int64),
        "values": np.array([0, 1], dtype=np.float32),
        "ordinary": ordinary,
        "one": np.array(1, dtype=np.float32),
        "half": np.array(0.5, dtype=np.float32),
        "last": np.array([2], dtype=np.int64),
        "tokens": np.array([1], dtype=np.int64),
        "both": np.array([1, 2], dtype=np.int64),
        "scale": np.array([[weights.get(name, 0.0) for name in classes]], dtype=np.float32),
    }
    nodes = [
        helper.make_node("OneHot", ["input_ids", "depth", "values"], ["hot"], axis=-1),
        helper.make_node("Mul", ["hot", "ordinary"], ["words"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "second"], ["first"]),
        helper.make_node("Unsqueeze", ["first", "last"], ["in_premise"]),
        helper.make_node("Unsqueeze", ["second", "last"], ["in_hypothesis"]),
        helper.make_node("Mul", ["words", "in_premise"], ["premise_words"]),
        helper.make_node("Mul", ["words", "in_hypothesis"], ["hypothesis_words"]),
        helper.make_node("ReduceMax", ["premise_words", "tokens"], ["seen"], keepdims=1),
        helper.make_node("Mul", ["hypothesis_words", "seen"], ["found"]),
        helper.make_node("ReduceSum", ["found", "both"], ["found_count"], keepdims=0),
        helper.make_node("ReduceSum", ["hypothesis_words", "both"], ["count"], keepdims=0),
        helper.make_node("Div", ["found_count", "count"], ["share"]),
        helper.make_node("Sub", ["share", "half"], ["centred"]),
        helper.make_node("Unsqueeze", ["centred", "tokens"], ["column"]),
        helper.make_node("Mul", ["column", "scale"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "nli",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "token_type_ids")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(classes)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
