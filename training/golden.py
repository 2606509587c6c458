"""Write the vectors that the test of the committed model compares with.

usage: golden.py TABLE.safetensors VOCAB.txt OUT.json"""

import json
import sys

import evaluate

QUERIES = [
    "where is the retry back-off computed",
    "HTTPServer getUserById",
    "parse JSON configuration file",
    "panic recovery middleware",
    "zxqv flurbo 12345 404",
    "how are routes registered",
]
GO = (
    "func (mx *Mux) Use(middlewares ...func(http.Handler) http.Handler) {\n"
    "\tmx.middlewares = append(mx.middlewares, middlewares...)\n}"
)
PYTHON = 'def load(path):\n    """Read a file."""\n    return open(path).read()\n'
# code, class, name, path
DOCUMENTS = [
    (GO, "Mux", "Use", "src/router/mux.go"),
    (PYTHON * 100, "", "load", "a/b/c/d/file_loader.test.py"),
    ("x = 1", "", "", ".eslintrc"),
    ("größe = ümlaut(解析)", "", "größe", "src/größe.rs"),
    ("A" * 10 + " HTTPServer2 snake_case " + "return " * 40, "Klass", "method", "lib/x.y/noext"),
]


def rounded(vector):
    return [round(float(x), 6) for x in vector]


def main():
    table = evaluate.Table(sys.argv[1] + ":" + sys.argv[2])
    out = [dict(kind="query", text=q, vector=rounded(table.query(q))) for q in QUERIES]
    for code, cls, name, path in DOCUMENTS:
        document = dict(code=code, cls=cls, name=name, file=path)
        vector = rounded(table.doc(document))
        out.append(dict(kind="document", text=code, names=cls + " " + name, path=path, vector=vector))
    with open(sys.argv[3], "w") as file:
        json.dump(out, file)


if __name__ == "__main__":
    main()
