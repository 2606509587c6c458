"""Prints, for every call site of Swift modules, what the compiler says it calls: one JSON object a line.

    python3 eval/truth/swift/call_truth.py ROOT modules.json OUT > truth.jsonl

Asks swift-frontend (6.0 was used) for its typed syntax trees. `modules.json` lists the modules in the order of their
dependencies: {"name", "dir", "flags": […], "c": true for a module of C, "judged": true for one whose sites are printed}.
Folders are absolute. Modules that are only needed by others are built without bodies. OUT keeps modules and trees.

Sites whose callee is a parameter or variable are left out, and so are calls that the compiler adds. A target in another
module is told by its module, its name and its labels: there may be several with these. Where the printer of trees fails
for a file, that file has no sites. Needs tree_sitter and tree_sitter_swift of PyPI, for the places of definitions.
"""

import json
import os
import re
import subprocess
import sys

import tree_sitter_swift
from tree_sitter import Language, Parser

GRAMMAR = Language(tree_sitter_swift.language())
CALLS = {"call_expr", "binary_expr", "prefix_unary_expr", "postfix_unary_expr"}
# Through these, the first child is the function that is called.
THROUGH = {
    "dot_syntax_call_expr", "constructor_ref_call_expr", "function_conversion_expr", "paren_expr", "force_value_expr",
    "covariant_function_conversion_expr", "covariant_return_conversion_expr", "load_expr", "open_existential_expr",
    "optional_evaluation_expr", "bind_optional_expr", "dot_syntax_base_ignored", "dot_syntax_base_ignored_expr",
    "implicit_function_conversion_expr", "inject_into_optional",
}
REFERENCES = {"declref_expr", "member_ref_expr", "other_constructor_ref_expr", "dynamic_member_ref_expr"}
DECLARATION = re.compile(r' decl="([^"]*?)(?:@([^"@]+):(\d+):(\d+))?(?: \[with [^"]*)?"')
LOCATION = re.compile(r" location=(\S+?):(\d+):(\d+)")
NODE = re.compile(r"\((?:[a-z_0-9]+=)?([a-z_0-9]+)")


def calls(tree):
    """Site, declaration and its place for each call in a printed tree."""
    stack = []
    for line in tree.split("\n"):
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        found = NODE.match(text)
        while stack and stack[-1]["indent"] >= indent:
            stack.pop()
        if not found:
            continue
        kind = found.group(1)
        parent = stack[-1] if stack else None
        call = None
        if parent:
            number = parent["children"]
            parent["children"] += 1
            wanted = 1 if parent["kind"].startswith("dot_syntax_base_ignored") else 0
            is_callee = parent["kind"] in CALLS or parent["kind"] in THROUGH and parent["call"]
            if number == wanted and is_callee:
                call = parent["call"]
        place = LOCATION.search(text)
        place = place.groups() if place else None
        if kind in CALLS:
            call = {"place": place, "implicit": " implicit " in text[:60]}
        elif call and kind in REFERENCES or kind == "subscript_expr":
            declared = DECLARATION.search(text)
            is_implicit = call["implicit"] if call else " implicit " in text[:60]
            site = place or call and call["place"]
            if declared and site and not is_implicit:
                target = declared.groups()[1:] if declared.group(2) else None
                yield site, declared.group(1), target
            call = None
        elif kind not in THROUGH:
            call = None
        stack.append({"indent": indent, "kind": kind, "children": 0, "call": call})


def definitions(path):
    """Line and column of each definition, with its qualified name and its labels."""
    with open(path, "rb") as file:
        source = file.read()
    out = {}

    def text(node):
        return source[node.start_byte:node.end_byte].decode(errors="replace").strip("`")

    def labels(node, has_none):
        found = []
        for child in node.children:
            if child.type == "parameter":
                label, name = child.child_by_field_name("external_name"), child.child_by_field_name("name")
                found.append(text(label) if label else "_" if has_none else text(name))
        return found

    def payload(node):
        found, label = [], None
        for child in node.children:
            if child.type == ",":
                label = None
            elif child.type in ("simple_identifier", "wildcard_pattern"):
                label = text(child)
            elif child.type.endswith("_type"):
                found.append(label or "_")
        return found

    def point(node):
        return node.start_point[0] + 1, node.start_point[1] + 1

    stack = [(Parser(GRAMMAR).parse(source).root_node, [])]
    while stack:
        node, parents = stack.pop()
        at, name, params = node.child_by_field_name("name"), None, None
        if node.type in ("class_declaration", "protocol_declaration") and at:
            name = text(at)
        elif node.type in ("function_declaration", "protocol_function_declaration") and at:
            name = text(at)
            params = labels(node, not re.match(r"\w", name))
        elif node.type == "init_declaration":
            name, params = "init", labels(node, False)
        elif node.type == "subscript_declaration":
            at = next(c for c in node.children if c.type == "subscript")
            name, params = "subscript", labels(node, True)
        elif node.type == "enum_entry":
            last = None
            for number, child in enumerate(node.children):
                field = node.field_name_for_child(number)
                if field == "name":
                    last = point(child)
                    out[last] = (".".join(parents + [text(child)]), None)
                elif field == "data_contents" and last:
                    out[last] = (out[last][0], payload(child))
        if name:
            out[point(at)] = (".".join(parents + [name]), params)
            parents = parents + [name]
        stack.extend((child, parents) for child in node.children)
    return out


class Compiler:
    """Runs swift-frontend over modules."""

    def __init__(self, modules, out):
        self.out = out
        self.c = []
        for module in modules:
            if module.get("c"):
                self.c += self.module_map(module)
        os.makedirs(out, exist_ok=True)

    def module_map(self, module):
        include = module["dir"] + "/include"
        path = include + "/module.modulemap"
        if not os.path.exists(path):
            folder = os.path.join(self.out, "maps", module["name"])
            os.makedirs(folder, exist_ok=True)
            path = folder + "/module.modulemap"
            header = f"{include}/{module['name']}.h"
            umbrella = f'umbrella header "{header}"' if os.path.exists(header) else f'umbrella "{include}"'
            with open(path, "w") as file:
                file.write(f"module {module['name']} {{\n {umbrella}\n export *\n}}\n")
        return ["-Xcc", "-fmodule-map-file=" + path, "-Xcc", "-I" + include]

    def run(self, module, files, more):
        flags = ["-module-name", module["name"], "-I", self.out, "-module-cache-path", self.out + "/cache"]
        flags += ["-enable-testing", "-suppress-warnings", "-package-name", "package", "-D", "SWIFT_PACKAGE"]
        if not any(file.endswith("/main.swift") for file in files):
            flags.append("-parse-as-library")
        command = ["swift-frontend", "-frontend"] + more + flags + self.c + module.get("flags", [])
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def build(self, module, files):
        target = f"{self.out}/{module['name']}.swiftmodule"
        more = ["-emit-module", "-experimental-skip-non-inlinable-function-bodies", "-o", target]
        made = self.run(module, files, more + ["-experimental-allow-module-with-compiler-errors"] + files)
        errors = [line for line in made.stderr.split("\n") if "error:" in line]
        print(module["name"], len(files), "files", len(errors), "errors", *errors[:2], file=sys.stderr)

    def trees(self, module, files):
        """The printed trees, of as many files at once as the printer takes."""
        open_groups = [files[at:at + 16] for at in range(0, len(files), 16)]
        while open_groups:
            group = open_groups.pop()
            names = [f"{self.out}/tree-{at}" for at in range(len(group))]
            more = ["-dump-ast"]
            for file in group:
                more += ["-primary-file", file]
            more += [file for file in files if file not in group]
            for name in names:
                more += ["-o", name]
            if self.run(module, files, more).returncode == 0:
                for name in names:
                    with open(name, errors="replace") as tree:
                        yield tree.read()
            elif len(group) > 1:
                half = len(group) // 2
                open_groups += [group[:half], group[half:]]
            else:
                print("no tree of", group[0], file=sys.stderr)


def swift_files(folder):
    found = []
    for path, folders, names in os.walk(folder):
        folders.sort()
        if not path.endswith(".docc"):
            found += [os.path.join(path, name) for name in sorted(names) if name.endswith(".swift")]
    return found


class Places:
    """Where declarations stand that the compiler names."""

    def __init__(self, root, modules):
        self.root = root
        self.known = {}
        self.by_name = {}
        for module in modules:
            if module.get("c") or not module["dir"].startswith(root):
                continue
            for path in swift_files(module["dir"]):
                for at, (name, labels) in self.of(path).items():
                    # The compiler names an extension by the last name of its type.
                    parts = name.split(".")
                    for more in range(len(parts)):
                        key = (module["name"], ".".join(parts[more:]), more)
                        self.by_name.setdefault(key, []).append((path, at, labels))

    def of(self, path):
        if path not in self.known:
            self.known[path] = definitions(path)
        return self.known[path]

    def told(self, path, line, column, declared):
        """The place of a declaration. An initialiser that is not written has that of its type."""
        if not path.startswith(self.root):
            return []
        at = (int(line), int(column))
        known = self.of(path)
        if at in known:
            return [(path, at)]
        before = [other for other in known if other <= at]
        return [(path, max(before))] if before and ".init" in declared else []

    def named(self, declared):
        found = re.match(r"(\w+)\.(?:\(file\)\.)?(.*)$", declared)
        if not found:
            return []
        module, path = found.group(1), found.group(2).replace(" extension", "")
        name, _, labels = path.partition("(")
        keys = [(module, name, more) for more in range(6)]
        all_of_name = next((self.by_name[key] for key in keys if key in self.by_name), [])
        if labels:
            wanted = [label for label in labels.rstrip(")").split(":") if label]
            fitting = [one for one in all_of_name if one[2] == wanted]
        else:
            fitting = [one for one in all_of_name if not one[2] or set(one[2]) == {"_"}]
        if not fitting and name.endswith(".init"):
            fitting = self.by_name.get((module, name[:-5], 0), [])
        return [(path, at) for path, at, _ in fitting]


def name_start(lines, line, column):
    """The column of the name of `A<B>(…)`, which the compiler places behind the type arguments."""
    text = lines[line - 1] if line <= len(lines) else ""
    at = column
    if at > len(text) or text[at - 1] != ">":
        return column
    depth = 0
    while at > 0:
        at -= 1
        depth += {">": 1, "<": -1}.get(text[at], 0)
        if depth == 0:
            break
    while at > 0 and re.match(r"\w", text[at - 1]):
        at -= 1
    return at + 1


def main():
    root, modules, out = os.path.abspath(sys.argv[1]) + "/", json.load(open(sys.argv[2])), os.path.abspath(sys.argv[3])
    compiler, places, sites = Compiler(modules, out), Places(root, modules), {}
    for module in modules:
        if module.get("c"):
            continue
        files = swift_files(module["dir"])
        compiler.build(module, files)
        if not module.get("judged"):
            continue
        for tree in compiler.trees(module, files):
            for (path, line, column), declared, target in calls(tree):
                if path.startswith(root):
                    found = places.told(*target, declared) if target else places.named(declared)
                    site = sites.setdefault((path, int(line), int(column)), [declared, []])
                    site[1] += [one for one in found if one not in site[1]]
    lines = {}
    for (path, line, column), (declared, targets) in sorted(sites.items()):
        if path not in lines:
            with open(path, errors="replace") as file:
                lines[path] = file.read().split("\n")
        print(json.dumps({
            "file": path[len(root):],
            "line": line,
            "column": name_start(lines[path], line, column) - 1,
            "name": declared,
            "targets": [{"file": path[len(root):], "line": at[0]} for path, at in targets],
        }))


if __name__ == "__main__":
    main()
