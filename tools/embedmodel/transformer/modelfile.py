"""The file that internal/embed/bert reads: quantising, packing, writing.

The layout is described in internal/embed/bert/file.go, which has the last
word; version numbers must agree.
"""

import hashlib
import struct
from dataclasses import dataclass

import numpy as np

MAGIC = b"msgbert\x00"
VERSION = 1
ALIGN = 64
PANEL = 16  # output channels that one pass of the kernel computes
POOLING = {"mean": 0, "cls": 1}


@dataclass
class Shape:
    """What distinguishes one encoder of the BERT family from another."""

    name: str
    layers: int
    hidden: int
    heads: int
    ffn: int
    positions: int
    pooling: str
    normalise: bool
    eps: float
    query_prefix: str = ""


def quantise_table(rows):
    """Returns int8 rows and one float32 scale for each.

    Here and below all arithmetic is float32 and rounds half to even, so that
    any language comes to the same bits.
    """
    rows = np.asarray(rows, np.float32)
    top = np.abs(rows).max(axis=1)
    scales = np.where(top > 0, top / np.float32(127), np.float32(1)).astype(np.float32)
    return np.rint(rows / scales[:, None]).astype(np.int8), scales


def smooth(weight, largest):
    """Returns for every input what its activations are multiplied by, given
    the largest that were seen: half of the way, on a logarithmic scale, from
    evening out the activations to evening out the weights."""
    weight = np.maximum(np.abs(weight).max(axis=0), 1e-5)
    return np.sqrt(weight / np.maximum(largest, 1e-5)).astype(np.float32)


def quantise_matrix(weight, factors):
    """Returns int8 rows, one for each output, and their float32 scales. Two
    neighbours together have at most the magnitude 128: 127 before rounding."""
    weight = np.asarray(weight, np.float32) / factors
    magnitude = np.abs(weight)
    scales = (magnitude[:, 0::2] + magnitude[:, 1::2]).max(axis=1) / np.float32(127)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales


def pack(quantised):
    """Orders [outputs, inputs] as the kernel reads it: panels of 16 outputs;
    in a panel, for every four inputs, the outputs with their four weights."""
    outputs, inputs = quantised.shape
    assert outputs % PANEL == 0 and inputs % 32 == 0, quantised.shape
    return quantised.reshape(outputs // PANEL, PANEL, inputs // 4, 4).transpose(0, 2, 1, 3).tobytes()


def embeddings(weights):
    """Splits off the tables: words, and positions with the type "first
    sentence" added, since a text here never has a second."""
    words = weights["embeddings.word_embeddings.weight"]
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    return words, positions.astype(np.float32)


def linears(weights, layer):
    """Yields the four matrices of a layer, queries, keys and values joined,
    with their biases and the name that their input was watched by."""
    base = f"encoder.layer.{layer}."
    attention = [base + "attention.self." + part for part in ("query", "key", "value")]
    for names in (attention, [base + "attention.output.dense"], [base + "intermediate.dense"], [base + "output.dense"]):
        yield *(np.concatenate([weights[n + end] for n in names]) for end in (".weight", ".bias")), names[0]


def kept(vocabulary):
    """Returns the ids of the words that a text can have. A vocabulary of BERT
    leaves room for words of one's own, which no text is ever cut into."""
    return [i for i, token in enumerate(vocabulary) if not token.startswith("[unused")]


class Body:
    def __init__(self):
        self.data = bytearray()

    def add(self, part):
        self.data += part
        self.data += bytes(-len(self.data) % ALIGN)

    def floats(self, values):
        self.add(np.asarray(values, "<f4").tobytes())

    def norm(self, weights, name):
        self.floats(weights[name + ".weight"])
        self.floats(weights[name + ".bias"])

    def table(self, rows):
        quantised, scales = quantise_table(rows)
        self.floats(scales)
        self.add(quantised.tobytes())

    def linear(self, weight, bias, largest):
        factors = smooth(weight, largest)
        quantised, scales = quantise_matrix(weight, factors)
        self.floats(factors)
        self.floats(scales)
        self.floats(bias)
        self.add(quantised.sum(axis=1, dtype=np.int32).astype("<i4").tobytes())
        self.add(pack(quantised))


def build(shape, vocabulary, weights, watched):
    """Returns the whole file as bytes. Watched is what reference.encode kept
    while it encoded some ordinary texts."""
    assert all(token and "\n" not in token for token in vocabulary)
    body = Body()
    words, positions = embeddings(weights)
    assert words.shape == (len(vocabulary), shape.hidden), words.shape
    ids = kept(vocabulary)
    words, vocabulary = words[ids], [vocabulary[i] for i in ids]
    body.add("\n".join(vocabulary).encode())
    assert positions.shape == (shape.positions, shape.hidden), positions.shape
    body.table(words)
    body.table(positions)
    body.norm(weights, "embeddings.LayerNorm")
    for layer in range(shape.layers):
        for i, (weight, bias, name) in enumerate(linears(weights, layer)):
            body.linear(weight, bias, watched[name])
            if i == 1:
                body.norm(weights, f"encoder.layer.{layer}.attention.output.LayerNorm")
        body.norm(weights, f"encoder.layer.{layer}.output.LayerNorm")

    name, prefix = shape.name.encode(), shape.query_prefix.encode()
    fields = struct.pack(
        "<10If",
        len("\n".join(vocabulary).encode()), len(vocabulary), shape.hidden, shape.layers, shape.heads, shape.ffn,
        shape.positions, POOLING[shape.pooling], int(shape.normalise), 0, shape.eps,
    )
    fields += struct.pack("<HH", len(name), len(prefix)) + name + prefix
    start = len(MAGIC) + 4 + 32
    fields += bytes(-(start + len(fields)) % ALIGN)
    checked = fields + bytes(body.data)
    return MAGIC + struct.pack("<I", VERSION) + hashlib.sha256(checked).digest() + checked
