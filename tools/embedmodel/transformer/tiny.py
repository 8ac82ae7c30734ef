"""Writes a tiny encoder with random weights that is like bge-small where
that differs from MiniLM: more than one layer size apart, first token's
vector, query prefix. The tests run it against its reference vectors."""

import argparse
import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

import modelfile
import reference

SEED = 20261130
SHAPE = modelfile.Shape(
    name="tiny-cls", layers=3, hidden=64, heads=2, ffn=160, positions=40, pooling="cls", normalise=True, eps=1e-12,
    query_prefix="Find what answers this: ",
)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def vocabulary():
    words = "the and you that was for are with his they this have from one had word but not what all were when your can said there use".split()
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + list(LETTERS) + ["##" + c for c in LETTERS] + list(":.,!?'") + words


def weights(words):
    random = np.random.default_rng(SEED)
    draw = lambda deviation, *size: random.normal(0, deviation, size).astype(np.float32)
    h, f = SHAPE.hidden, SHAPE.ffn
    result = {
        "embeddings.word_embeddings.weight": draw(1, len(words), h),
        "embeddings.position_embeddings.weight": draw(0.3, SHAPE.positions, h),
        "embeddings.token_type_embeddings.weight": draw(0.3, 2, h),
    }

    def norm(name):
        result[name + ".weight"] = 1 + draw(0.2, h)
        result[name + ".bias"] = draw(0.2, h)

    norm("embeddings.LayerNorm")
    for layer in range(SHAPE.layers):
        base = f"encoder.layer.{layer}."
        for name, outputs, inputs in [
            ("attention.self.query", h, h), ("attention.self.key", h, h), ("attention.self.value", h, h),
            ("attention.output.dense", h, h), ("intermediate.dense", f, h), ("output.dense", h, f),
        ]:
            result[base + name + ".weight"] = draw(1.5 / np.sqrt(inputs), outputs, inputs)
            result[base + name + ".bias"] = draw(0.2, outputs)
        norm(base + "attention.output.LayerNorm")
        norm(base + "output.LayerNorm")
    return result


def tokenizer(words):
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.BertProcessing(("[SEP]", words.index("[SEP]")), ("[CLS]", words.index("[CLS]")))
    t.enable_truncation(SHAPE.positions)
    return lambda text: t.encode(text).ids


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("golden", type=Path, help="folder with sentences.json")
    args = parser.parse_args()
    words = vocabulary()
    exact = weights(words)
    double = {n: w.astype(np.float64) for n, w in exact.items()}
    encode = tokenizer(words)
    texts = json.loads((args.golden / "sentences.json").read_text())
    texts.append(SHAPE.query_prefix + texts[0])  # what a query is turned into
    watched = {}
    vectors = np.array([reference.encode(encode(text), double, SHAPE, watched) for text in texts])
    (args.golden / "model.bin").write_bytes(modelfile.build(SHAPE, words, exact, watched))
    vectors.astype("<f4").tofile(args.golden / "vectors.f32")


if __name__ == "__main__":
    main()
