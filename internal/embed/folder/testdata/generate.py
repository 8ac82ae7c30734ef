"""Writes the tiny models beside this file and what model2vec makes of them.

Run by hand, with the packages model2vec and tokenizers installed:
    python generate.py
The vectors are random; only the arithmetic and the cutting are of interest.
"""

import json
import pathlib

import numpy as np
from model2vec import StaticModel
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

HERE = pathlib.Path(__file__).parent
TEXTS = [
    "The boat leaves at noon.",
    "the BOATS left, didn't they?",
    "Wann fährt das Boot ab?",
    "El barco sale a mediodía",
    "船は正午に出発します",
    "배는 정오에 떠납니다",
    "unbelievableness xyzzy",
    "",
    "   ",
    "🎉🎉 party   at\tnoon\n🎉",
    "①②③ ﬁne ｆｕｌｌ ｗｉｄｔｈ",
    "a" * 150,
    "boat " * 60,
    "e\u0301te\u0301 d'e\u0301te\u0301",
    "[UNK] [CLS] </s> ▁",
]
SENTENCES = [t for t in TEXTS if t.strip()][:7] + [
    "all boats are at the harbour", "das Boot fährt mittags", "los barcos salen", "noon and party time",
]


def wordpiece():
    words = sorted({w for s in SENTENCES for w in s.lower().replace(".", " ").replace(",", " ").replace("?", " ").split()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + list("abcdefghijklmnopqrstuvwxy.,?'🎉") + ["##" + c for c in "abcdefghijklmnopqrstuv"]
    pieces += [w for w in words if w.isascii()][:30] + ["##s", "##able", "##ness", "船", "は", "正"]
    vocabulary = {p: i for i, p in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def unigram(byte_fallback=False):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator((SENTENCES[:4] + SENTENCES[7:]) * 50, trainer)
    if byte_fallback:
        shape = json.loads(tokenizer.to_str())
        shape["model"]["byte_fallback"] = True
        shape["model"]["vocab"] += [[f"<0x{b:02X}>", -20.0] for b in range(256)]
        shape["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}
        shape["normalizer"] = {"type": "Lowercase"}
        tokenizer = Tokenizer.from_str(json.dumps(shape))
    return tokenizer


def main():
    random = np.random.default_rng(7)
    cases = {
        "wordpiece-f32": (wordpiece(), np.float32, False, {"max_length": 40}),
        "wordpiece-quantised": (wordpiece(), np.float16, True, {}),
        "unigram-f16": (unigram(), np.float16, False, {"max_length": None}),
        "unigram-bytes-i8": (unigram(True), np.int8, False, {}),
    }
    for name, (tokenizer, kind, quantised, config) in cases.items():
        size = tokenizer.get_vocab_size()
        rows = size // 3 if quantised else size
        vectors = random.standard_normal((rows, 6))
        vectors = np.rint(vectors * 40).clip(-127, 127).astype(kind) if kind == np.int8 else vectors.astype(kind)
        model = StaticModel(
            vectors, tokenizer, config={"normalize": True, **config},
            weights=random.random(size) if quantised else None,
            token_mapping=random.integers(0, rows, size) if quantised else None,
            max_length=config.get("max_length", 512), normalize=True,
        )
        folder = HERE / name
        model.save_pretrained(folder)
        for extra in ("README.md", "modules.json"):
            (folder / extra).unlink()
        want = [{"text": t, "vector": [float(f"{x:.6f}") for x in model.encode(t)]} for t in TEXTS]
        lines = ",\n".join(json.dumps(w, ensure_ascii=False) for w in want)
        (folder / "want.json").write_text("[\n" + lines + "\n]\n")


main()
