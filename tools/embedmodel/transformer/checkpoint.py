"""Reads a folder as sentence-transformers saves it."""

import hashlib
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from modelfile import Shape


def load(folder, name, query_prefix="", sha256=None):
    """Returns shape, vocabulary and float32 weights."""
    folder = Path(folder)
    file = folder / "model.safetensors"
    if sha256 and hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        raise SystemExit(f"{file} is not the expected file: its SHA-256 differs")
    config = json.loads((folder / "config.json").read_text())
    pooling = json.loads((folder / "1_Pooling" / "config.json").read_text())
    modules = json.loads((folder / "modules.json").read_text())
    if config["model_type"] != "bert" or config["hidden_act"] != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise SystemExit("not an encoder that internal/embed/bert computes")
    shape = Shape(
        name=name,
        layers=config["num_hidden_layers"],
        hidden=config["hidden_size"],
        heads=config["num_attention_heads"],
        ffn=config["intermediate_size"],
        positions=config["max_position_embeddings"],
        pooling="cls" if pooling["pooling_mode_cls_token"] else "mean",
        normalise=any(m["type"].endswith("Normalize") for m in modules),
        eps=config["layer_norm_eps"],
        query_prefix=query_prefix,
    )
    weights = {n.removeprefix("bert."): w.astype(np.float32) for n, w in load_file(file).items() if w.dtype.kind == "f"}
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return shape, vocabulary, weights


def tokenizer(folder, max_tokens):
    """Returns a function from text to ids with [CLS] and [SEP]. Names of
    special tokens that a text contains are text."""
    reference = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    reference.no_padding()
    reference.encode_special_tokens = True
    reference.enable_truncation(max_tokens)
    return lambda text: reference.encode(text).ids
