"""Make the static table of the teachers' vectors.

usage: table.py WORDS.json TEACHERS.npz STATIC.bin SLICE.bin

The file formats are described in internal/embed/static/file.go and
slice_test.go there. All steps are deterministic; another processor or BLAS
may round a step differently.
"""
import hashlib
import json
import struct
import sys
import unicodedata

import numpy as np

NAME = b"use-minilm-256"
DIMS = 256
WORDS = 120_500          # what fits into 17 MB together with the emoji
FREQUENT = 1e-3          # words as frequent as this weigh half
LANGUAGE = 8             # a word's share in its language, next to all of them
SECOND = 0.7             # what the English encoder weighs next to the other
GUESSED = 0.5            # what its vector weighs where it is guessed
RIDGE = 30.0
SPREAD = 0.25            # how far the components are evened out: 0 not, 1 all alike
CLIP = 2.5               # standard deviations that the 16 steps span
EMOJI_WEIGHT = 0.8
NAME_WORDS = {"face", "with", "sign", "symbol", "of", "and", "the", "emoji", "black", "white", "heavy", "in", "for"}
SLICE = 48


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-9)


def second_language(multilingual, english, at, frequency):
    """The English encoder's vector of each word: the real one of English
    words, of length 1; for the others what a ridge regression makes of the
    multilingual vector, of length GUESSED. Centred."""
    capped = np.minimum(frequency, 1e-3)
    english = english - np.average(english, axis=0, weights=capped[at])
    centred = multilingual - np.average(multilingual, axis=0, weights=capped)
    weight = np.sqrt(frequency[at] / (frequency[at] + 1e-5))[:, None]
    x, y = centred[at] * weight, english * weight
    second = centred @ np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
    second = GUESSED * unit(second)
    second[at] = unit(english)
    return second.astype(np.float32)


def principal(rows, frequency):
    """The projection on the DIMS directions in which words as frequent as they
    are differ most. Part of how much more they differ in the first ones is
    taken back; all rows together keep their length."""
    weighed = rows * np.sqrt(np.minimum(frequency, 1e-3))[:, None]
    values, vectors = np.linalg.eigh(weighed.T @ weighed)
    values, vectors = values[::-1][:DIMS].astype(np.float64), vectors[:, ::-1][:, :DIMS].astype(np.float64)
    strongest = np.abs(vectors).argmax(0)
    vectors *= np.sign(vectors[strongest, np.arange(DIMS)])  # eigh leaves the sign open
    vectors = (vectors * (values / values[0]) ** (-SPREAD / 2)).astype(np.float32)
    return vectors * (np.linalg.norm(rows) / np.linalg.norm(rows @ vectors))


def rotation():
    """Spreads what a vector says evenly over its components, so that each of
    them is worth its bits."""
    q, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((DIMS, DIMS)))
    return q


def emoji(keys, rows):
    """Vectors of emoji: those of the words of their Unicode names."""
    at = {key: i for i, key in enumerate(keys)}
    for code in list(range(0x2600, 0x27C0)) + list(range(0x1F300, 0x1FB00)):
        name = unicodedata.name(chr(code), "")
        if unicodedata.category(chr(code)) not in ("So", "Sk") or not name:
            continue
        key = "\u00a7e%x" % code
        if name.startswith("EMOJI MODIFIER"):  # the tone of a skin says nothing
            yield key, np.zeros(DIMS, np.float32)
            continue
        parts = [rows[at[w]] for w in name.lower().replace("-", " ").split() if w in at and w not in NAME_WORDS]
        if parts:
            total = np.sum(parts, axis=0)
            yield key, total / np.linalg.norm(total) * EMOJI_WEIGHT


def quantize(rows):
    step = np.minimum(np.abs(rows).max(1), CLIP * np.sqrt((rows * rows).mean(1))) / 7.5
    step = np.maximum(step, 1e-9).astype(np.float32)
    return np.clip(np.round(rows / step[:, None] + 7.5), 0, 15).astype(np.uint8), step


def word_hash(key):
    mask = (1 << 64) - 1
    h = 14695981039346656037
    for c in key.encode():
        h = (h ^ c) * 1099511628211 & mask
    h ^= h >> 33
    h = h * 0xff51afd7ed558ccd & mask
    h ^= h >> 33
    h = h * 0xc4ceb9fe1a85ec53 & mask
    return h ^ h >> 33


def write_table(path, keys, rows):
    hashes = np.array([word_hash(k) for k in keys], np.uint64)
    order = np.argsort(hashes >> np.uint64(16), kind="stable")
    marks = hashes[order] >> np.uint64(16)
    assert (marks[1:] != marks[:-1]).all(), "two words share a mark"
    steps, step = quantize(rows[order])
    starts = np.searchsorted((marks >> np.uint64(32)).astype(np.int64), np.arange((1 << 16) + 1))
    body = (starts.astype("<u4").tobytes() + (marks & np.uint64(0xFFFFFFFF)).astype("<u4").tobytes()
            + step.astype("<f4").tobytes() + (steps[:, 0::2] | steps[:, 1::2] << 4).tobytes())
    header = (b"msgstat\n" + struct.pack("<4I", 1, DIMS, len(keys), 16) + NAME.ljust(24, b"\0")
              + hashlib.sha256(body).hexdigest()[:16].encode())
    with open(path, "wb") as f:
        f.write(header + body)
    print(len(keys), "rows,", len(header + body), "bytes")


def write_slice(path, keys, weights, joined, projection):
    chosen = np.linspace(0, 40_000, SLICE).astype(int) + 50
    with open(path, "wb") as f:
        f.write(struct.pack("<3I", len(chosen), joined.shape[1], DIMS))
        f.write(projection.astype("<f2").tobytes())
        for i in chosen:
            key = keys[i].encode()
            f.write(struct.pack("<If", len(key), weights[i]) + key + joined[i].astype("<f2").tobytes())


def main(words, teachers, table, slice_path):
    with open(words, encoding="utf8") as f:
        words = json.load(f)
    taught = np.load(teachers)
    keys = [w[0] for w in words]
    frequency = np.array([w[2] for w in words])
    multilingual = taught["multilingual"].astype(np.float32)
    second = second_language(multilingual, taught["english"].astype(np.float32), taught["english_at"], frequency)
    joined = np.hstack([multilingual, SECOND * second])
    weights = (FREQUENT / (FREQUENT + LANGUAGE * frequency)).astype(np.float32)
    weighed = joined * weights[:, None]
    projection = (principal(weighed, frequency) @ rotation()).astype(np.float32)
    rows = weighed @ projection
    write_slice(slice_path, keys, weights, joined, projection)
    pictures = dict(emoji(keys, rows))
    write_table(table, keys[:WORDS] + list(pictures), np.vstack([rows[:WORDS], *pictures.values()]))


main(*sys.argv[1:])
