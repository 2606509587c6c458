"""The same as `call_truth.py` for C++.

Usage: cpp_call_truth.py [--without-signs] DIR FILE… [--defined-in FILE…] -- FLAG… > truth.jsonl

Where only some sources are asked about, the others are named behind `--defined-in`: their definitions are read, their calls are not.

Beside functions: methods, and constructors where a class or member is written with parentheses or braces. Constructors that
nobody wrote and calls that depend on a parameter of a template have no site. An operator by its sign is a site at the sign, a
conversion of a name to `bool` is one at the name, and a destructor that `delete` calls is one at `delete`: with
`--without-signs` before DIR these are left out.
A header is read with the first sources that include it.
"""

import os
import re
import subprocess
import sys

import clang.cindex as ci

from call_truth import DETAILED, Truth, is_called_through, named_in

KINDS = ci.CursorKind
DEFINED = (
    KINDS.FUNCTION_DECL,
    KINDS.VAR_DECL,
    KINDS.CXX_METHOD,
    KINDS.CONSTRUCTOR,
    KINDS.DESTRUCTOR,
    KINDS.CONVERSION_FUNCTION,
    KINDS.FUNCTION_TEMPLATE,
)
CALLED = (KINDS.FUNCTION_DECL, KINDS.CXX_METHOD, KINDS.FUNCTION_TEMPLATE, KINDS.CONVERSION_FUNCTION)
AROUND = (
    KINDS.NAMESPACE,
    KINDS.CLASS_DECL,
    KINDS.STRUCT_DECL,
    KINDS.CLASS_TEMPLATE,
    KINDS.LINKAGE_SPEC,
)
MOST_READ = 2
SKIP_BODIES = 0x40


class CppTruth(Truth):
    def __init__(self, root):
        super().__init__(root)
        self.walked = {}
        self.with_signs = True

    def read(self, source, flags):
        path = os.path.join(self.root, source)
        unit = ci.Index.create().parse(path, args=flags, options=DETAILED)
        errors = [d for d in unit.diagnostics if d.severity >= ci.Diagnostic.Error]
        for error in errors[:3]:
            print(f"{source}: {error}", file=sys.stderr)
        macros = self.macros(unit)
        seen = set()
        for cursor in unit.cursor.get_children():
            if cursor.kind.is_preprocessing():
                continue
            inside = self.place(cursor.location)[0]
            if not inside:
                continue
            seen.add(inside)
            if inside != source and self.walked.get(inside, 0) >= MOST_READ:
                continue
            self.walk(cursor, None, macros)
        for inside in seen:
            self.walked[inside] = self.walked.get(inside, 0) + 1
        return len(errors)

    def read_definitions(self, source, flags):
        path = os.path.join(self.root, source)
        unit = ci.Index.create().parse(path, args=flags, options=SKIP_BODIES)
        open_ = [c for c in unit.cursor.get_children() if self.place(c.location)[0] == source]
        while open_:
            cursor = open_.pop()
            if cursor.kind in DEFINED and cursor.is_definition():
                found, line, _, _ = self.place(cursor.location)
                if found:
                    self.definitions[cursor.get_usr()].add((found, line))
            elif cursor.kind in AROUND:
                open_.extend(cursor.get_children())

    def walk(self, root, parent, macros):
        open_ = [(root, parent, None)]
        while open_:
            cursor, parent, around = open_.pop()
            if cursor.kind == KINDS.CALL_EXPR:
                self.called(cursor, parent, around, macros)
            elif cursor.kind == KINDS.CXX_DELETE_EXPR and self.with_signs:
                self.deleted(cursor)
            elif cursor.kind in DEFINED and cursor.is_definition():
                path, line, _, _ = self.place(cursor.location)
                if path:
                    self.definitions[cursor.get_usr()].add((path, line))
            inner = parent if cursor.kind == KINDS.UNEXPOSED_EXPR else cursor
            for child in cursor.get_children():
                open_.append((child, inner, cursor))

    def called(self, cursor, parent, around, macros):
        target = cursor.referenced
        if target is None:
            return
        if target.kind == KINDS.CONSTRUCTOR:
            self.constructed(cursor, parent, target)
        elif target.kind in CALLED and target.spelling.startswith("operator"):
            self.operator(cursor, target, macros)
        else:
            self.plain(cursor, macros)

    def plain(self, cursor, macros):
        callee = next(cursor.get_children(), None)
        named = callee and named_in(callee)
        if not named:
            return
        location, target = named
        path, line, column, offset = self.place(location)
        if not path:
            return
        name = target.spelling
        written = self.name_at(path, offset)
        if written != name or name in macros:
            return super().call(cursor, macros)
        end = offset + len(name)
        if is_called_through(self.text(path), end) or self.text(path)[end : end + 1] in b"< ":
            self.sites[path, line, column, name].add(self.target(target))

    def operator(self, cursor, target, macros):
        """`object(x)`, `operator+(a, b)` and `a + b`."""
        if target.kind == KINDS.CONVERSION_FUNCTION:
            return self.converted(cursor, target, macros)
        if self.with_signs:
            self.sign(cursor, target, macros)
        callee = next(cursor.get_children(), None)
        named = callee and named_in(callee)
        if not named:
            return
        location, first = named
        path, line, column, offset = self.place(location)
        if not path:
            return
        text = self.text(path)
        if text[offset : offset + 8] == b"operator":
            self.sites[path, line, column, target.spelling].add(self.target(target))
        elif target.spelling == "operator()" and first != target:
            name = self.name_at(path, offset)
            if name and name not in macros and is_called_through(text, offset + len(name)):
                self.sites[path, line, column, name].add(self.target(target))

    def sign(self, cursor, target, macros):
        sign = target.spelling[len("operator") :]
        if sign in ("", "()") or sign[0].isalpha() or sign[0] == " ":
            return
        # Nobody wrote it.
        if self.place(target.location) == self.place(target.semantic_parent.location):
            return
        for child in cursor.get_children():
            named = named_in(child)
            if not named or not named[1].spelling.startswith("operator"):
                continue
            path, line, column, offset = self.place(named[0])
            if path and self.text(path)[offset : offset + 1] == sign[:1].encode():
                self.sites[path, line, column, target.spelling].add(self.target(target))

    def converted(self, cursor, target, macros):
        path, line, column, offset = self.place(cursor.extent.start)
        if not path or not self.with_signs or target.spelling != "operator bool":
            return
        name = self.name_at(path, offset)
        if name and name not in macros and self.text(path)[offset + len(name) : offset + len(name) + 1] in b") &|:?":
            self.sites[path, line, column, target.spelling].add(self.target(target))

    def deleted(self, cursor):
        path, line, column, offset = self.place(cursor.location)
        inner = next(cursor.get_children(), None)
        if not path or not inner or self.text(path)[offset : offset + 6] != b"delete":
            return
        owner = inner.type.get_canonical().get_pointee().get_declaration()
        owner = owner.get_definition() or owner
        for member in owner.get_children():
            place = self.place(member.location)
            if member.kind == KINDS.DESTRUCTOR and place != self.place(owner.location):
                self.sites[path, line, column, "delete"].add(self.target(member))

    def constructed(self, cursor, parent, target):
        """`T(x)`, `T{x}`, `T name(x)`, `: member(x)`."""
        place = self.place(target.location)
        owner = self.place(target.semantic_parent.location)
        if place[0] and place == owner:
            return
        path, _, _, offset = self.place(cursor.location)
        if not path:
            return
        text = self.text(path)
        name = target.spelling.split("<")[0]
        if parent is not None and parent.kind in (KINDS.VAR_DECL, KINDS.FIELD_DECL):
            if self.place(parent.location)[3] == offset:
                variable = self.name_at(path, offset)
                if not variable or text[offset + len(variable) : offset + len(variable) + 1] not in b"({":
                    return
                before = text[max(0, offset - 400) : offset]
                found = re.search(rb"(\w+)\s*(<[^;{}()]*>)?\s*$", before)
                if found and found.group(1).decode() == name:
                    self.add_constructor(path, offset - len(before) + found.start(1), name, target)
                return
        found = re.match(rb"(?:\w+\s*(?:<[^;{}()]*>)?\s*::\s*)*(\w+)\s*(?:<[^;{}()]*>)?\s*[({]", text[offset : offset + 400])
        if not found:
            return
        written = found.group(1).decode()
        is_member = parent is not None and parent.kind == KINDS.CONSTRUCTOR
        if written == name or is_member:
            self.add_constructor(path, offset + found.start(1), written, target)

    def add_constructor(self, path, offset, name, target):
        text = self.text(path)
        line = text.count(b"\n", 0, offset) + 1
        column = offset - (text.rfind(b"\n", 0, offset) + 1)
        self.sites[path, line, column, name].add(self.target(target))

    def target(self, cursor):
        template = ci.conf.lib.clang_getSpecializedCursorTemplate(cursor)
        if template and not template.kind.is_invalid():
            cursor = template
        kind = "function" if cursor.kind in DEFINED and cursor.kind != KINDS.VAR_DECL else "value"
        definition = cursor.get_definition()
        path, line, _, _ = self.place((definition or cursor).location)
        if path and definition:
            return kind, path, line
        return kind + "?", cursor.get_usr(), (path, line, cursor.spelling)


def system_headers():
    found = subprocess.run(
        ["g++", "-E", "-x", "c++", "-v", "/dev/null"], capture_output=True, text=True
    ).stderr
    listed = found.split("search starts here:")[-1].split("End of search")[0]
    return [flag for line in listed.splitlines() if line.startswith(" ") for flag in ("-isystem", line.strip())]


def main():
    with_signs = "--without-signs" not in sys.argv
    sys.argv = [given for given in sys.argv if given != "--without-signs"]
    at = sys.argv.index("--")
    root, sources, flags = sys.argv[1], sys.argv[2:at], sys.argv[at + 1 :]
    others = []
    if "--defined-in" in sources:
        divided = sources.index("--defined-in")
        sources, others = sources[:divided], sources[divided + 1 :]
    os.chdir(root)
    truth = CppTruth(".")
    truth.with_signs = with_signs
    # The headers of one compiler have what another does not know; that does no harm to what follows.
    flags = ["-x", "c++", "-ferror-limit=0"] + system_headers() + flags
    failed = 0
    for source in sources:
        failed += truth.read(source, flags) > 0
    for source in others:
        truth.read_definitions(source, flags)
    truth.write(sys.stdout)
    print(f"{len(sources)} sources, {failed} with errors", file=sys.stderr)


if __name__ == "__main__":
    main()
