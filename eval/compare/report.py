"""Prints the tables of docs/comparison.md from the files that compare.py wrote.

Usage: report.py OUT --repos DIR --truth DIR
"""

import argparse
import json
import pathlib
import re
import statistics

import peers
import units as places

HERE = pathlib.Path(__file__).parent
ORDER = [kind.name for kind in peers.ALL]


def load(out: pathlib.Path, phase: str) -> dict:
    """Results by repository and program."""
    found = {}
    for path in sorted(out.glob(f"*/{phase}-*.json")):
        result = json.loads(path.read_text())
        found.setdefault(result["repository"], {})[result["peer"]] = result
    return found


class Judge:
    """Says of a named caller whether the compiler can tell that it is none."""

    def __init__(self, root: pathlib.Path, language: str, truth: pathlib.Path):
        self.units = places.Units(root, language)
        self.known, self.lines = {}, {}
        for line in truth.read_text().splitlines():
            site = json.loads(line)
            self.known.setdefault(site["file"], set()).add((site["line"], site["name"]))

    def is_judged(self, unit: tuple, name: str) -> bool:
        """No where the compiler did not read the file, or has no word on a call of this name in the unit."""
        file = unit[0]
        if file not in self.known:
            return False
        if file not in self.lines:
            text = (self.units.root / file).read_text(errors="replace")
            self.lines[file] = list(enumerate(text.splitlines(), 1))
        call = re.compile(rf"\b{re.escape(name)}\s*\(")
        silent = [n for n, text in self.lines[file] if call.search(text) and (n, name) not in self.known[file]]
        definitions = {f[2] for f in self.units.functions(file)}
        return not any(self.units.at(file, n) == unit for n in silent if n not in definitions)


def judged(answers: list[dict], judge: Judge, key: str) -> tuple:
    """Precision, recall, and the share of functions whose callers are exactly right."""
    right = found = real = exact = 0
    for answer in answers:
        truth = {tuple(u) for u in answer["truth"]}
        named = {tuple(u) for u in answer.get(key, answer["found"])}
        named = {u for u in named if u in truth or judge.is_judged(u, answer["function"][2])}
        right, found, real = right + len(named & truth), found + len(named), real + len(truth)
        exact += named == truth
    return right / found if found else None, right / real, exact


def share(value) -> str:
    return "–" if value is None else "1.00" if value == 1 else f"{value:.2f}".removeprefix("0")


def row(*cells) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*cells) -> str:
    return row(*cells) + "\n" + row(*["---"] * len(cells))


def by_order(results: dict) -> list:
    return [results[name] for name in ORDER if name in results]


def mega(size: float) -> str:
    return f"{size / 1e6:,.0f}" if size >= 1e7 else f"{size / 1e6:.1f}"


def costs(results: dict) -> None:
    reading = statistics.median(r["reading"] for r in results.values() if r.get("reading"))
    print(f"ripgrep reads the files in {reading * 1000:.0f} ms of processor time.\n")
    print(head("program", "index, s", "× ripgrep", "peak memory, MB", "index on disk, MB", "first answer, s", "an answer, s"))
    for r in by_order(results):
        index = r.get("index") or {}
        if "error" in r or index.get("late") or index.get("rc"):
            print(row(r["peer"], "did not finish" if index.get("late") else "failed", *["–"] * 5))
            continue
        peak = max(index.get("peak", 0), (r.get("server") or {}).get("peak", 0))
        answers = r.get("answers") or []
        each = f"{statistics.median(a['cpu'] for a in answers[1:]):.2f}" if answers else "–"
        print(row(
            r["peer"], f"{index['cpu']:.2f}" if index else "–", f"{index['cpu'] / reading:,.0f}" if index else "–",
            mega(peak) if peak else "–", mega(r["disk"]) if r.get("disk") else "–", f"{r['first_cpu']:.2f}", each,
        ))


def callers(every: dict, options, plan: dict) -> None:
    names = [r["name"] for r in plan["repositories"] if r["name"] in every]
    print(head("program", *(name.split("/")[1] for name in names), "tokens, mean"))
    lines = {}
    for repository in plan["repositories"]:
        name, folder = repository["name"], repository["name"].replace("/", "+")
        if name not in every:
            continue
        judge = Judge(options.repos / folder, repository["language"], options.truth / f"{folder}.jsonl")
        for r in by_order(every[name]):
            for key, label in (("found", r["peer"]), ("sure", f"{r['peer']}, without text matches")):
                if not r.get("answers") or key == "sure" and r["peer"] != "jcodemunch":
                    continue
                precision, recall, exact = judged(r["answers"], judge, key)
                cell = f"{share(precision)} / {share(recall)}, {exact} of {len(r['answers'])}"
                sizes = [a["bytes"] / 4 for a in r["answers"][:peers.TEXTS] if a["bytes"]]
                line = lines.setdefault(label, {"cells": {}, "sizes": []})
                line["cells"][name] = cell
                line["sizes"] += sizes
    for label, line in sorted(lines.items(), key=lambda item: ORDER.index(item[0].split(", ")[0])):
        mean = f"{statistics.mean(line['sizes']):,.0f}" if line["sizes"] else "–"
        print(row(label, *(line["cells"].get(name, "–") for name in names), mean))


def fresh(every: dict, plan: dict) -> None:
    names = [r["name"] for r in plan["repositories"] if r["name"] in every]
    print(head("program", *(name.split("/")[1] for name in names)))
    for peer in ORDER:
        cells = []
        for name in names:
            state = (every[name].get(peer) or {}).get("fresh") or {}
            if state.get("at_once"):
                cells.append("at once")
            elif state.get("seconds"):
                cells.append(f"after {state['seconds']:.0f} s")
            elif "told" in state:
                cells.append("when told" if state["told"] else "no")
            else:
                cells.append("–")
        if set(cells) != {"–"}:
            print(row(peer, *cells))


def search(every: dict, plan: dict) -> None:
    names = [name for name in plan["search"] if name in every]
    print(head("program", *(name.split("/")[1] for name in names), "all queries", "tokens, mean"))
    for peer in ORDER:
        own = [every[name].get(peer) or {} for name in names]
        answers = [a for r in own for a in r.get("answers") or []]
        if answers:
            cells = [share(statistics.mean(a["ndcg"] for a in r["answers"])) if r.get("answers") else "–" for r in own]
            sizes = [a["bytes"] / 4 for r in own for a in (r.get("answers") or [])[:peers.TEXTS] if a["bytes"]]
            print(row(peer, *cells, share(statistics.mean(a["ndcg"] for a in answers)), f"{statistics.mean(sizes):,.0f}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--repos", type=pathlib.Path, required=True)
    parser.add_argument("--truth", type=pathlib.Path, required=True)
    options = parser.parse_args()
    plan = json.loads((HERE / "plan.json").read_text())
    every = load(options.out, "callers")
    for repository in plan["repositories"]:
        if results := every.get(repository["name"]):
            print(f"\n### Cost: {repository['name']}\n")
            costs(results)
    print("\n### Callers: precision / recall, exactly right\n")
    callers(every, options, plan)
    print("\n### After an edit\n")
    fresh(every, plan)
    print("\n### Search: NDCG@10\n")
    search(load(options.out, "search"), plan)
    print("\n### Versions\n")
    versions = {r["peer"]: r["version"] for rs in every.values() for r in rs.values() if r.get("version")}
    print(", ".join(f"{name} {versions[name]}" for name in ORDER if name in versions))


if __name__ == "__main__":
    main()
