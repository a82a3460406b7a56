"""A token-classification model of a few kilobytes: a table of scores by word, in the files of a real checkpoint."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import Sequence, Split, WhitespaceSplit
from tokenizers.processors import TemplateProcessing

TAGS = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "B-DATE")
WORDS = {
    "[UNK]": "O",
    "[CLS]": "B-PER",  # a special token is no part of a text, whatever the model says of it
    "[SEP]": "B-PER",
    "Alice": "B-PER",
    "Tanaka": "I-PER",
    "Nintendo": "B-ORG",
    "Kyoto": "B-LOC",
    "任": "B-ORG",
    "天": "I-ORG",
    "堂": "I-ORG",
    "🧾": "B-DATE",
    "Osa": "B-LOC",
    "##ka": "O",
}
UNSURE = {"maybe": "B-ORG"}


def write(folder: Path) -> Path:
    words = [*WORDS, *UNSURE]
    table = np.zeros((len(words), len(TAGS)), dtype=np.float32)
    for word, tag in WORDS.items():
        table[words.index(word), TAGS.index(tag)] = 8.0
    for word, tag in UNSURE.items():
        table[words.index(word), TAGS.index(tag)] = 0.5
    (folder / "onnx").mkdir(parents=True)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["logits"], axis=0)],
        "toy",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "length", len(TAGS)])],
        initializer=[numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, str(folder / "onnx" / "model_quantized.onnx"))
    (folder / "config.json").write_text(json.dumps({"id2label": {str(i): tag for i, tag in enumerate(TAGS)}}))
    tokenizer = Tokenizer(WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Sequence([WhitespaceSplit(), Split(Regex(r"[^A-Za-z0-9]"), "isolated")])
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
