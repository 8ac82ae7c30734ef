"""The folding of the keyword index (internal/segment), for single words."""
import unicodedata

FORMS = {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d", "ħ": "h", "ŧ": "t",
         "ς": "σ", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه"}

ACCENTS = [(0x300, 0x36F), (0x483, 0x487), (0x591, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C4, 0x5C5), (0x5C7, 0x5C7),
           (0x610, 0x61A), (0x640, 0x640), (0x64B, 0x65F), (0x670, 0x670), (0x6D6, 0x6DC), (0x6DF, 0x6E4), (0x6E7, 0x6E8),
           (0x6EA, 0x6ED), (0x8D3, 0x8E1), (0x8E3, 0x8FF), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0xFE20, 0xFE2F)]

# Lao and Thai, Khmer, Myanmar, Han with Kana and Bopomofo, Hangul.
SPACELESS = [(0xE00, 0xEFF), (0x1780, 0x17FF), (0x1000, 0x109F), (0x2E80, 0x2FFF), (0x3005, 0x3007), (0x3021, 0x9FFF),
             (0xAC00, 0xD7A3), (0x1100, 0x11FF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF), (0xFF66, 0xFF9F)]


def within(c, ranges):
    return any(first <= ord(c) <= last for first, last in ranges)


def fold(word):
    out = ""
    for c in word:
        if within(c, SPACELESS):
            out += unicodedata.normalize("NFKC", c)
            continue
        for d in unicodedata.normalize("NFKD", c):
            if not within(d, ACCENTS):
                d = d.lower()
                out += FORMS.get(d, d)
    return out


def script(key):
    """Return "words" or "spaceless" for a key wholly of one, else ""."""
    kinds = set()
    for c in key:
        if within(c, SPACELESS):
            kinds.add("spaceless")
        elif unicodedata.category(c)[0] in "LN" or unicodedata.category(c) in ("Mn", "Mc"):
            kinds.add("words")
        else:
            kinds.add("")
    return kinds.pop() if len(kinds) == 1 else ""
