"""Prints, for every call site of a C repository, what libclang says it calls: one JSON object a line.

Usage: call_truth.py DIR FILE… -- FLAG… > truth.jsonl

DIR is the repository's root, FILE… are the sources that its build compiles here, and FLAG… what it compiles them with. Paths are
seen from DIR. It needs `pip install libclang` and the headers of some compiler.

A name that is a macro where it stands is a call of the macro. What the body of a macro calls is a site of the body. A name with
several definitions in the repository, of which some program links one, counts as any of them.
"""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from ctypes import byref, c_uint

import clang.cindex as ci

DETAILED = 0x01
WORD = re.compile(rb"[A-Za-z_]\w*")
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


class Truth:
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.texts = {}
        self.relatives = {}
        # Definitions by the name that is the same in all files: places.
        self.definitions = defaultdict(set)
        # (file, line, column, name): what is called there.
        self.sites = defaultdict(set)
        self.bodies = {}

    def relative(self, name):
        """The path below the root; none for files outside."""
        if name not in self.relatives:
            path = os.path.realpath(os.path.join(self.root, name))
            inside = path.startswith(self.root + os.sep)
            self.relatives[name] = path[len(self.root) + 1 :] if inside else None
        return self.relatives[name]

    def text(self, path):
        if path not in self.texts:
            with open(os.path.join(self.root, path), "rb") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def place(self, location):
        """File below the root, line, column from 0, and byte of where a location is written."""
        file, line, column, offset = ci.c_object_p(), c_uint(), c_uint(), c_uint()
        ci.conf.lib.clang_getFileLocation(
            location, byref(file), byref(line), byref(column), byref(offset)
        )
        path = self.relative(ci.File(file).name) if file else None
        return path, line.value, column.value - 1, offset.value

    def name_at(self, path, offset):
        found = WORD.match(self.text(path), offset)
        return found.group().decode() if found else None

    def read(self, source, flags):
        unit = ci.Index.create().parse(
            os.path.join(self.root, source), args=flags, options=DETAILED
        )
        errors = [d for d in unit.diagnostics if d.severity >= ci.Diagnostic.Error]
        for error in errors[:3]:
            print(f"{source}: {error}", file=sys.stderr)
        macros = self.macros(unit)
        for cursor in unit.cursor.walk_preorder():
            if cursor.kind == ci.CursorKind.CALL_EXPR:
                self.call(cursor, macros)
            elif cursor.kind in (ci.CursorKind.FUNCTION_DECL, ci.CursorKind.VAR_DECL):
                if cursor.is_definition():
                    path, line, _, _ = self.place(cursor.location)
                    if path:
                        self.definitions[cursor.get_usr()].add((path, line))
        return len(errors)

    def macros(self, unit):
        """Macros by name: where each is defined. Their uses become sites."""
        known = {}
        uses = []
        for cursor in unit.cursor.get_children():
            if cursor.kind == ci.CursorKind.MACRO_DEFINITION:
                path, line, _, offset = self.place(cursor.location)
                if path:
                    end = cursor.extent.end.offset
                    known[cursor.spelling] = (path, line, offset, end)
            elif cursor.kind == ci.CursorKind.MACRO_INSTANTIATION:
                uses.append(cursor)
        for cursor in uses:
            path, line, column, offset = self.place(cursor.location)
            name = cursor.spelling
            if not path or self.name_at(path, offset) != name:
                continue
            if not is_called(self.text(path), offset + len(name)):
                continue
            target = cursor.referenced
            place = self.place(target.location) if target else (None, 0, 0, 0)
            found = ("macro", place[0], place[1]) if place[0] else ("external", name, 0)
            self.sites[path, line, column, name].add(found)
            self.inner(known, name)
        return known

    def inner(self, known, name):
        """The macros that the body of a macro uses, and those that these use."""
        for path, line, column, word in self.body(known, name):
            if word in known and word != name:
                target = known[word]
                key = (path, line, column, word)
                found = ("macro", target[0], target[1])
                if found not in self.sites[key]:
                    self.sites[key].add(found)
                    self.inner(known, word)

    def body(self, known, name):
        """The words before parentheses in a macro's body, with their places."""
        if name not in known:
            return []
        path, line, offset, end = known[name]
        if (path, offset) in self.bodies:
            return self.bodies[path, offset]
        text = self.text(path)[:end]
        text = COMMENT.sub(lambda found: re.sub(rb"[^\n]", b" ", found.group()), text[offset:])
        parameters, start = [], len(name)
        if text[start : start + 1] == b"(":
            close = text.index(b")") + 1
            parameters, start = WORD.findall(text[start:close]), close
        out = []
        for word in WORD.finditer(text, start):
            before = text[start : word.start()].rstrip(b" \t\\\n")
            if word.group() in parameters or before.endswith((b".", b"->", b"#")):
                continue
            if is_called(text, word.end()):
                row = line + text.count(b"\n", 0, word.start())
                at = offset + word.start()
                column = at - (self.text(path).rfind(b"\n", 0, at) + 1)
                out.append((path, row, column, word.group().decode()))
        self.bodies[path, offset] = out
        return out

    def call(self, cursor, macros):
        callee = next(cursor.get_children(), None)
        named = callee and named_in(callee)
        if not named:
            return
        location, target = named
        path, line, column, offset = self.place(location)
        if not path:
            return
        found = self.target(target)
        written = self.name_at(path, offset)
        name = target.spelling
        if written == name and is_called_through(self.text(path), offset + len(name)):
            if name not in macros:
                self.sites[path, line, column, name].add(found)
            return
        # It stands in the body of a macro, or in that of one which this one uses.
        seen, open_ = set(), [written]
        while open_:
            macro = open_.pop()
            if macro in seen:
                continue
            seen.add(macro)
            for path, line, column, word in self.body(macros, macro):
                if word == name and name not in macros:
                    self.sites[path, line, column, name].add(found)
                open_.append(word)

    def target(self, cursor):
        is_function = cursor.kind == ci.CursorKind.FUNCTION_DECL
        kind = "function" if is_function else "value"
        definition = cursor.get_definition()
        path, line, _, _ = self.place((definition or cursor).location)
        usr = cursor.get_usr()
        if path and definition:
            return kind, path, line
        return kind + "?", usr, (path, line, cursor.spelling)

    def write(self, out):
        for (path, line, column, name), targets in sorted(self.sites.items()):
            site = {"file": path, "line": line, "column": column, "name": name}
            places, kinds, outside = set(), set(), None
            for kind, where, rest in targets:
                if kind == "external":
                    outside = where
                elif kind.endswith("?"):
                    declared, at, spelled = rest
                    found = self.definitions.get(where)
                    if found:
                        places |= found
                    elif declared:
                        places.add((declared, at))
                    else:
                        outside = spelled
                    kinds.add(kind.rstrip("?"))
                else:
                    places.add((where, rest))
                    kinds.add(kind)
            if places:
                site["targets"] = [{"file": f, "line": l} for f, l in sorted(places)]
                # A name that is a value for some is not counted.
                site["kind"] = "value" if "value" in kinds else sorted(kinds)[0]
            elif outside:
                site["external"] = outside
            out.write(json.dumps(site) + "\n")


def is_called(text, at):
    """Whether parentheses open behind a name."""
    return text[at : at + 200].replace(b"\\\n", b" ").lstrip()[:1] == b"("


def is_called_through(text, at):
    """The same of `(*f)(x)` and `(f)(x)`, where they close first."""
    return text[at : at + 200].lstrip(b" \t\n\\)")[:1] == b"("


def named_in(callee):
    """Where the name of a callee stands, and what it names."""
    for _ in range(8):
        if callee.kind in (ci.CursorKind.DECL_REF_EXPR, ci.CursorKind.MEMBER_REF_EXPR):
            target = callee.referenced
            return (callee.location, target) if target else None
        inner = list(callee.get_children())
        if len(inner) != 1:
            return None
        callee = inner[0]
    return None


def builtin_headers():
    found = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True)
    return ["-isystem", found.stdout.strip()]


def main():
    at = sys.argv.index("--")
    root, sources, flags = sys.argv[1], sys.argv[2:at], sys.argv[at + 1 :]
    os.chdir(root)
    truth = Truth(".")
    flags = builtin_headers() + flags
    failed = 0
    for source in sources:
        failed += truth.read(source, flags) > 0
    truth.write(sys.stdout)
    print(f"{len(sources)} sources, {failed} with errors", file=sys.stderr)


if __name__ == "__main__":
    main()
