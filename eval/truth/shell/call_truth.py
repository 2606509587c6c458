"""What functions a traced run of shell scripts called, and from where.

    TRACE=out BASH_ENV=eval/truth/shell/tracer.bash bash script.sh
    python3 eval/truth/shell/call_truth.py ROOT out > calls.jsonl

One line of JSON for each different call: {"file", "line", "name", "targets": [{"file", "line"}]}. Files are below ROOT. A
command inside a function tells which function runs and where it was called. Its line also tells which of several definitions
of one name runs: the last that begins above it. Functions whose commands are not traced (`:` in the head of a loop, `set +x`)
are not seen. Calls from `trap` have the line of what was interrupted, and are left out.
"""

import json
import os
import re
import sys
from collections import defaultdict

LINE = re.compile(r"^\++\|([^|]*)\|(\d*)\|([^|]*)\|([^|]*)\|(\d*)\|([^|]*)\|([^|]*)\|")


def definitions(path, known={}):
    """The lines on which a file defines each name."""
    if path not in known:
        found = defaultdict(list)
        with open(path, encoding="utf-8", errors="replace") as text:
            for number, line in enumerate(text, 1):
                for name in re.findall(r"(?:^|[\s;({&|])([^\s;(){}&|'\"$]+)[ \t]*\([ \t]*\)", line):
                    found[name].append(number)
                for name in re.findall(r"(?:^|[\s;({&|])function[ \t]+([^\s;(){}&|'\"$]+)", line):
                    found[name].append(number)
        known[path] = {name: sorted(set(lines)) for name, lines in found.items()}
    return known[path]


def paths(root):
    """A function from paths as scripts know them to paths below the root; None for files elsewhere."""
    root = os.path.realpath(root) + "/"
    by_name = defaultdict(list)
    for folder, _, names in os.walk(root):
        for name in names:
            by_name[name].append(os.path.join(folder, name))
    known = {}

    def find(path):
        absolute = os.path.realpath(os.path.join(root, path))
        if absolute.startswith(root) and os.path.isfile(absolute):
            return absolute[len(root):]
        if path.startswith("/"):
            return None
        # It is relative to the folder in which the script ran.
        tail = "/" + re.sub(r"^(\.\.?/)+", "", path)
        fitting = [full for full in by_name[os.path.basename(path)] if full.endswith(tail)]
        return fitting[0][len(root):] if len(fitting) == 1 else None

    def below(path):
        if path not in known:
            known[path] = find(path) if path else None
        return known[path]

    return below


def calls(root, trace):
    """Pairs of (file, line, name) and (file, line of the definition)."""
    below = paths(root)
    found = set()
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for text in lines:
            match = LINE.match(text)
            if not match:
                continue
            file, line, function, caller, called_at, copy, test = match.groups()
            if function in ("", "source") or not called_at or not line:
                continue
            file, caller = (test if path == copy and copy else path for path in (file, caller))
            here, there = below(file), below(caller)
            if not here or not there:
                continue
            known = definitions(os.path.join(root, here)).get(function, [])
            above = [at for at in known if at <= int(line)]
            if above:
                found.add(((there, int(called_at), function), (here, above[-1])))
    return found


def main():
    root, *traces = sys.argv[1:]
    targets = defaultdict(set)
    for trace in traces:
        for site, target in calls(root, trace):
            targets[site].add(target)
    for (file, line, name), found in sorted(targets.items()):
        found = [{"file": path, "line": at} for path, at in sorted(found)]
        print(json.dumps({"file": file, "line": line, "name": name, "targets": found}))


if __name__ == "__main__":
    main()
