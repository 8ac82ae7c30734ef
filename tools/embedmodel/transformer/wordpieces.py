"""Writes what internal/embed/wordpiece is compared with: the ids of its
test strings, and the class of every character, by the reference."""

import argparse
import gzip
import json
from itertools import groupby
from pathlib import Path

from tokenizers import normalizers, pre_tokenizers

import checkpoint


def ids(folder, golden):
    """Adds to each text what it becomes, uncut and cut to 16 tokens."""
    whole, short = checkpoint.tokenizer(folder, 1 << 20), checkpoint.tokenizer(folder, 16)
    cases = [{"text": c["text"], "ids": whole(c["text"]), "first16": short(c["text"])} for c in json.loads(golden.read_text())]
    golden.write_text("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")


def character_class(character):
    prepared = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    words = [w for w, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(prepared.normalize_str("a" + character + "b"))]
    if words == ["ab"]:
        return "dropped"
    return {1: "letter", 2: "space", 3: "alone"}[len(words)]


def characters(file):
    """Writes runs of characters of one class, "first last class" a line;
    letters, the most common class, are left out."""
    points = (c for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    with open(file, "w") as out:
        for kind, run in groupby(((c, character_class(chr(c))) for c in points), key=lambda pair: pair[1]):
            if kind != "letter":
                run = list(run)
                out.write(f"{run[0][0]:04X} {run[-1][0]:04X} {kind}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", help="as sentence-transformers saves it")
    parser.add_argument("testdata", type=Path, help="with golden.json, whose texts are kept")
    args = parser.parse_args()
    ids(args.folder, args.testdata / "golden.json")
    characters(args.testdata / "characters.txt")
    vocabulary = (Path(args.folder) / "vocab.txt").read_bytes()
    (args.testdata / "vocab.txt.gz").write_bytes(gzip.compress(vocabulary, mtime=0))


if __name__ == "__main__":
    main()
