"""The encoder as its papers describe it, in float64: what golden vectors
are made with. Slow and plain on purpose."""

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


def norm(x, weights, name, eps):
    x = x - x.mean(axis=-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return x * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name, watch):
    if watch is not None:
        largest = np.abs(x).max(axis=0)
        watch[name] = np.maximum(watch.get(name, largest), largest)
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def attention(x, weights, base, heads, watch):
    length, hidden = x.shape
    split = lambda part: linear(x, weights, base + "self." + part, watch).reshape(length, heads, -1).transpose(1, 0, 2)
    query, key, value = split("query"), split("key"), split("value")
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(hidden // heads)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    return linear((scores @ value).transpose(1, 0, 2).reshape(length, hidden), weights, base + "output.dense", watch)


def encode(ids, weights, shape, watch=None):
    """Returns the vector of one text given as token ids, with [CLS] and [SEP].

    In watch it keeps for each matrix the largest magnitude of every input.
    """
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, weights, "embeddings.LayerNorm", shape.eps)
    for layer in range(shape.layers):
        base = f"encoder.layer.{layer}."
        x = norm(x + attention(x, weights, base + "attention.", shape.heads, watch), weights, base + "attention.output.LayerNorm", shape.eps)
        inner = linear(x, weights, base + "intermediate.dense", watch)
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = norm(x + linear(inner, weights, base + "output.dense", watch), weights, base + "output.LayerNorm", shape.eps)
    vector = x[0] if shape.pooling == "cls" else x.mean(axis=0)
    return vector / np.linalg.norm(vector) if shape.normalise else vector
