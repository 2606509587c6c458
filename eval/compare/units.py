"""Places in sources are compared by unit: the outermost function around a line, or the file where there is none.

Programs name callers differently: by inner function, by method, by line of the call. All of these lie in one unit. A unit is
(file, first line of the function), or (file, 0).
"""

import functools
import json
import pathlib
import random

import tree_sitter
import tree_sitter_go
import tree_sitter_java
import tree_sitter_python
import tree_sitter_typescript

GRAMMARS = {
    "python": tree_sitter_python.language, "go": tree_sitter_go.language, "java": tree_sitter_java.language,
    "typescript": tree_sitter_typescript.language_typescript,
}
# A compiler's index names the class at a call of a constructor, so that constructors have no truth of their own.
CONSTRUCTORS = {"__init__", "constructor"}
FUNCTIONS = {
    "function_definition", "function_declaration", "method_declaration", "method_definition", "constructor_declaration",
    "generator_function_declaration", "compact_constructor_declaration",
}
HOLDERS = {"variable_declarator", "public_field_definition", "pair"}
VALUES = {"arrow_function", "function_expression"}
CLASSES = {"class_definition", "class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}


@functools.cache
def parser(language: str) -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(GRAMMARS[language]()))


class Units:
    """The units of a repository."""

    def __init__(self, root: pathlib.Path, language: str):
        self.root, self.language = root, language
        self.files = {}

    def functions(self, file: str) -> list[tuple]:
        """(first line, last line, line of the name, name, class) of every outermost function."""
        if file not in self.files:
            found = []
            path = self.root / file
            if path.is_file():
                collect(parser(self.language).parse(path.read_bytes()).root_node, found, "")
            self.files[file] = found
        return self.files[file]

    def at(self, file: str, line: int) -> tuple:
        """The unit around a line."""
        for first, last, *_ in self.functions(file):
            if first <= line <= last:
                return (file, first)
        return (file, 0)

    def named(self, file: str, name: str, right: list) -> tuple:
        """The unit of a name such as `Class.method`; the file if no outermost function has it. Of several that the name fits, one that is right."""
        parts = ["", *name.replace("::", ".").replace("/", ".").split(".")]
        for at in range(len(parts) - 1, 0, -1):
            fitting = [f for f in self.functions(file) if f[3] == parts[at]]
            fitting = [f for f in fitting if f[4] == parts[at - 1]] or fitting
            units = [(file, f[0]) for f in fitting]
            if units:
                return next((u for u in units if u in right), units[0])
        return (file, 0)


def collect(node, found: list, owner: str) -> None:
    for child in node.children:
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        name = None
        if inner is not None and inner.type in FUNCTIONS:
            name = inner.child_by_field_name("name")
        elif child.type in HOLDERS:
            value = child.child_by_field_name("value")
            if value is not None and value.type in VALUES:
                name = child.child_by_field_name("name") or child.child_by_field_name("key")
        if name is None:
            own = child.child_by_field_name("name") if child.type in CLASSES else None
            collect(child, found, own.text.decode() if own else owner)
        else:
            row = name.start_point.row + 1
            found.append((child.start_point.row + 1, child.end_point.row + 1, row, name.text.decode(), owner))


def is_test(path: str) -> bool:
    lowered = path.lower()
    return any(word in lowered for word in ("test", "spec", "bench", "example"))


def choose_functions(truth: pathlib.Path, units: Units, count: int, seed: int) -> list[dict]:
    """Functions outside tests that the compiler knows a caller of, without constructors, chosen at random, with their callers."""
    callers = {}
    for line in truth.read_text().splitlines():
        site = json.loads(line)
        places = [(site["target_file"], site["target_line"])] if "target_file" in site else []
        for place in places + [(t["file"], t["line"]) for t in site.get("targets", [])]:
            callers.setdefault(place, set()).add((site["file"], site["line"], site["name"]))
    chosen = []
    for (file, line), sites in sorted(callers.items()):
        own = [f for f in units.functions(file) if f[2] == line]
        if own and not is_test(file) and own[0][3] not in CONSTRUCTORS and own[0][3] in {name for _, _, name in sites}:
            column = (units.root / file).read_text().splitlines()[line - 1].find(own[0][3])
            chosen.append({
                "file": file, "line": line, "name": own[0][3], "column": column,
                "callers": sorted({units.at(f, n) for f, n, _ in sites}),
            })
    random.Random(seed).shuffle(chosen)
    return chosen[:count]
