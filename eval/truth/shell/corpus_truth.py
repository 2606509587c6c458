"""Compares the comments of the programs of the shell's corpus with what runs.

    python3 eval/truth/shell/corpus_truth.py crates/languages/src/shell/corpus [PROGRAM…]

Runs `main.sh` of each program, in a copy of its folder, once for each comment `# with: arguments`, and `main.bats` where a
program `bats` can be found. Prints what ran and is not written, and what is written and did not run. A call from `trap` has no
line of its own, and an alias is no function: such differences are to be expected.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from call_truth import calls

TRACER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tracer.bash")


def written(folder):
    """The calls that the comments of a program state: file, line, name of the function and its file."""
    found = set()
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            relative = os.path.relpath(path, folder)
            with open(path, encoding="utf-8") as text:
                for number, line in enumerate(text, 1):
                    _, _, targets = line.partition("# calls ")
                    for target in filter(None, targets.strip().split(", ")):
                        if target.endswith("(wrong)"):
                            continue
                        target = target.replace("(missed)", "").strip()
                        file, _, rest = target.partition(":")
                        rest, _, at = rest.partition("@")
                        found.add((relative, number, rest, file or relative, at))
    return found


def is_meant(ran, stated):
    """Whether a call that ran is one that is written. A name in another function has that function before it."""
    name, qualified = ran[2], stated[2]
    is_named = name == qualified or qualified.endswith("." + name)
    return is_named and ran[:2] == stated[:2] and ran[3] == stated[3] and stated[4] in ("", ran[4])


def run(folder, program):
    with tempfile.TemporaryDirectory() as top:
        copy = os.path.join(top, "program")
        shutil.copytree(folder, copy)
        trace = os.path.join(top, "trace")
        open(trace, "w").close()
        path = os.path.join(copy, program)
        with open(path, encoding="utf-8") as text:
            arguments = re.findall(r"^# with: (.*)$", text.read(), re.MULTILINE) or [""]
        environment = dict(os.environ, BASH_ENV=TRACER, TRACE=trace)
        command = ["bats"] if program.endswith(".bats") else ["bash"]
        for one in arguments:
            subprocess.run(
                [*command, "./" + program, *one.split()],
                cwd=copy,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
        return {(f, at, name, file, str(line)) for (f, at, name), (file, line) in calls(copy, trace)}


def main():
    corpus, *wanted = sys.argv[1:]
    for program in wanted or sorted(os.listdir(corpus)):
        folder = os.path.join(corpus, program)
        main_files = ["main.sh", "main.bats", "test/main.bats"]
        start = next((name for name in main_files if os.path.exists(os.path.join(folder, name))), None)
        if not start or start.endswith(".bats") and not shutil.which("bats"):
            print(f"{program}: not run")
            continue
        ran, states = run(folder, start), written(folder)
        for file, line, name, target, at in sorted(ran):
            if not any(is_meant((file, line, name, target, at), one) for one in states):
                print(f"{program}/{file}:{line}: {target}:{name}@{at} ran, and is not written")
        for file, line, name, target, at in sorted(states):
            if not any(is_meant(one, (file, line, name, target, at)) for one in ran):
                print(f"{program}/{file}:{line}: {target}:{name} is written, and did not run")


if __name__ == "__main__":
    main()
