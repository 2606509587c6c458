"""aider's repository map without a model. Runs in aider's own Python.

Usage: aider_map.py ROOT [--questions]. Prints JSON, a line for each question on standard input: the map as text, and files by rank, as aider
ranks them for a message. Without `--questions` it prints the map for none.
"""

import json
import pathlib
import re
import subprocess
import sys

from aider.io import InputOutput
from aider.repomap import RepoMap


class Model:
    """Stands in for a model: a token is four bytes."""

    def token_count(self, text: str) -> int:
        return len(text.encode()) // 4


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    files = [str(root / f) for f in listed.stdout.splitlines()]
    # 1,024 tokens are aider's default; eight times that where no file is in the chat.
    repo_map = RepoMap(map_tokens=1024, root=str(root), main_model=Model(), io=InputOutput(pretty=False, yes=True),
                       max_context_window=128_000)
    for question in sys.stdin if "--questions" in sys.argv else [""]:
        print(json.dumps(answer(repo_map, root, files, question)), flush=True)


def answer(repo_map: RepoMap, root: pathlib.Path, files: list[str], question: str) -> dict:
    words = set(re.split(r"\W+", question))
    # As aider's `get_ident_filename_matches`: files whose stem is a word of five letters or more.
    stems = {w.lower() for w in words if len(w) >= 5}
    named = {str(pathlib.Path(f).relative_to(root)) for f in files if pathlib.Path(f).stem.lower() in stems}
    text = repo_map.get_repo_map([], files, mentioned_fnames=named, mentioned_idents=words) or ""
    ranked = repo_map.get_ranked_tags([], files, named, words) if question else []
    return {"map": text, "files": list(dict.fromkeys(tag[0] for tag in ranked))}


if __name__ == "__main__":
    main()
