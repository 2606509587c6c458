"""The compared programs, each driven as its own documentation says, with its default settings.

`callers` gives the units that a program names as callers of a function, and the text that an agent would read. `search` gives files, best
first. Programs that cannot answer a kind of question do not have the method.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import measure

LIMIT = 200
FILES = 50
TEXTS = 20
HERE = pathlib.Path(__file__).parent
CALLS = {
    "python": ("call", "function"), "go": ("call_expression", "function"),
    "typescript": ("call_expression", "function"), "java": ("method_invocation", "name"),
}


class Peer:
    """A program on one repository. `tools` is the folder of installed programs, `home` an empty home folder."""

    name = ""
    languages = None
    server = None
    texts = 0

    def __init__(self, tools: pathlib.Path, root: pathlib.Path, home: pathlib.Path, language: str, binary: str):
        self.tools, self.root, self.home, self.language, self.binary = tools, root, home, language, binary
        home.mkdir(parents=True, exist_ok=True)
        path = [tools / "npm-node/node_modules/.bin", tools / "serena-agent/bin", tools / "python3.13"]
        self.env = dict(os.environ, HOME=str(home), TMPDIR=str(home), NO_COLOR="1", CODEGRAPH_TELEMETRY="0",
                        PATH=":".join([*map(str, path), os.environ["PATH"]]))

    def run(self, *command, watch=False) -> dict:
        return measure.run([str(c) for c in command], self.root, self.env, 600, watch)

    def text(self, *command) -> str:
        """The answer as text, where the answer that is judged is another form; only of the first questions."""
        self.texts += 1
        return self.run(*command)["out"] if self.texts <= TEXTS else ""

    def version(self) -> str:
        return ""

    def index(self):
        """Builds the index; none if there is nothing to build."""
        return None

    def disk(self) -> int:
        return 0

    def open(self) -> None:
        """Starts the server, if there is one."""

    def refresh(self) -> None:
        """Says that files changed, where the program wants to be told."""

    def close(self):
        if self.server:
            cost = self.server.close()
            self.server = None
            return cost
        return None


class Ripgrep(Peer):
    name = "ripgrep"

    def version(self):
        return self.run("rg", "--version")["out"].split()[1]

    def callers(self, function, units):
        found = self.run("rg", "-n", "--no-heading", rf"\b{function['name']}\s*\(")
        places = [line.split(":", 2) for line in found["out"].splitlines()]
        places = [(p[0].removeprefix("./"), int(p[1])) for p in places if len(p) == 3 and p[1].isdigit()]
        places = [p for p in places if p != (function["file"], function["line"])]
        return {units.at(*p) for p in places}, found["out"]

    def search(self, query):
        """Files by the number of words of the query they contain, then by hits: what a shell offers."""
        scores = {}
        for word in {w.lower() for w in re.findall(r"\w{3,}", query)}:
            found = self.run("rg", "-ic", re.escape(word))
            for line in found["out"].splitlines():
                file, _, count = line.rpartition(":")
                words, hits = scores.get(file, (0, 0))
                scores[file] = (words + 1, hits + int(count))
        ranked = sorted(scores, key=lambda f: scores[f], reverse=True)
        return ranked, "\n".join(ranked[:10])


class AstGrep(Peer):
    name = "ast-grep"

    def version(self):
        return self.run(self.tools / "ast-grep-cli/bin/ast-grep", "--version")["out"].split()[1]

    def callers(self, function, units):
        kind, field = CALLS[self.language]
        rule = {"id": "callers", "language": self.language, "rule": {
            "kind": kind, "has": {"field": field, "regex": rf"(^|[.]){function['name']}$"},
        }}
        command = [self.tools / "ast-grep-cli/bin/ast-grep", "scan", "--inline-rules", json.dumps(rule), "--json=stream", "."]
        found = [json.loads(line) for line in self.run(*command)["out"].splitlines()]
        places = [(f["file"].removeprefix("./"), f["range"]["start"]["line"] + 1, f["lines"]) for f in found]
        text = "\n".join(f"{file}:{line}:{lines}" for file, line, lines in places)
        return {units.at(file, line) for file, line, _ in places}, text


class Knotwork(Peer):
    name = "Knotwork"

    def version(self):
        return self.run(self.binary, "--version")["out"].split()[-1]

    def index(self):
        return self.run(self.binary, "index", watch=True)

    def disk(self):
        return measure.disk(self.root / ".devbooks")

    def callers(self, function, units):
        command = [self.binary, "call-chain", f"{function['file']}:{function['line']}", "--depth", "1", "--limit", LIMIT]
        text = self.text(*command)
        answer = json.loads(self.run(*command, "--format", "json")["out"] or "{}")
        nodes = [caller for path in answer.get("paths", []) for caller in path.get("callers", [])]
        return {(n["file_path"], 0) if n["kind"] == "file" else units.at(n["file_path"], n["line"]) for n in nodes}, text

    def search(self, query):
        text = self.text(self.binary, "search", query)
        answer = json.loads(self.run(self.binary, "search", query, "--limit", FILES, "--format", "json")["out"] or "{}")
        return [r["file_path"] for r in answer.get("results", [])], text


class CodeGraph(Peer):
    name = "codegraph"

    @property
    def program(self):
        return self.tools / "npm-codegraph/node_modules/.bin/codegraph"

    def version(self):
        return self.run(self.program, "--version")["out"].strip()

    def index(self):
        return self.run(self.program, "init", "-y", ".", watch=True)

    def open(self):
        # An agent has its server running, which follows changes; the questions go to the command line.
        self.watcher = measure.Mcp([str(self.program), "serve", "--mcp"], self.root, self.env)

    def close(self):
        if getattr(self, "watcher", None):
            self.watcher.close()
            self.watcher = None

    def disk(self):
        return measure.disk(self.root / ".codegraph")

    def callers(self, function, units):
        command = [self.program, "callers", "-f", function["file"], "-l", LIMIT, function["name"]]
        text = self.text(*command)
        out = self.run(*command, "--json")["out"]
        answer = json.loads(out[out.find("{"):]) if "{" in out else {}
        definitions = [d for d in answer.get("definitions", []) if d["definition"]["filePath"] == function["file"]]
        if not definitions:
            return set(), text
        nearest = min(definitions, key=lambda d: abs(d["definition"]["startLine"] - function["line"]))
        # It lists imports and methods of interfaces too, and says so; these are no calls.
        nodes = [n for n in nearest["callers"] if {"calls", "instantiates"} & set(n.get("relationships", ["calls"]))]
        return {(n["filePath"], 0) if n["kind"] == "file" else units.at(n["filePath"], n["startLine"]) for n in nodes}, text

    def search(self, query):
        text = self.text(self.program, "explore", query)
        wide = self.run(self.program, "explore", "--max-files", "10", query)["out"]
        return re.findall(r"^\*\*`([^`]+)`\*\*", wide, re.M), text

    def refresh(self):
        self.run(self.program, "sync", ".")


class GitNexus(Peer):
    name = "GitNexus"

    @property
    def program(self):
        return self.tools / "npm-gitnexus/node_modules/.bin/gitnexus"

    def version(self):
        return self.run(self.program, "--version")["out"].strip()

    def index(self):
        return self.run(self.program, "analyze", ".", watch=True)

    def disk(self):
        return measure.disk(self.root / ".gitnexus")

    def open(self):
        self.server = measure.Mcp([str(self.program), "mcp"], self.root, self.env)

    def ask(self, **question):
        out = self.server.call("context", question)
        try:
            return json.JSONDecoder().raw_decode(out[out.find("{"):])[0], out
        except ValueError:
            return {}, out

    def callers(self, function, units):
        answer, text = self.ask(name=function["name"], file_path=function["file"])
        if answer.get("candidates"):
            nearest = min(answer["candidates"], key=lambda c: abs((c.get("line") or c.get("startLine") or 0) - function["line"]))
            answer, more = self.ask(uid=nearest["uid"])
            text += more
        found = set()
        for caller in answer.get("incoming", {}).get("calls", []):
            name = caller["uid"].split(":", 2)[-1].split("#")[0]
            is_file = caller["uid"].startswith("File:")
            found.add((caller["filePath"], 0) if is_file else units.named(caller["filePath"], name, function["callers"]))
        return found, text

    def refresh(self):
        self.run(self.program, "analyze", ".")


class Munch(Peer):
    name = "jcodemunch"

    def version(self):
        return self.run(self.tools / "jcodemunch-mcp/bin/jcodemunch-mcp", "--version")["out"].split()[-1]

    def order(self, action, **arguments):
        allowed = {"allow_state_change": True} if action in ("index_folder", "register_edit") else {}
        return self.server.call("order", {"action": action, "args": arguments, **allowed})

    def open(self):
        self.server = measure.Mcp([str(self.tools / "jcodemunch-mcp/bin/jcodemunch-mcp")], self.root, self.env)
        self.repo = json.loads(self.order("resolve_repo", path=str(self.root))).get("repo")

    def index(self):
        self.open()
        self.order("index_folder", path=str(self.root))
        return self.close()

    def disk(self):
        return measure.disk(self.home / ".code-index")

    def callers(self, function, units):
        outline = json.loads(self.order("get_file_outline", repo=self.repo, file_path=function["file"], format="json"))
        symbols = [s for s in outline.get("symbols", []) if s["name"] == function["name"]]
        if not symbols:
            return set(), ""
        nearest = min(symbols, key=lambda s: abs(s["line"] - function["line"]))
        question = {"repo": self.repo, "symbol_id": nearest["id"], "direction": "callers", "depth": 1}
        text = self.order("get_call_hierarchy", **question)
        answer = json.loads(self.order("get_call_hierarchy", **question, format="json"))
        callers = answer.get("callers", [])
        self.sure = {units.at(c["file"], c["line"]) for c in callers if c.get("resolution") != "text_matched"}
        return {units.at(c["file"], c["line"]) for c in callers}, text

    def search(self, query):
        text = self.order("search_symbols", repo=self.repo, query=query)
        wide = json.loads(self.order("search_symbols", repo=self.repo, query=query, max_results=FILES, format="json"))
        return [r["file"] for r in wide.get("results", [])], text

    def refresh(self):
        self.order("index_folder", path=str(self.root))


class CodeIndex(Peer):
    name = "code-index-mcp"

    def version(self):
        return self.run(self.tools / "code-index-mcp/bin/pip", "show", "code-index-mcp")["out"].split()[3]

    def open(self):
        command = [str(self.tools / "code-index-mcp/bin/code-index-mcp"), "--project-path", str(self.root)]
        self.server = measure.Mcp(command, self.root, self.env)
        # A new server has no symbols before this.
        self.server.call("build_deep_index", {})

    def index(self):
        self.open()
        return self.close()

    def disk(self):
        return measure.disk(self.home / "code_indexer")

    def callers(self, function, units):
        summary = json.loads(self.server.call("get_file_summary", {"file_path": function["file"]}))
        symbols = [s for key in ("functions", "methods", "classes") for s in summary.get(key) or [] if isinstance(s, dict)]
        symbols = [s for s in symbols if s["name"].split(".")[-1] == function["name"]]
        if not symbols:
            return set(), ""
        nearest = min(symbols, key=lambda s: abs(s.get("line", 0) - function["line"]))
        text = self.server.call("get_symbol_body", {"file_path": function["file"], "symbol_name": nearest["name"]})
        callers = [c.split("::", 1) for c in nearest.get("called_by") or []]
        return {units.named(c[0], c[1], function["callers"]) if len(c) == 2 else (c[0], 0) for c in callers}, text

    def refresh(self):
        self.server.call("build_deep_index", {})


class Serena(Peer):
    name = "Serena"
    languages = {"python", "go", "typescript"}

    def version(self):
        return self.run(self.tools / "serena-agent/bin/serena", "--version")["out"].split()[-1]

    def open(self):
        self.server = measure.Mcp([
            str(self.tools / "serena-agent/bin/serena"), "start-mcp-server", "--agent-interface", "tools", "--context", "ide",
            "--project", str(self.root), "--enable-web-dashboard", "false", "--open-web-dashboard", "false",
        ], self.root, self.env)

    def disk(self):
        return measure.disk(self.root / ".serena")

    def callers(self, function, units):
        question = {"name_path_pattern": function["name"], "relative_path": function["file"]}
        out = self.server.call("find_symbol", question, 300)
        symbols = [s for s in (json.loads(out) if out.startswith("[") else []) if "body_location" in s]
        if not symbols:
            return set(), out
        nearest = min(symbols, key=lambda s: abs(s["body_location"]["start_line"] + 1 - function["line"]))
        question = {"name_path": nearest["name_path"], "relative_path": function["file"]}
        text = self.server.call("find_referencing_symbols", question, 300)
        found = set()
        for file, kinds in (json.loads(text) if text.startswith("{") else {}).items():
            for kind, symbols in kinds.items():
                for symbol in symbols:
                    # References that are no calls can be told by the line that it shows.
                    if not re.search(rf">.*\b{function['name']}\s*\(", symbol.get("content_around_reference", "")):
                        continue
                    place = symbol.get("body_location")
                    found.add((file, 0) if kind == "File" or not place else units.at(file, place["start_line"] + 1))
        return found, text


class LanguageServer(Peer):
    """Incoming calls of a language server, or references where it has no call hierarchy."""

    command = []

    def open(self):
        command = [str(self.tools / self.command[0]) if "/" in self.command[0] else self.command[0], *self.command[1:]]
        self.server = measure.Lsp(command, self.root, self.language, self.env)

    def callers(self, function, units):
        try:
            return self.incoming(function, units)
        except EOFError:
            # A server that ends at a question has no answer to it.
            self.close()
            self.open()
            return set(), ""

    def incoming(self, function, units):
        document = self.server.show(function["file"])
        place = {"textDocument": document, "position": {"line": function["line"] - 1, "character": function["column"]}}
        if not self.server.has_calls:
            asked = {**place, "context": {"includeDeclaration": False}}
            found = self.server.ask("textDocument/references", asked) or []
            places = [(self.path(f["uri"]), f["range"]["start"]["line"] + 1, "") for f in found]
        else:
            items = self.server.ask("textDocument/prepareCallHierarchy", place) or []
            calls = self.server.ask("callHierarchy/incomingCalls", {"item": items[0]}) if items else []
            places = [
                (self.path(call["from"]["uri"]), r["start"]["line"] + 1, call["from"]["name"])
                for call in calls or [] for r in call["fromRanges"]
            ]
        text = "\n".join(f"{file}:{line} {name}" for file, line, name in places)
        return {units.at(file, line) for file, line, _ in places}, text

    def path(self, uri: str) -> str:
        from urllib.parse import unquote, urlparse
        path = pathlib.Path(unquote(urlparse(uri).path))
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)


class Pyright(LanguageServer):
    name, languages, command = "pyright", {"python"}, ["pyright/bin/pyright-langserver", "--stdio"]

    def version(self):
        return self.run(self.tools / "pyright/bin/pyright", "--version")["out"].split()[-1]


class Pylsp(LanguageServer):
    name, languages, command = "python-lsp-server", {"python"}, ["python-lsp-server/bin/pylsp"]

    def version(self):
        return self.run(self.tools / "python-lsp-server/bin/pylsp", "--version")["out"].split()[-1]


class TypeScript(LanguageServer):
    name, languages = "typescript-language-server", {"typescript"}
    command = ["npm-typescript-language-server/node_modules/.bin/typescript-language-server", "--stdio"]

    def version(self):
        return self.run(self.tools / self.command[0], "--version")["out"].strip()


class Gopls(LanguageServer):
    name, languages, command = "gopls", {"go"}, ["gopls"]

    def version(self):
        return self.run("dpkg-query", "-W", "-f", "${Version}", "gopls")["out"]


class Aider(Peer):
    name = "aider's map"

    def version(self):
        return self.run(self.tools / "aider-chat/bin/pip", "show", "aider-chat")["out"].split()[3]

    @property
    def command(self):
        return [str(self.tools / "aider-chat/bin/python"), str(HERE / "aider_map.py"), str(self.root)]

    def index(self):
        return self.run(*self.command, watch=True)

    def disk(self):
        return measure.disk(*self.root.glob(".aider.tags.cache*"))

    def open(self):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen([*self.command, "--questions"], env=self.env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def search(self, query):
        self.child.stdin.write((query.replace("\n", " ") + "\n").encode())
        self.child.stdin.flush()
        line = b""
        while not line.startswith(b"{"):
            line = self.child.stdout.readline() or b"{}"
        answer = {"map": "", "files": [], **json.loads(line)}
        return answer["files"], answer["map"]

    def close(self):
        if getattr(self, "child", None):
            self.child.stdin.close()
            self.child.wait()
            self.child = None


ALL = [
    Knotwork, Ripgrep, AstGrep, CodeGraph, Munch, CodeIndex, Aider, Pyright, Pylsp, TypeScript, Gopls, Serena, GitNexus,
]

if __name__ == "__main__":
    print("\n".join(peer.name for peer in ALL), file=sys.stderr)
