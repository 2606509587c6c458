"""What an agent gains, without a model: two simulated agents look for the code of an issue or a question.

- One greps and reads files as agents do: identifiers of the text first, then its longest words, `rg -l` for each
  until eight have hits; files by hits, rare words more, tests last; in each file `rg -n`, and the windows of 200 lines with most hits.
- One asks Knotwork: `bug-locate` with the whole text (for a question: `search`), reads what it names, then asks `search` with the first line.
  It reads windows of the same 200 lines, or, in a third row, only the lines that the answer names.

An issue is found when a line that the fix changed, inside a changed function, was read. A question is found when a relevant file was read.
A token is four bytes, of what is asked and of what is answered.

Usage: agent.py --binary FILE --repos DIR --issues FILE --queries FILE --out FILE [--only issues|queries]
"""

import argparse
import ast
import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile

import compare
import measure

HERE = pathlib.Path(__file__).parent
BUDGETS = (2_000, 8_000, 32_000)
WINDOW, GREPS, LISTED, CALLS = 200, 8, 100, 60
TRIES, MOST_IDENTIFIERS = 16, 10
PER_REPOSITORY = 5
STOP = set("""about after again also because been before being between both cannot could does doing done down each error every example expected
from have here into issue just know like make more most much need only other output over please problem python same should since some still such
than that their them then there these they thing this those through under until using very version want were what when where which while will
with without work working would your actual behavior description reproduce steps traceback file line return import class self none true false""".split())


class Screen:
    """What one agent has seen, and what it cost."""

    def __init__(self, root: pathlib.Path, is_found):
        self.root, self.is_found = root, is_found
        self.calls, self.tokens, self.found, self.seen = 0, 0, False, set()

    def over(self) -> bool:
        return self.found or self.tokens >= BUDGETS[-1] or self.calls >= CALLS

    def pay(self, asked: str, answered: str) -> None:
        self.calls += 1
        self.tokens += (len(asked.encode()) + len(answered.encode())) // 4

    def read(self, file: str, first: int, last: int) -> None:
        """Reads lines of a file, except where they were read before."""
        path = self.root / file
        if self.over() or not path.is_file():
            return
        lines = path.read_text(errors="replace").splitlines()
        first, last = max(first, 1), min(last, len(lines))
        wanted = set(range(first, last + 1))
        if not wanted or len(wanted - {n for f, n in self.seen if f == file}) * 4 < len(wanted):
            return
        self.pay(f"read {file} {first}-{last}", "\n".join(lines[first - 1:last]))
        self.seen |= {(file, n) for n in wanted}
        self.found = self.is_found(file, wanted)


def words_of(text: str) -> list[str]:
    """Identifiers in the order in which they appear, then the longest other words."""
    words = dict.fromkeys(re.findall(r"[A-Za-z_][A-Za-z0-9_]{3,}", text))
    plain = [w for w in words if w.lower() not in STOP]
    like = [w for w in plain if "_" in w.strip("_") or re.search(r"[a-z][A-Z]", w) or f"`{w}`" in text]
    rest = sorted((w for w in plain if w not in like), key=len, reverse=True)
    return (like[:MOST_IDENTIFIERS] + rest)[:TRIES]


def is_test(path: str) -> bool:
    return any(part.startswith("test") or part.endswith("_test.py") for part in path.lower().split("/"))


def grep_agent(screen: Screen, text: str, kind: list[str]) -> None:
    scores, words = {}, []
    for word in words_of(text):
        command = ["rg", "-l", "-i", "-w", "-F", *kind, word]
        files = sorted(measure.run([*command, "."], screen.root)["out"].splitlines())
        screen.pay(" ".join(command), "\n".join(files[:LISTED]))
        for file in files:
            file = file.removeprefix("./")
            scores[file] = scores.get(file, 0.0) + 1 / len(files)
        words += [word] if files else []
        if screen.over():
            return
        if len(words) == GREPS:
            break
    for file in sorted(scores, key=lambda f: (is_test(f), -scores[f], f)):
        command = ["rg", "-n", "-i", "-w", "-F", *[p for w in words for p in ("-e", w)], file]
        out = measure.run(command, screen.root)["out"].splitlines()
        screen.pay(" ".join(command), "\n".join(line[:200] for line in out[:LISTED]))
        hits = [int(line.split(":", 1)[0]) for line in out if line.split(":", 1)[0].isdigit()]
        for _ in range(2):
            if not hits:
                break
            start = max(hits, key=lambda h: sum(h <= other < h + WINDOW for other in hits))
            screen.read(file, start - 10, start + WINDOW - 11)
            hits = [h for h in hits if not start <= h < start + WINDOW]
        if screen.over():
            return


def ask(screen: Screen, binary: str, env: dict, command: list[str]) -> list[tuple]:
    """Asks Knotwork; pays for the text, and takes places from the same answer as JSON."""
    *options, question = command
    text = measure.run([binary, *options, "--", question], screen.root, env)["out"]
    screen.pay(" ".join(command), text)
    answer = json.loads(measure.run([binary, *options, "--format", "json", "--", question], screen.root, env)["out"] or "{}")
    places = answer.get("results") or answer.get("candidates") or []
    return [(p["file_path"], *(p.get("line_range") or (p["line_start"], p["line_end"]))) for p in places]


def knotwork_agent(screen: Screen, text: str, binary: str, env: dict, is_issue: bool, exact: bool) -> None:
    title = text.strip().splitlines()[0][:300]
    questions = [["bug-locate", text], ["search", title], ["bug-locate", "--limit", "20", text]] if is_issue else [
        ["search", text], ["search", "--limit", "30", text]]
    for question in questions:
        for file, first, last in ask(screen, binary, env, question):
            if exact:
                screen.read(file, first, min(last, first + WINDOW - 1))
            else:
                middle = min((first + last) // 2, first + WINDOW // 2 - 1)
                screen.read(file, middle - WINDOW // 2 + 1, middle + WINDOW // 2)
        if screen.over():
            return


def changed_lines(root: pathlib.Path, row: dict) -> dict[str, set[int]]:
    """Lines that the fix changed inside the functions that it changed; all lines it changed, where there are none."""
    wanted = {}
    for name in row["gold_functions"]:
        file, _, function = name.partition(":")
        try:
            tree = ast.parse((root / file).read_text())
        except (OSError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function.split(".")[-1]:
                lines = set(range(node.lineno, node.end_lineno + 1)) & set(row["gold_lines"].get(file, []))
                wanted.setdefault(file, set()).update(lines)
    wanted = {file: lines for file, lines in wanted.items() if lines}
    return wanted or {file: set(lines) for file, lines in row["gold_lines"].items()}


def trial(root: pathlib.Path, text: str, is_found, options, env: dict, is_issue: bool) -> dict:
    kind = ["-t", "py"] if is_issue else []
    binary = str(options.binary.resolve())
    measure.run([binary, "index"], root, env)
    result = {}
    for name in ("grep", "Knotwork", "Knotwork, named lines"):
        screen = Screen(root, is_found)
        if name == "grep":
            grep_agent(screen, text, kind)
        else:
            knotwork_agent(screen, text, binary, env, is_issue, name != "Knotwork")
        result[name] = {"found": screen.found, "calls": screen.calls, "tokens": screen.tokens}
    return result


def issues(options, plan: dict, env: dict, work: pathlib.Path):
    """At most five issues of each repository that is there, chosen at random."""
    by = {}
    for line in options.issues.read_text().splitlines():
        row = json.loads(line)
        by.setdefault(row["repo"], []).append(row)
    for name, rows in sorted(by.items()):
        source = options.repos / name.replace("/", "+")
        source = source / "repo" if (source / "repo").is_dir() else source
        if not source.is_dir():
            continue
        random.Random(plan["seed"]).shuffle(rows)
        root = work / name.replace("/", "+")
        compare.clone(source, root)
        for row in rows[:PER_REPOSITORY]:
            subprocess.run(["git", "checkout", "-qf", row["parent_commit"]], cwd=root, stderr=subprocess.DEVNULL)
            if not all((root / file).is_file() for file in row["gold_files"]):
                continue
            wanted = changed_lines(root, row)
            found = trial(root, row["text"], lambda f, lines: bool(wanted.get(f, set()) & lines), options, env, True)
            yield {"kind": "issue", "id": row["id"], **found}
        shutil.rmtree(root)


def queries(options, plan: dict, env: dict, work: pathlib.Path):
    rows = [json.loads(line) for line in options.queries.read_text().splitlines()]
    for name in plan["search"]:
        own = [row for row in rows if row["repo"] == name]
        root = work / name.replace("/", "+")
        compare.cut(options.repos / name.replace("/", "+"), own[0]["benchmark_root"], root)
        for row in own:
            relevant = set(row["relevant"])
            found = trial(root, row["query"], lambda f, _: f in relevant, options, env, False)
            yield {"kind": "query", "id": row["id"], **found}
        shutil.rmtree(root)


def table(rows: list[dict]) -> str:
    """Shares found within each budget, and the medians of calls and tokens where an agent found it."""
    lines = ["| agent | found | within 2k | within 8k | within 32k | calls, median | tokens, median |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in ("grep", "Knotwork", "Knotwork, named lines"):
        own = [row[name] for row in rows]
        found = [o for o in own if o["found"]]
        shares = [sum(o["tokens"] <= budget for o in found) / len(own) for budget in BUDGETS]
        middle = [f"{statistics.median(o[key] for o in found):,.0f}" if found else "–" for key in ("calls", "tokens")]
        lines.append(f"| {name} | {len(found)} of {len(own)} | " + " | ".join([*(f"{s:.2f}" for s in shares), *middle]) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("binary", "repos", "issues", "queries", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=("issues", "queries"))
    options = parser.parse_args()
    plan = json.loads((HERE / "plan.json").read_text())
    results = []
    with tempfile.TemporaryDirectory(dir=options.out.resolve().parent) as folder:
        work = pathlib.Path(folder)
        (work / "home").mkdir()
        env = dict(measure.os.environ, HOME=str(work / "home"), NO_COLOR="1")
        for only, rows in (("issues", issues), ("queries", queries)):
            if options.only in (None, only):
                for row in rows(options, plan, env, work):
                    results.append(row)
                    options.out.write_text("\n".join(map(json.dumps, results)) + "\n")
                    print(json.dumps(row), flush=True)
    for kind in ("issue", "query"):
        if own := [r for r in results if r["kind"] == kind]:
            print(f"\n{kind}: {len(own)}\n\n{table(own)}")


if __name__ == "__main__":
    main()
