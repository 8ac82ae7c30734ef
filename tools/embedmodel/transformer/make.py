"""Writes the model file, and on request what the tests compare it with.

See README.md for the commands.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import checkpoint
import modelfile
import reference

MAX_TOKENS = 128  # bert.DefaultMaxTokens
SLICE_ROWS = [0, 100, 101, 102, 1045, 7592, 2293, 30521]


def write_slice(folder, vocabulary, weights):
    """Some original weights, by which the tests check the quantising: word
    rows, with their places in the file, and the first panel of the first
    layer's second matrix."""
    ids = modelfile.kept(vocabulary)
    (folder / "slice-rows.json").write_text(json.dumps([ids.index(row) for row in SLICE_ROWS]) + "\n")
    words, _ = modelfile.embeddings(weights)
    words[SLICE_ROWS].astype("<f4").tofile(folder / "slice-words.f32")
    _, (out, _, _), _, _ = modelfile.linears(weights, 0)
    out[: modelfile.PANEL].astype("<f4").tofile(folder / "slice-panel.f32")


def watch(encode, exact, shape):
    """Returns how large every matrix's inputs get in ordinary messages."""
    watched = {}
    for text in json.loads((Path(__file__).parent / "calibration.json").read_text()):
        reference.encode(encode(text), exact, shape, watched)
    return watched


def write_golden(folder, encode, exact, shape):
    texts = json.loads((folder / "sentences.json").read_text())
    vectors = np.array([reference.encode(encode(text), exact, shape) for text in texts])
    vectors.astype("<f4").tofile(folder / "vectors.f32")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", help="as sentence-transformers saves it")
    parser.add_argument("--name", required=True, help="letters, digits, '-' and '.'; part of the fingerprint")
    parser.add_argument("--query-prefix", default="", help="what the model's card puts before queries")
    parser.add_argument("--sha256", help="of model.safetensors")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--golden", type=Path, help="folder with sentences.json, for vectors.f32 and the slice")
    args = parser.parse_args()
    shape, vocabulary, weights = checkpoint.load(args.folder, args.name, args.query_prefix, args.sha256)
    encode = checkpoint.tokenizer(args.folder, MAX_TOKENS)
    exact = {n: w.astype(np.float64) for n, w in weights.items()}
    args.out.write_bytes(modelfile.build(shape, vocabulary, weights, watch(encode, exact, shape)))
    print(shape, args.out, args.out.stat().st_size, "bytes")
    if args.golden:
        write_slice(args.golden, vocabulary, weights)
        write_golden(args.golden, encode, exact, shape)


if __name__ == "__main__":
    main()
