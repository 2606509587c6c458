"""Train tables together with a query encoder that starts as all-MiniLM-L6-v2, on an accelerator (JAX).

usage: train_encoder.py PACK_DIR MINILM_DIR OUT_DIR VARIANT[:key=value,..] ..

PACK_DIR is written by pack.py; MINILM_DIR is crates/embedding/models/minilm. Variants (VARIANTS below): pooled vectors,
with the table alone (S0, S1) or also the encoder (N6, N2, F6), and late interaction, where each word of the query meets
the most similar word of the code (MS, MQ, M2, M6). `budget` bounds a variant's seconds of steps; the step count follows.
Each writes OUT_DIR/NAME.npz: the table, and the vectors of the queries that were packed. On a CPU a few small steps are
made, as a test of the script. Queries without a word are common: every norm here has a gradient at zero."""

import io
import json
import lzma
import math
import os
import pickle
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from codetext import SubwordIndex

CODE_ROWS, QUERY_WORDS, QUERY_PIECES = 160, 34, 38
ON_CPU = jax.devices()[0].platform == "cpu"
HALF = jnp.float32 if ON_CPU else jnp.bfloat16
KINDS = ["q", "d", "r", "n", "t", "cm"]
STOP = set(
    "a an the of to in for and or is are be if with this that it as on by from at into returns return given its which will"
    " can not no s t how what where when does".split()
)
VARIANTS = {
    "S0": dict(steps=2500, batch=2048),  # the table alone
    "S1": dict(steps=2500, batch=2048, overlap=0.5),  # for half of the records without the query's words in the code
    "N6": dict(steps=2500, batch=1536, overlap=0.5, layers=6, start="minilm", distill=1.0),
    "N2": dict(steps=2500, batch=2048, overlap=0.5, layers=2, start="minilm", distill=1.0),
    "F6": dict(steps=2500, batch=2048, overlap=0.5, layers=6, frozen=True, start="minilm", distill=1.0),
    "MS": dict(steps=3000, batch=384, overlap=0.5),
    "MQ": dict(steps=3000, batch=384, overlap=0.5, own=True),  # a table for queries beside that for code
    "M2": dict(steps=2500, batch=384, overlap=0.5, layers=2),
    "M6": dict(steps=2500, batch=384, overlap=0.5, layers=6),
}
tree_map = jax.tree_util.tree_map


def offsets(lengths):
    return np.concatenate([[0], np.cumsum(lengths.astype(np.int64))])


class Records:
    """packed records: bags of rows, and texts of each kind one behind the other"""

    def __init__(self, arrays, prefix):
        get = lambda k: arrays[prefix + k]
        self.count = len(get("cm_k"))
        self.bag_at = offsets(get("b_n"))
        total = np.cumsum(get("b_i").astype(np.int64))
        before = np.zeros(self.count, np.int64)
        later = self.bag_at[:-1] > 0
        before[later] = total[self.bag_at[:-1][later] - 1]
        self.rows = (total - np.repeat(before, np.diff(self.bag_at))).astype(np.int32)
        self.counts = get("b_c")
        lengths = [get(k + "_n") for k in KINDS]
        self.first = dict(zip(KINDS, np.concatenate([[0], np.cumsum([len(n) for n in lengths])]).tolist()))
        self.text_at = offsets(np.concatenate(lengths))
        self.words = np.concatenate([get(k + "_w") for k in KINDS]).astype(np.int32)
        self.comments, self.comment_at = get("cm_k").astype(np.int32), offsets(get("cm_k"))
        self.same, self.sentence = get("qid"), get("q_n").astype(np.int32)

    def padded(self, texts, most):
        return padded(self.text_at, self.words, texts, most)


def padded(at, words, texts, most):
    n = np.minimum(at[texts + 1] - at[texts], most)
    j = np.arange(most)[None]
    mask = j < n[:, None]
    return np.where(mask, words[np.minimum(at[texts][:, None] + j, max(len(words) - 1, 0))], 0), mask


def unpack(folder):
    def one(item):
        key, value = item
        data = lzma.decompress(value)
        return key, json.loads(data) if key == "json" else np.load(io.BytesIO(data))

    with ThreadPoolExecutor(8) as pool:
        return dict(pool.map(one, pickle.load(open(f"{folder}/pack.pkl", "rb")).items()))


def word_pieces(word, index):
    out, k = [], 0
    while k < len(word):
        for e in range(len(word), k, -1):
            piece = ("##" if k else "") + word[k:e]
            if piece in index:
                out.append(index[piece])
                k = e
                break
        else:
            return [100]
    return out


def table_of(lists, width, empty):
    out = np.full((len(lists), width), empty, np.int32)
    for i, r in enumerate(lists):
        out[i, : len(r[:width])] = r[:width]
    return out


class Task:
    """all data, on the device where steps read it"""

    def __init__(self, pack, minilm):
        arrays = unpack(pack)
        names = arrays.pop("json")
        self.words, self.sets = names["words"], names["sets"]
        self.vocabulary = open(f"{pack}/vocab.txt").read().split("\n")[:-1]
        self.none = len(self.vocabulary)
        subwords = SubwordIndex(self.vocabulary)
        pieces = {w: i for i, w in enumerate(open(f"{minilm}/vocab.txt").read().split("\n"))}
        self.word_rows = table_of([subwords.ids(w) for w in self.words], 3, self.none)
        word_piece = table_of([word_pieces(w, pieces) for w in self.words], 3, 0)
        self.row_pieces = table_of([word_pieces(w, pieces) for w in self.vocabulary], 4, 0)
        self.train, self.held = Records(arrays, "tr_"), Records(arrays, "de_")
        self.held_set = arrays["de_set"]
        self.query_words = padded(
            offsets(arrays["eq_n"]), arrays["eq_w"].astype(np.int32), np.arange(len(arrays["eq_n"])), QUERY_WORDS
        )
        t = self.train
        used = np.bincount(t.rows, minlength=self.none + 1)[: self.none]
        asked = self.word_rows[t.words[: t.text_at[t.count]]].ravel()
        used = used + np.bincount(asked, minlength=self.none + 1)[: self.none]
        self.idf = np.log(1 + t.count / (used + 10.0)).astype(np.float32)
        first = self.word_rows[:, 0]
        word_idf = np.where(first < self.none, self.idf[np.minimum(first, self.none - 1)], 0.01).astype(np.float32)
        word_idf[[i for i, w in enumerate(self.words) if w in STOP or len(w) < 2]] = 1e-6
        self.word_idf = word_idf
        members = {}
        for i, g in enumerate(arrays["tr_group"]):
            members.setdefault(int(g), []).append(i)
        self.groups = [np.array(v) for v in members.values() if len(v) >= 64] or [np.arange(t.count)]
        weight = np.array([len(v) ** 0.6 for v in self.groups])
        self.group_weight = weight / weight.sum()
        self.documented = np.where(t.sentence > 0)[0]
        i32 = lambda x: jnp.asarray(np.asarray(x, np.int32))
        self.data = dict(
            bag_at=i32(t.bag_at), rows=i32(t.rows), counts=jnp.asarray(t.counts), text_at=i32(t.text_at), words=i32(t.words),
            comments=i32(t.comments), comment_at=i32(t.comment_at), sentence=i32(t.sentence), same=i32(t.same),
            word_rows=i32(self.word_rows), pieces=i32(word_piece), idf=jnp.asarray(word_idf),
        )  # fmt: skip
        self.encoder = Encoder(minilm)
        self._row_vectors = None

    def row_vectors(self):
        """the encoder's vector of each row of the vocabulary"""
        if self._row_vectors is None:
            n = (self.row_pieces > 0).sum(1)
            size = -(-self.none // 2048) * 2048
            ids = np.full((size, 6), 101, np.int32)
            mask = np.ones((size, 6), bool)
            ids[: self.none, 1:5] = self.row_pieces
            ids[np.arange(self.none), n + 1] = 102
            mask[: self.none] = np.arange(6)[None] < (n + 2)[:, None]
            layers, fixed = self.encoder.layers(range(6)), self.encoder.fixed
            run = jax.jit(pooled_tokens)
            parts = [
                np.asarray(run(layers, jnp.asarray(ids[s : s + 2048]), jnp.asarray(mask[s : s + 2048]), fixed))
                for s in range(0, size, 2048)
            ]
            self._row_vectors = np.concatenate(parts)[: self.none]
        return self._row_vectors

    def projected(self, dimensions):
        """the rows' vectors in their first principal components, and these"""
        centred = self.row_vectors() - self.row_vectors().mean(0)
        components = np.linalg.svd(centred, full_matrices=False)[2][:dimensions].T.copy()
        rows = centred @ components
        return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), components

    def batch_rows(self, rng, batch, shares, parts):
        """records of some folders, and others at random"""
        picked = rng.choice(len(self.groups), min(parts, len(self.groups)), p=self.group_weight, replace=False)
        size = batch // shares
        near = [rng.choice(self.groups[g], min(size, len(self.groups[g])), replace=False) for g in picked]
        near = np.unique(np.concatenate(near))[:batch]
        far = np.setdiff1d(self.documented[rng.integers(0, len(self.documented), 2 * batch)], near)
        return np.concatenate([near, rng.permutation(far)[: batch - len(near)]]).astype(np.int32)


# ---------------------------------------------------------------- the encoder


class Encoder:
    """all-MiniLM-L6-v2; the vectors of its word pieces stay as they are"""

    PARTS = {
        "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "o": "attention.output.dense",
        "f1": "intermediate.dense", "f2": "output.dense",
    }  # fmt: skip
    NORMS = {"n1": "attention.output.LayerNorm", "n2": "output.LayerNorm"}

    def __init__(self, folder):
        self.tensors = load_file(f"{folder}/all-minilm-l6-v2-int8.safetensors")
        norm = "embeddings.LayerNorm."
        self.fixed = dict(
            words=jnp.asarray(self.full("embeddings.word_embeddings")),
            positions=jnp.asarray(self.full("embeddings.position_embeddings")),
            norm=(jnp.asarray(self.tensors[norm + "weight"]), jnp.asarray(self.tensors[norm + "bias"])),
        )

    def full(self, name):
        return self.tensors[name + ".weight"].astype(np.float32) * self.tensors[name + ".scale"][:, None]

    def layers(self, numbers):
        at = lambda n, part: f"encoder.layer.{n}.{part}"
        out = {}
        for k, part in self.PARTS.items():
            out[k + "w"] = np.stack([self.full(at(n, part)).T for n in numbers])
            out[k + "b"] = np.stack([self.tensors[at(n, part) + ".bias"] for n in numbers])
        for k, part in self.NORMS.items():
            out[k + "w"] = np.stack([self.tensors[at(n, part) + ".weight"] for n in numbers])
            out[k + "b"] = np.stack([self.tensors[at(n, part) + ".bias"] for n in numbers])
        return {k: jnp.asarray(v) for k, v in out.items()}


def unit(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-10)


def layer_norm(x, weight, bias):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-12) * weight + bias


def dense(x, w, b):
    return jnp.dot(x.astype(HALF), w.astype(HALF), preferred_element_type=jnp.float32) + b


def tokens(layers, ids, mask, fixed):
    x = layer_norm(fixed["words"][ids] + fixed["positions"][: ids.shape[1]][None], *fixed["norm"])
    size, length = ids.shape
    bias = jnp.where(mask, 0.0, -1e9)[:, None, None, :]

    def layer(x, p):
        head = lambda k: dense(x, p[k + "w"], p[k + "b"]).reshape(size, length, 12, 32).astype(HALF)
        scores = jnp.einsum("bthd,bshd->bhts", head("q"), head("k"), preferred_element_type=jnp.float32)
        share = jax.nn.softmax(scores / math.sqrt(32) + bias, -1).astype(HALF)
        mixed = jnp.einsum("bhts,bshd->bthd", share, head("v"), preferred_element_type=jnp.float32)
        x = layer_norm(x + dense(mixed.reshape(size, length, 384), p["ow"], p["ob"]), p["n1w"], p["n1b"])
        inner = jax.nn.gelu(dense(x, p["f1w"], p["f1b"]), approximate=False)
        return layer_norm(x + dense(inner, p["f2w"], p["f2b"]), p["n2w"], p["n2b"]), None

    return jax.lax.scan(layer, x, layers)[0]


def pooled_tokens(layers, ids, mask, fixed):
    m = mask[..., None].astype(jnp.float32)
    return unit((tokens(layers, ids, mask, fixed) * m).sum(1) / m.sum(1))


def with_marks(words, mask, pieces):
    """numbers of word pieces between the two marks of a sentence"""
    p = pieces[words]
    ok = (mask[..., None] & (p > 0)).reshape(len(words), -1)
    p = p.reshape(len(words), -1)
    order = jnp.argsort(~ok, axis=1, stable=True)[:, : QUERY_PIECES - 2]
    n = jnp.minimum(ok.sum(1), QUERY_PIECES - 2)
    p = jnp.where(jnp.arange(QUERY_PIECES - 2)[None] < n[:, None], jnp.take_along_axis(p, order, 1), 0)
    ids = jnp.pad(p, ((0, 0), (1, 1))).at[:, 0].set(101).at[jnp.arange(len(words)), n + 1].set(102)
    return ids, jnp.arange(QUERY_PIECES)[None] < (n + 2)[:, None]


# ---------------------------------------------------------------- batches


def ragged(at, which, most, key=None):
    start, n = at[which], at[which + 1] - at[which]
    j = jnp.arange(most)[None]
    shift = jnp.zeros_like(n)
    if key is not None:
        shift = jnp.where(n > most, (jax.random.uniform(key, n.shape) * n).astype(jnp.int32), 0)
    return start[:, None] + (j + shift[:, None]) % jnp.maximum(n, 1)[:, None], j < n[:, None]


def query_forms(which, keys, data, first, last_text):
    """the form of each query (0 sentence, 1 keywords, 2 documentation, 3 parameters, 4 comment, 5 name, 6 sentence to
    documentation) and its text"""
    size = len(which)
    u, v = jax.random.uniform(keys[0], (size,)), jax.random.uniform(keys[1], (size,))
    n = data["comments"][which]
    has = lambda k: data["text_at"][first[k] + which + 1] > data["text_at"][first[k] + which]
    bounds = [(0.42, 0), (0.64, 1), (0.74, 2), (0.80, jnp.where(has("r"), 3, 0)), (0.90, jnp.where(n > 0, 4, 1)),
              (0.95, jnp.where(has("n"), 5, 1))]  # fmt: skip
    form = jnp.full((size,), 6)
    for bound, value in reversed(bounds):
        form = jnp.where(u < bound, value, form)
    form = jnp.where(data["sentence"][which] > 0, form, jnp.where((n > 0) & (u < 0.7), 4, 5))
    text = first["q"] + which
    for value, kind in ((2, "d"), (3, "r"), (5, "n")):
        text = jnp.where(form == value, first[kind] + which, text)
    comment = first["cm"] + data["comment_at"][which] + (v * n).astype(jnp.int32)
    return form, jnp.where(form == 4, jnp.minimum(comment, last_text), text)


def make_batch(which, key, overlap, data, first, last_text, none):
    keys = jax.random.split(key, 16)
    size = len(which)
    chance = lambda k, shape=(size,): jax.random.uniform(keys[k], shape)
    form, text = query_forms(which, keys, data, first, last_text)

    def words(texts, most):
        at, mask = ragged(data["text_at"], texts, most)
        return data["words"][at], mask

    def rows(w, mask):
        return jnp.where(mask[..., None], data["word_rows"][w], none).reshape(size, -1)

    asked, mask = words(text, QUERY_WORDS)
    rare = data["idf"][asked]
    few = (form == 1) | ((form == 4) & (chance(2) < 0.3)) | ((form == 6) & (chance(3) < 0.4))
    drawn = jnp.where(mask, jnp.log(rare + 1e-6) + jax.random.gumbel(keys[4], asked.shape), -1e9)
    place = jnp.argsort(jnp.argsort(-drawn, 1), 1)
    most = 2 + (chance(5, (size, 1)) * 5).astype(jnp.int32)
    kept = (chance(6, asked.shape) >= 0.1) | (form == 5)[:, None]
    mask = mask & jnp.where(few[:, None], (place < most) & (rare > 1e-5), kept)
    query = rows(asked, mask)

    at, inside = ragged(data["bag_at"], which, CODE_ROWS, keys[7])
    body = jnp.where(inside & (chance(8, at.shape) >= 0.3), data["rows"][at], none)
    parts = [(body, jnp.sqrt(data["counts"][at].astype(jnp.float32)) * jnp.where(form == 6, 0.5, 1.0)[:, None])]
    name = rows(*words(first["n"] + which, 10))
    parts.append((name, jnp.where((chance(9) < 0.7) & (form != 5), 3.0, 0.0)[:, None]))
    path = rows(*words(first["t"] + which, 4))
    parts.append((path, jnp.where(chance(10) < 0.8, 0.5, 0.0)[:, None]))
    for c in range(3):  # comments belong to the code, unless one of them is the query
        w, m = words(jnp.minimum(first["cm"] + data["comment_at"][which] + c, last_text), 20)
        there = (
            (c < data["comments"][which])
            & (form != 4)
            & (jax.random.uniform(jax.random.fold_in(keys[11], c), (size,)) < 0.8)
        )
        parts.append((jnp.where(there[:, None], rows(w, m), none), jnp.ones(())))
    w, m = words(first["d"] + which, QUERY_WORDS)
    documentation = jnp.where((form == 6)[:, None], rows(w, m & (chance(12, m.shape) > 0.3)), none)
    parts.append((documentation, jnp.ones(())))
    code = jnp.concatenate([ids for ids, _ in parts], 1)
    value = jnp.concatenate([jnp.broadcast_to(v, ids.shape) for ids, v in parts], 1)
    if overlap > 0:
        hard = (chance(13) < overlap) & (form != 6)
        common = (code[:, :, None] == query[:, None, :]).any(2)
        value = jnp.where(common & hard[:, None] & (chance(14, code.shape) < 0.85), 0.0, value)
    return dict(words=asked, mask=mask, query=query, code=code, value=value, bad=~mask.any(1))


def repeated(same):
    return (same[:, None] == same[None]) & ~jnp.eye(len(same), dtype=bool)


def contrast(scores, same, bad):
    """cross-entropy of the right code for a query, and half that of the right query for the code"""
    scores = jnp.where(same, -1e4, scores)
    right, good = jnp.diagonal(scores), (~bad).astype(jnp.float32)
    loss = 1.5 * -right + jax.nn.logsumexp(scores, 1) + 0.5 * jax.nn.logsumexp(scores, 0)
    return (loss * good).sum() / good.sum()


def adam(p, m, v, g, rate, step, touched=True):
    m2, v2 = 0.9 * m + 0.1 * g, 0.98 * v + 0.02 * g * g
    p2 = p - rate * (m2 / (1 - 0.9**step)) / (jnp.sqrt(v2 / (1 - 0.98**step)) + 1e-8)
    return tuple(jnp.where(touched, new, old) for new, old in ((p2, p), (m2, m), (v2, v)))


# ---------------------------------------------------------------- pooled vectors


def weighted_sum(table, weights, ids, values):
    table = jnp.pad(table, ((0, 1), (0, 0)))
    return jnp.einsum("bl,bld->bd", values * jnp.pad(weights, (0, 1))[ids], table[ids])


class Pooled:
    """a vector for the code, by the table; one for the query, by the table and by the encoder"""

    HARD = (8, 6)
    RATES = {"layers": 0.015, "project": 0.25, "shift": 0.25}

    def __init__(
        self, task, rng, layers=0, frozen=False, start="random", dimensions=256, distill=0.0, tau=0.05, rate=4e-3
    ):
        self.layers, self.frozen, self.distill, self.tau, self.rate = layers, frozen, distill, tau, rate
        table = rng.normal(0, 1, (task.none, dimensions)).astype(np.float32)
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        project = (rng.normal(0, 1, (384, dimensions)) / math.sqrt(384)).astype(np.float32)
        if start == "minilm":
            rows, project = task.projected(dimensions)
            table = (0.8 * rows + 0.6 * table).astype(np.float32)
        self.start = {
            "table": jnp.asarray(table * (task.idf / task.idf.mean())[:, None]),
            "weights": jnp.ones((2, task.none)),
        }
        self.given = None
        if layers:
            self.start |= {"project": jnp.asarray(project), "shift": jnp.zeros(dimensions)}
            encoder = task.encoder.layers(range(layers))
            if frozen:
                self.given = encoder
            else:
                self.start["layers"] = encoder

    def encoded(self, p, given, words, mask, data, fixed):
        ids, m = with_marks(words, mask, data["pieces"])
        h = pooled_tokens(p.get("layers", given), ids, m, fixed)
        if self.frozen:
            h = jax.lax.stop_gradient(h)
        return unit(h @ p["project"] + p["shift"])

    def loss(self, p, given, batch, same, data, fixed):
        code = unit(weighted_sum(p["table"], p["weights"][0], batch["code"], batch["value"]))
        query = unit(weighted_sum(p["table"], p["weights"][1], batch["query"], jnp.ones(batch["query"].shape)))
        score = lambda q: jnp.dot(q.astype(HALF), code.T.astype(HALF), preferred_element_type=jnp.float32) / self.tau
        table = contrast(score(query), same, batch["bad"])
        if not self.layers:
            return table, {"table": table}
        encoded = self.encoded(p, given, batch["words"], batch["mask"], data, fixed)
        alone = contrast(score(encoded), same, batch["bad"])
        both = contrast(score(unit(query + encoded)), same, batch["bad"])
        apart = (1 - (query * jax.lax.stop_gradient(encoded)).sum(1)).mean()
        return 0.5 * table + alone + 0.5 * both + self.distill * apart, {
            "table": table,
            "encoder": alone,
            "both": both,
        }

    def update(self, k, p, m, v, g, rate, step):
        if k == "table":
            return adam(p, m, v, g, rate, step, (g != 0).any(1, keepdims=True))
        if k == "weights":
            p, m, v = adam(p, m, v, g, 2 * rate, step, g != 0)
            return jnp.clip(p, 0.02, 6.0), m, v
        return update_tree(p, m, v, g, rate * self.RATES[k], step)

    def export(self, task, p):
        table = np.asarray(p["table"])
        scale = np.abs(table).max(1) / 127 + 1e-12
        out = dict(
            embeddings=np.round(table / scale[:, None]).astype(np.int8), scale=scale.astype(np.float32),
            wq=np.asarray(p["weights"][1]), wd=np.asarray(p["weights"][0]),
        )  # fmt: skip
        if self.layers:
            run = jax.jit(lambda p, given, w, m, data, fixed: self.encoded(p, given, w, m, data, fixed))
            out["query"] = by_parts(run, p, self.given, task).astype(np.float16)
            out |= {"project": np.asarray(p["project"]), "shift": np.asarray(p["shift"])}
            out |= {"layer_" + k: np.asarray(v).astype(np.float16) for k, v in p.get("layers", {}).items()}
        return out


def update_tree(p, m, v, g, rate, step):
    new = tree_map(lambda *x: adam(*x, rate, step), p, m, v, g)
    pick = lambda n: tree_map(lambda x: x[n], new, is_leaf=lambda x: isinstance(x, tuple))
    return pick(0), pick(1), pick(2)


def by_parts(run, p, given, task, size=256):
    """`run` over the packed queries"""
    out = []
    words, mask = task.query_words
    for s in range(0, len(words), size):
        w, m = words[s : s + size], mask[s : s + size]
        more = ((0, size - len(w)), (0, 0))
        got = run(p, given, jnp.asarray(np.pad(w, more)), jnp.asarray(np.pad(m, more)), task.data, task.encoder.fixed)
        out.append(tree_map(lambda x: np.asarray(x)[: len(w)], got))
    return tree_map(lambda *x: np.concatenate(x), *out)


# ---------------------------------------------------------------- late interaction


class Late:
    """each word of the query with the most similar word of the code"""

    HARD = (4, 3)
    RATES = {"layers": 0.03, "project": 0.25, "gate": 0.25, "factor": 5.0, "asked": 5.0, "present": 5.0}
    ROWS = 200

    def __init__(self, task, rng, layers=0, own=False, dimensions=128, rate=2e-3):
        self.layers, self.own, self.rate, self.given = layers, own, rate, None
        rows, project = task.projected(dimensions)
        rows = rows + 0.5 * rng.normal(0, 1, rows.shape) / math.sqrt(dimensions)
        rows = jnp.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), jnp.float32)
        weight = np.log(np.expm1(np.clip(task.idf / task.idf.mean(), 0.05, 4)))
        self.start = {
            "table": rows,
            "asked": jnp.asarray(weight),
            "present": jnp.zeros(task.none),
            "factor": jnp.asarray([10.0]),
        }
        if own:
            self.start["queries"] = rows
        if layers:
            self.start |= {
                "project": jnp.asarray(project),
                "gate": jnp.zeros(384),
                "layers": task.encoder.layers(range(layers)),
            }

    def query_tokens(self, p, given, words, mask, data, fixed):
        if self.layers:
            ids, m = with_marks(words, mask, data["pieces"])
            h = tokens(p["layers"], ids, m, fixed)
            return unit(h @ p["project"]), jax.nn.softplus(h @ p["gate"]) * m
        table = jnp.pad(p["queries"] if self.own else p["table"], ((0, 1), (0, 0)))
        rows = jnp.where(mask, data["word_rows"][words][..., 0], len(table) - 1)
        return unit(table[rows]), jnp.pad(jax.nn.softplus(p["asked"]), (0, 1))[rows]

    def loss(self, p, given, batch, same, data, fixed):
        query, weight = self.query_tokens(p, given, batch["words"], batch["mask"], data, fixed)
        ids, there = batch["code"][:, : self.ROWS], batch["value"][:, : self.ROWS] > 0
        code = unit(jnp.pad(p["table"], ((0, 1), (0, 0)))[ids])
        code = code * jax.nn.sigmoid(1.0 + jnp.pad(p["present"], (0, 1))[ids])[..., None] * there[..., None]
        near = jnp.einsum("qid,kjd->qkij", query.astype(HALF), code.astype(HALF), preferred_element_type=HALF).max(3)
        score = jnp.einsum("qki,qi->qk", near.astype(jnp.float32), weight) / (weight.sum(1)[:, None] + 1e-3)
        loss = contrast(score * p["factor"][0], same, batch["bad"])
        return loss, {"late": loss}

    def update(self, k, p, m, v, g, rate, step):
        return update_tree(p, m, v, g, rate * self.RATES.get(k, 1.0), step)

    def export(self, task, p):
        table = np.asarray(p["table"])
        present = 1 / (1 + np.exp(-1 - np.asarray(p["present"])))
        table = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1e-9) * present[:, None]
        run = jax.jit(lambda p, given, w, m, data, fixed: self.query_tokens(p, given, w, m, data, fixed))
        query, weight = by_parts(run, p, None, task)
        out = dict(table=table.astype(np.float16), query=query.astype(np.float16), weight=weight.astype(np.float16))
        return out | {"layer_" + k: np.asarray(v).astype(np.float16) for k, v in p.get("layers", {}).items()}


# ---------------------------------------------------------------- one variant


def train(task, name, steps, batch, overlap=0.0, seed=0, budget=1e9, **options):
    began, rng, key = time.time(), np.random.default_rng(seed), jax.random.PRNGKey(seed)
    model = (Late if name[0] == "M" else Pooled)(task, rng, **options)
    first, last_text = task.train.first, len(task.train.text_at) - 2
    none, fixed = task.none, task.encoder.fixed

    @jax.jit
    def one(p, moments, which, key, rate, step, given, data, fixed):
        made = make_batch(which, key, overlap, data, first, last_text, none)
        same = repeated(data["same"][which])
        (_, parts), g = jax.value_and_grad(model.loss, has_aux=True)(p, given, made, same, data, fixed)
        new = {k: model.update(k, p[k], moments[0][k], moments[1][k], g[k], rate, step) for k in p}
        return (
            {k: n[0] for k, n in new.items()},
            ({k: n[1] for k, n in new.items()}, {k: n[2] for k, n in new.items()}),
            parts,
        )

    p = model.start
    moments = (tree_map(jnp.zeros_like, p), tree_map(jnp.zeros_like, p))
    step, timed = 0, None
    while step < steps:
        step += 1
        key, k = jax.random.split(key)
        rate = model.rate * min(1, step / 100) * max(0.02, 1 - step / steps)
        which = jnp.asarray(task.batch_rows(rng, batch, *model.HARD))
        p, moments, parts = one(p, moments, which, k, rate, step, model.given, task.data, fixed)
        if step == 3:
            jax.block_until_ready(parts)
            timed = time.time()
        if step == 30:
            jax.block_until_ready(parts)
            each = (time.time() - timed) / 27
            steps = max(min(200, steps), min(steps, int(budget / each)))
            print(f"{name}: {each * 1e3:.1f} ms a step, {steps} steps", flush=True)
        if step >= steps or step % 500 == 0:
            shown = {a: round(float(b), 3) for a, b in parts.items()}
            print(name, step, shown, f"{time.time() - began:.0f}s", flush=True)
            if not all(math.isfinite(x) for x in shown.values()):
                raise FloatingPointError(name)
    if isinstance(model, Pooled):
        held_out(task, name, model, p)
    return model.export(task, p)


def held_out(task, name, model, p):
    """NDCG@10 of the table and the encoder on packages held out: by sentences, by four keywords, and by those words alone
    that the code lacks"""
    h, found, rng = task.held, {}, np.random.default_rng(1)
    vector = jax.jit(lambda t, w, i, v: unit(weighted_sum(t, w, i, v)))
    encode = jax.jit(lambda p, given, w, m, data, fixed: model.encoded(p, given, w, m, data, fixed))

    def rows(words, mask):
        return np.where(mask[..., None], task.word_rows[words], task.none).reshape(len(words), -1)

    for s in range(len(task.sets)):
        which = np.where(task.held_set == s)[0]
        asked = which[h.sentence[which] > 0]
        _, at, n = np.unique(h.same[asked], return_index=True, return_counts=True)
        asked = np.sort(asked[at[n == 1]])[:250]
        if len(asked) < 5:
            continue
        body, mask = padded(h.bag_at, h.rows, which, 300)
        count, _ = padded(h.bag_at, h.counts, which, 300)
        name_rows, path = rows(*h.padded(h.first["n"] + which, 10)), rows(*h.padded(h.first["t"] + which, 4))
        code = np.concatenate([np.where(mask, body, task.none), name_rows, path], 1)
        value = [np.sqrt(count.astype(np.float32)), np.full(name_rows.shape, 3.0), np.full(path.shape, 0.5)]
        code_vectors = np.asarray(vector(p["table"], p["weights"][0], code, np.concatenate(value, 1)))
        gold = np.searchsorted(which, asked)
        words, mask = h.padded(asked, QUERY_WORDS)
        content = mask & (task.word_idf[words] > 1e-5)
        drawn = np.where(content, np.log(task.word_idf[words]) + rng.gumbel(size=words.shape), -1e9)
        keywords = content & (np.argsort(np.argsort(-drawn, 1), 1) < 4)
        r = task.word_rows[words]
        common = ((r[..., None] == code[gold][:, None, None, :]) & (r < task.none)[..., None]).any(3).any(2)
        other = content & ~common
        for form, m in (("sentence", mask), ("keywords", keywords), ("other words", other)):
            keep = m.sum(1) >= 2
            if not keep.any():
                continue
            ids = rows(words[keep], m[keep])
            queries = {"table": np.asarray(vector(p["table"], p["weights"][1], ids, np.ones(ids.shape)))}
            if model.layers:
                queries["encoder"] = np.asarray(
                    encode(
                        p, model.given, jnp.asarray(words[keep]), jnp.asarray(m[keep]), task.data, task.encoder.fixed
                    )
                )
                queries["both"] = queries["table"] + queries["encoder"]
            for by, q in queries.items():
                scores = q @ code_vectors.T
                best = scores[np.arange(len(q)), gold[keep]][:, None]
                rank = 1 + (scores > best).sum(1) + ((scores == best).sum(1) - 1) / 2
                found.setdefault((form, by), []).append(np.where(rank <= 10, 1 / np.log2(1 + rank), 0).mean())
    print("held out", name, {" by ".join(k): round(float(np.mean(v)), 3) for k, v in found.items()}, flush=True)


def main():
    pack, minilm, out, *variants = sys.argv[1:]
    task = Task(pack, minilm)
    print("records", task.train.count, "held out", task.held.count, "rows", task.none, flush=True)
    os.makedirs(out, exist_ok=True)
    for text in variants:
        name, _, more = text.partition(":")
        options = dict(VARIANTS[name.split("-")[0]])
        for pair in filter(None, more.split(",")):
            k, v = pair.split("=")
            options[k] = json.loads(v) if v[:1] in "-.0123456789tf" else v
        if ON_CPU:
            options |= dict(steps=min(options["steps"], 12), batch=64)
        try:
            np.savez_compressed(f"{out}/{name}.npz", **train(task, name, **options))
        except Exception:  # the others may still go well, and time on an accelerator is dear
            traceback.print_exc()


if __name__ == "__main__":
    main()
