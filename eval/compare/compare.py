"""Compares Knotwork with other programs on the repositories of plan.json, and writes one JSON file for each program and repository.

Usage: compare.py --tools DIR --repos DIR --truth DIR --queries FILE --binary FILE --out DIR [--only NAME]... [--repo NAME]...

- `--tools`: a folder with one folder for each installed program (see README.md)
- `--repos`: checkouts, `<owner>+<name>` each, at the commits of plan.json
- `--truth`: what compilers say of call sites, `<owner>+<name>.jsonl` each, as `cargo xtask truth` and eval/truth write it
- `--queries`: labelled queries, one JSON object a line

report.py makes the tables of these files.
"""

import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import time
import traceback

import measure
import peers
import units as places

HERE = pathlib.Path(__file__).parent
# How a function of each language looks that can be called from the end of its file, and such a caller.
PLAIN = {
    "python": r"^def NAME\(", "go": r"^func NAME\(", "typescript": r"^(export )?function NAME\(",
    "java": r"^    (public |private )?static [\w<>\[\], ]+ NAME\(\)",
}
CALLER = {
    "python": "\n\ndef zz_fresh():\n    return NAME()\n", "go": "\nfunc zzFresh() {\n\tNAME()\n}\n",
    "typescript": "\nexport function zzFresh() {\n  return NAME();\n}\n", "java": "    static void zzFresh() {\n        NAME();\n    }\n}\n",
}


def clone(source: pathlib.Path, target: pathlib.Path) -> None:
    """A checkout of its own that shares the objects. Files that the source lacks are left out."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "-s", "-n", str(source), str(target)], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["git", "checkout", "-qf", "HEAD"], cwd=target, check=False, stderr=subprocess.DEVNULL)


def cut(source: pathlib.Path, below: str, target: pathlib.Path) -> None:
    """A repository of the tracked files below a folder, with the same paths."""
    shutil.rmtree(target, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", below], cwd=source, capture_output=True, text=True, check=True)
    for file in listed.stdout.splitlines():
        if (source / file).is_file() and not (source / file).is_symlink():
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / file, target / file)
    git = ["git", "-c", "user.name=c", "-c", "user.email=c@example.org"]
    for command in (["init", "-q"], ["add", "-Af"], ["commit", "-qm", "files"]):
        subprocess.run([*git, *command], cwd=target, check=True)


def ndcg(ranked: list[str], gains: dict[str, float]) -> float:
    """NDCG@10 of files, each at its first place."""
    files = list(dict.fromkeys(ranked))[:10]
    gained = sum(gains.get(f, 0.0) / math.log2(at + 2) for at, f in enumerate(files))
    best = sum(g / math.log2(at + 2) for at, g in enumerate(sorted(gains.values(), reverse=True)[:10]))
    return gained / best


def reading(root: pathlib.Path) -> float:
    """Processor seconds of ripgrep reading all files of the repository, the mean of twenty."""
    costs = [measure.run(["rg", "-c", "zqzqzq", "."], root)["cpu"] for _ in range(20)]
    return sum(costs) / len(costs)


class Trial:
    """One program on one repository."""

    def __init__(self, kind, options, repository: dict, seed: int):
        self.repository, self.seed, self.options = repository, seed, options
        self.folder = repository["name"].replace("/", "+")
        self.out = options.out / kind.__name__.lower()
        self.root = (self.out / "work" / self.folder).resolve()
        home = (self.out / "home" / ("" if kind is peers.Serena else self.folder)).resolve()
        if kind is not peers.Serena:
            shutil.rmtree(home, ignore_errors=True)
        self.peer = kind(options.tools.resolve(), self.root, home, repository.get("language", ""), str(options.binary.resolve()))
        self.result = {"peer": kind.name, "repository": repository["name"]}

    def file(self, what: str) -> pathlib.Path:
        """Where the result is written; a result that is there is not measured again."""
        return self.out / f"{what}-{self.folder}.json"

    def index(self) -> bool:
        self.result["version"] = self.peer.version()
        cost = self.peer.index()
        if cost:
            self.result["index"] = {key: cost[key] for key in ("cpu", "wall", "peak", "rc", "late") if key in cost}
            (self.out / f"index-{self.folder}.txt").write_text(cost.get("out", "") + cost.get("err", ""))
        return not (cost and (cost.get("late") or cost.get("rc")))

    def ask(self, function: dict, units) -> dict:
        """One question, with what it cost and what was right."""
        before = self.spent()
        started = time.monotonic()
        found, text = self.peer.callers(function, units)
        own = units.at(function["file"], function["line"])
        return {
            "found": sorted(found - {own}), "sure": sorted(getattr(self.peer, "sure", found) - {own}),
            "truth": sorted({tuple(c) for c in function["callers"]} - {own}),
            "bytes": len(text.encode()), "wall": time.monotonic() - started, "cpu": self.spent() - before, "text": text,
        }

    def spent(self) -> float:
        """Processor seconds of the server, or of all processes so far."""
        if self.peer.server:
            return measure.cost_now(measure.processes_below(self.peer.server.child.pid))[0]
        return measure.os.times().children_user + measure.os.times().children_system

    def callers(self, count: int) -> None:
        """Index, first answer, callers of functions chosen at random, freshness."""
        units = places.Units(self.root, self.repository["language"])
        truth = self.options.truth / f"{self.folder}.jsonl"
        every = places.choose_functions(truth, units, 10**9, self.seed)
        covered = {json.loads(line)["file"] for line in truth.read_text().splitlines()}
        self.result["covered"] = sorted(covered)
        started = time.monotonic()
        indexed = self.index()
        if indexed and hasattr(self.peer, "callers"):
            self.peer.open()
            answers = []
            for function in every[:count]:
                answers.append({"function": [function["file"], function["line"], function["name"]], **self.ask(function, units)})
                if len(answers) == 1:
                    self.result["first_wall"] = time.monotonic() - started
                    server = self.spent() if self.peer.server else answers[0]["cpu"]
                    self.result["first_cpu"] = self.result.get("index", {}).get("cpu", 0.0) + server
            self.result["answers"] = answers
            self.result["disk"] = self.peer.disk()
            self.result["fresh"] = self.fresh(every)
            self.result["server"] = self.peer.close()
        elif indexed:
            self.result["first_wall"] = time.monotonic() - started
            self.result["first_cpu"] = self.result["index"]["cpu"]
            self.result["disk"] = self.peer.disk()
        self.result["reading"] = reading(self.root)

    def fresh(self, functions: list[dict]) -> dict:
        """Adds a caller to a file and asks at once, then for six seconds, then after the program was told."""
        language = self.repository["language"]
        for function in functions:
            path = self.root / function["file"]
            text = path.read_text()
            if re.search(PLAIN[language].replace("NAME", function["name"]), text.splitlines()[function["line"] - 1]):
                break
        else:
            return {}
        self.ask(function, places.Units(self.root, language))
        body = text.rstrip().removesuffix("}").rstrip() + "\n" if language == "java" else text
        path.write_text(body + CALLER[language].replace("NAME", function["name"]))
        units = places.Units(self.root, language)
        new = [(function["file"], first) for first, _, _, name, _ in units.functions(function["file"]) if name in ("zz_fresh", "zzFresh")][0]
        try:
            started = time.monotonic()
            answer = self.ask(function, units)
            result = {"at_once": new in answer["found"], "wall": answer["wall"], "cpu": answer["cpu"], "text": answer["text"]}
            while new not in answer["found"] and time.monotonic() - started < 6:
                time.sleep(1)
                answer = self.ask(function, units)
            result["seconds"] = time.monotonic() - started if new in answer["found"] else None
            if result["seconds"] is None:
                started = time.monotonic()
                self.peer.refresh()
                result["told"] = new in self.ask(function, units)["found"]
                result["told_seconds"] = time.monotonic() - started
            return result
        finally:
            path.write_text(text)

    def search(self, rows: list[dict]) -> None:
        if self.index():
            self.peer.open()
            answers = []
            for row in rows:
                files, text = self.peer.search(row["query"])
                gains = {f: 1.0 for f in row["secondary"]} | {f: 2.0 for f in row["relevant"]}
                answers.append({"query": row["query"], "category": row["category"], "ndcg": ndcg(files, gains),
                                "files": list(dict.fromkeys(files))[:10], "bytes": len(text.encode())})
            self.result["answers"] = answers
            self.peer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tools", "repos", "truth", "queries", "binary", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--repo", action="append", default=[])
    parser.add_argument("--phase", choices=("callers", "search"), action="append", default=[])
    options = parser.parse_args()
    plan = json.loads((HERE / "plan.json").read_text())
    rows = [json.loads(line) for line in options.queries.read_text().splitlines()]
    jobs = [("callers", r) for r in plan["repositories"]] + [("search", {"name": n}) for n in plan["search"]]
    for phase, repository in jobs:
        if options.phase and phase not in options.phase or options.repo and repository["name"] not in options.repo:
            continue
        source = options.repos / repository["name"].replace("/", "+")
        own = [row for row in rows if row["repo"] == repository["name"]]
        for kind in peers.ALL:
            wanted = not options.only or kind.name in options.only
            speaks = phase == "search" or kind.languages is None or repository["language"] in kind.languages
            if not wanted or not speaks or phase == "search" and not hasattr(kind, "search"):
                continue
            trial = Trial(kind, options, repository, plan["seed"])
            if trial.file(phase).exists():
                continue
            if phase == "search":
                cut(source, own[0]["benchmark_root"], trial.root)
            else:
                clone(source, trial.root)
            try:
                trial.callers(plan["functions"]) if phase == "callers" else trial.search(own)
            except Exception:
                trial.result["error"] = traceback.format_exc()
                trial.peer.close()
            trial.out.mkdir(parents=True, exist_ok=True)
            trial.file(phase).write_text(json.dumps(trial.result, indent=1))
            shutil.rmtree(trial.root, ignore_errors=True)
            print(phase, kind.name, repository["name"], "error" if "error" in trial.result else "done", flush=True)


if __name__ == "__main__":
    main()
