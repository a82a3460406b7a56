"""Models of a few kilobytes with the inputs, outputs and files of the real ones, so that fastembed loads and runs them.

The CLIP pair is functional: the text tower looks colours up in its vocabulary and adds them, the image tower takes the
mean colour of the page. Both put red, green and blue in the first three of 512 components, so ``a red page`` is nearest to
a red page. The MiniLM one averages one component per word. They say nothing of the quality of trained weights.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

COLOURS = {"red": 0, "赤い": 0, "green": 1, "blue": 2}
WORDS = ("[PAD]", "[UNK]", "a", "page", "invoice", "contract", *COLOURS)


def clip_text(folder: Path) -> Path:
    table = np.zeros((len(WORDS), 512), dtype=np.float32)
    for word, component in COLOURS.items():
        table[WORDS.index(word), component] = 1.0
    table[WORDS.index("[UNK]"), 511] = 0.01
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["tokens"], axis=0),
        helper.make_node("ReduceSum", ["tokens", "axes"], ["text_embeds"], keepdims=0),
    ]
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axes")]
    inputs = [_ints("input_ids"), _ints("attention_mask")]
    _save(folder / "model.onnx", nodes, inputs, [_floats("text_embeds", ["batch", 512])], constants)
    return _tokenizer(folder, 77)


def clip_image(folder: Path) -> Path:
    spread = np.zeros((3, 512), dtype=np.float32)
    spread[[0, 1, 2], [0, 1, 2]] = 1.0
    nodes = [
        helper.make_node("ReduceMean", ["pixel_values", "axes"], ["mean"], keepdims=0),
        helper.make_node("MatMul", ["mean", "spread"], ["image_embeds"]),
    ]
    constants = [numpy_helper.from_array(spread, "spread"), numpy_helper.from_array(np.array([2, 3]), "axes")]
    inputs = [_floats("pixel_values", ["batch", 3, 224, 224])]
    _save(folder / "model.onnx", nodes, inputs, [_floats("image_embeds", ["batch", 512])], constants)
    preprocessing = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": 224},
        "do_center_crop": True,
        "crop_size": {"height": 224, "width": 224},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": False,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(preprocessing))
    (folder / "config.json").write_text("{}")
    return folder


def minilm(folder: Path, dimension: int = 384) -> Path:
    table = np.zeros((len(WORDS), dimension), dtype=np.float32)
    table[np.arange(len(WORDS)), np.arange(len(WORDS))] = 1.0
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)]
    output = [_floats("last_hidden_state", ["batch", "length", dimension])]
    inputs = [_ints("input_ids"), _ints("attention_mask")]
    _save(folder / "model_optimized.onnx", nodes, inputs, output, [numpy_helper.from_array(table, "table")])
    return _tokenizer(folder, 128)


def _ints(name: str):
    return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])


def _floats(name: str, shape: list):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _save(file: Path, nodes: list, inputs: list, outputs: list, constants: list) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    graph = helper.make_graph(nodes, "toy", inputs, outputs, initializer=constants)
    opset = [helper.make_opsetid("", 18)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), str(file))


def _tokenizer(folder: Path, max_length: int) -> Path:
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": max_length, "pad_token": "[PAD]"}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]", "unk_token": "[UNK]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    return folder
