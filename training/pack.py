"""Pack records for training on an accelerator: documents as bags of rows, texts as sequences of words, a few bytes a word.

usage: pack.py --records records.jsonl --out DIR --dev-packages a,b [--queries queries.txt]
               [--exclude-hashes F ..] [--exclude-queries F ..] [--cap-lang 45000] [--rows 25056]

Writes DIR/pack.pkl (arrays, each compressed) and DIR/vocab.txt. --queries: one a line; their vectors are written by
train_encoder.py. Records of evaluation data are removed as by prepare.py."""

import argparse
import io
import json
import lzma
import os
import pickle
import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from codetext import SubwordIndex, split

# words of a text: first sentence, documentation, parameters, name, path
LENGTHS = {"q": 40, "d": 30, "r": 30, "n": 10, "t": 4}
COMMENTS, COMMENT_WORDS = 3, 30
DEV_RECORDS = 1500

normal = lambda q: re.sub(r"\W+", " ", q.lower()).strip()


def read_records(a):
    """training records by language, and those of the development packages"""
    hashes = {h for f in a.exclude_hashes for h in open(f).read().split()}
    sentences = {normal(l) for f in a.exclude_queries + ([a.queries] if a.queries else []) for l in open(f)}
    dev_packages = set(a.dev_packages.split(","))
    seen, by, dev, dropped = set(), {}, {}, Counter()
    for line in open(a.records):
        x = json.loads(line)
        why = (
            "evaluation code"
            if x["h"] in hashes
            else (
                "evaluation sentence"
                if x["q0"] and normal(x["q0"]) in sentences
                else "duplicate" if x["h"] in seen else None
            )
        )
        if why:
            dropped[why] += 1
            continue
        seen.add(x["h"])
        if x["p"] in dev_packages:
            dev.setdefault(x["p"], []).append(x)
        else:
            by.setdefault(x["l"], []).append(x)
    print("removed", dict(dropped))
    return by, dev


def choose(by, cap):
    """so many documented records of each language, and a quarter as many with comments or a name alone"""
    rng = random.Random(0)
    chosen = []
    for language, v in sorted(by.items()):
        v.sort(key=lambda x: x["h"])
        rng.shuffle(v)
        documented = [x for x in v if x["q"]][:cap]
        k = max(2500, len(documented) // 4)
        commented = [x for x in v if not x["q"] and x.get("cm")][:k]
        named = [x for x in v if not x["q"] and not x.get("cm")][: k // 6]
        chosen += documented + commented + named
        print(language, len(documented), len(commented), len(named))
    return chosen


def vocabulary(records, rows):
    count = Counter()
    for x in records:
        count.update({w for k in "bnqdt" for w in x[k].split()})
    words = [w for w, n in count.most_common() if n >= 6 and 2 <= len(w) <= 24 and not w.isdigit()][:rows]
    have = set(words)
    return words + [c for c in "abcdefghijklmnopqrstuvwxyz0123456789" if c not in have]


def concatenate(parts, dtype):
    return np.concatenate([np.asarray(p, dtype) for p in parts]) if parts else np.zeros(0, dtype)


def texts(x):
    return {k: x[k].split()[:most] for k, most in LENGTHS.items()}


def comments(x):
    return [c.split()[:COMMENT_WORDS] for c in x.get("cm", [])[:COMMENTS]]


def arrays(records, subwords, number):
    """rows of the code as differences, how often (at most 16), texts as numbers of words"""
    gaps, counts, lengths = [], [], []
    for x in records:
        bag = subwords.bag(Counter((x.get("c") or x["b"]).split()))
        rows = np.array(sorted(bag), np.int64)
        gaps.append(np.diff(rows, prepend=0))
        counts.append([min(bag[r], 16) for r in rows])
        lengths.append(len(rows))
    out = {
        "b_i": concatenate(gaps, np.uint16),
        "b_c": concatenate(counts, np.uint8),
        "b_n": np.array(lengths, np.uint16),
    }
    sequence = lambda ws: [number[w] for w in ws if w in number]
    for k in LENGTHS:
        parts = [sequence(texts(x)[k]) for x in records]
        out[k + "_w"], out[k + "_n"] = concatenate(parts, np.uint16), np.array([len(p) for p in parts], np.uint8)
    parts = [[sequence(c) for c in comments(x)] for x in records]
    flat = [c for r in parts for c in r]
    out["cm_k"] = np.array([len(r) for r in parts], np.uint8)
    out["cm_w"], out["cm_n"] = concatenate(flat, np.uint16), np.array([len(c) for c in flat], np.uint8)
    same = {}
    out["qid"] = np.array([same.setdefault(x["q"] or f"#{i}", len(same)) for i, x in enumerate(records)], np.int32)
    return out


def groups(records):
    """the folder, else the package, else the language, of which there are enough for negatives from one place"""
    keys = lambda x: [x["p"] + "/" + "/".join(x["f"].split("/")[:-1][:3]), x["p"], x["l"]]
    count = Counter(k for x in records for k in keys(x))
    number = {}
    of = lambda x: next((k for k in keys(x) if count[k] >= 96), x["l"])
    return np.array([number.setdefault(of(x), len(number)) for x in records], np.int32)


def compress(item):
    key, value = item
    if key == "json":
        return key, lzma.compress(json.dumps(value).encode())
    f = io.BytesIO()
    np.save(f, value)
    return key, lzma.compress(f.getvalue(), preset=6)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--records", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--dev-packages", default="")
    a.add_argument("--queries")
    a.add_argument("--exclude-hashes", nargs="*", default=[])
    a.add_argument("--exclude-queries", nargs="*", default=[])
    a.add_argument("--cap-lang", type=int, default=45000)
    a.add_argument("--rows", type=int, default=25056)
    a = a.parse_args()
    by, dev = read_records(a)
    records = choose(by, a.cap_lang)
    held = [x for p in sorted(dev) for x in sorted(dev[p], key=lambda x: x["h"])[:DEV_RECORDS]]
    print("records", len(records), "held out", len(held))
    rows = vocabulary(records, a.rows)
    queries = [l.strip() for l in open(a.queries)] if a.queries else []
    count = Counter()
    for x in records + held:
        for words in [*texts(x).values(), *comments(x)]:
            count.update(words)
    words = [w for w, _ in count.most_common(65000)]
    number = {w: i for i, w in enumerate(words)}
    for w in (w for q in queries for w in split(q)):
        if w not in number and len(words) < 65500:
            number[w] = len(words)
            words.append(w)
    subwords = SubwordIndex(rows)
    out = {"tr_" + k: v for k, v in arrays(records, subwords, number).items()}
    out["tr_group"] = groups(records)
    out |= {"de_" + k: v for k, v in arrays(held, subwords, number).items()}
    packages = sorted(dev)
    out["de_set"] = np.array([packages.index(x["p"]) for x in held], np.int32)
    parts = [[number[w] for w in split(q) if w in number] for q in queries]
    out["eq_w"], out["eq_n"] = concatenate(parts, np.uint16), np.array([len(p) for p in parts], np.uint8)
    out["json"] = {"words": words, "sets": packages, "queries": queries}
    os.makedirs(a.out, exist_ok=True)
    open(os.path.join(a.out, "vocab.txt"), "w").write("\n".join(rows) + "\n")
    with ThreadPoolExecutor(2) as pool:
        packed = dict(pool.map(compress, out.items()))
    pickle.dump(packed, open(os.path.join(a.out, "pack.pkl"), "wb"))
    print("bytes", sum(map(len, packed.values())))


if __name__ == "__main__":
    main()
