"""What a model adds to the order of the product's first twenty files, with whole repositories left out.

usage: rerank.py --corpus DIR --questions FILE.tsv .. --pack PACK_DIR --program knotwork --state DIR NAME.npz[:table|encoder|both] ..

The program is asked each question for sixty results. A file's feature is the highest score that train_encoder.py's model
NAME gives one of its passages, in units of their spread, times a weight, beside the logarithm of the file's place. The
weight is chosen by the mean reciprocal rank on all repositories but one, for that one. A line has the questions whose
right file comes first, of all and by file of questions. The questions must have been packed by pack.py --queries."""

import argparse
import json
import os
import subprocess
from collections import Counter
import numpy as np
from codetext import SubwordIndex, sat, split
from train_encoder import unpack

FILES, WEIGHTS = 20, [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0]


def ask(a, subwords):
    """questions with the passages of their first files, and which files are right"""
    out = []
    for table in a.questions:
        for line in open(table):
            if line[0] == "#" or "\t" not in line:
                continue
            repository, text, paths, _ = line.rstrip("\n").split("\t")
            folder = repository.replace("/", "+")
            root = os.path.join(a.corpus, folder)
            answer = subprocess.run(
                [a.program, "search", text, "-n", "60", "--min-relevance", "0", "--format", "json"],
                cwd=root, env={**os.environ, "DEVBOOKS_DIR": os.path.join(a.state, folder)}, capture_output=True, check=True,
            )  # fmt: skip
            files = {}
            for r in json.loads(answer.stdout)["results"]:
                files.setdefault(r["file_path"], []).append(r)
            files = dict(list(files.items())[:FILES])
            right = lambda p: any(p == g or g.endswith("/") and p.startswith(g) for g in paths.split("|"))
            out.append(
                dict(
                    table=os.path.basename(table), repository=repository, text=text,
                    right=np.array([right(p) for p in files], float),
                    passages=[bags(root, p, results, subwords) for p, results in files.items()],
                )
            )  # fmt: skip
    return out


def bags(root, path, results, subwords):
    lines = open(os.path.join(root, path), errors="replace").read().split("\n")
    rows = lambda words: subwords.bag(Counter(words))
    out = []
    for r in results:
        text = "\n".join(lines[r["line_start"] - 1 : r["line_end"]])[:3000]
        out.append(
            (rows(split(text)), rows(split(r.get("symbol") or "")), rows(split(os.path.splitext(path)[0])[-4:]))
        )
    return out


def late(model, number, questions):
    table = model["table"].astype(np.float32)
    for q in questions:
        weight = model["weight"][number[q["text"]]].astype(np.float32)
        query = model["query"][number[q["text"]]].astype(np.float32)
        one = lambda bag: ((query @ table[sorted({*bag[0], *bag[1], *bag[2]})].T).max(1) * weight).sum() / (
            weight.sum() + 1e-3
        )
        yield np.array([max(map(one, passages)) for passages in q["passages"]])


def pooled(model, by, number, questions, subwords):
    table = model["embeddings"].astype(np.float32) * model["scale"][:, None]
    unit = lambda v: v / (np.linalg.norm(v) + 1e-9)
    total = lambda bag, weights: unit(
        sum((v * weights[i] * table[i] for i, v in sorted(bag.items())), np.zeros(table.shape[1]))
    )

    def code(bag):
        both = Counter({i: sat(n) for i, n in bag[0].items()})
        for part, factor in ((bag[1], 3.0), (bag[2], 0.5)):
            for i, n in part.items():
                both[i] += factor * n
        return total(both, model["wd"])

    for q in questions:
        query = total(subwords.bag(Counter(split(q["text"]))), model["wq"])
        if by != "table":
            encoded = model["query"][number[q["text"]]].astype(np.float32)
            query = encoded if by == "encoder" else unit(query + encoded)
        yield np.array([max(float(code(b) @ query) for b in passages) for passages in q["passages"]])


def judge(name, feature, questions):
    spread = lambda x: (x - x.mean()) / (x.std() + 1e-6) if len(x) else x
    place = lambda q: -np.log(np.arange(len(q["right"])) + 1.0)

    def reciprocal(q, f, weight):
        order = np.argsort(-(place(q) + weight * spread(f)), kind="stable")
        found = np.where(q["right"][order] > 0)[0]
        return 1 / (found[0] + 1) if len(found) else 0.0

    ranks = {w: np.array([reciprocal(q, f, w) for q, f in zip(questions, feature)]) for w in WEIGHTS}
    repositories = np.array([q["repository"] for q in questions])
    got = np.zeros(len(questions))
    for r in sorted(set(repositories)):
        out = repositories == r
        got[out] = ranks[max(WEIGHTS, key=lambda w: (ranks[w][~out].mean(), -w))][out]
    tables = sorted({q["table"] for q in questions})
    by = {t: int(sum(g == 1 for g, q in zip(got, questions) if q["table"] == t)) for t in tables}
    print(f"{name}: first {int((got == 1).sum())}, mean reciprocal rank {got.mean():.4f}", by, flush=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--corpus", required=True)
    a.add_argument("--questions", nargs="+", required=True)
    a.add_argument("--pack", required=True)
    a.add_argument("--program", required=True)
    a.add_argument("--state", required=True)
    a.add_argument("models", nargs="+")
    a = a.parse_args()
    subwords = SubwordIndex(open(f"{a.pack}/vocab.txt").read().split("\n")[:-1])
    number = {q: i for i, q in enumerate(unpack(a.pack)["json"]["queries"])}
    questions = ask(a, subwords)
    judge("as it is", [np.zeros(len(q["right"])) for q in questions], questions)
    for spec in a.models:
        path, _, by = spec.partition(":")
        model = np.load(path)
        if "table" in model:
            feature = late(model, number, questions)
        else:
            feature = pooled(model, by or "table", number, questions, subwords)
        judge(spec, list(feature), questions)


if __name__ == "__main__":
    main()
