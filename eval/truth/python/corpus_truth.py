"""Compares the comments of a program of the Python corpus with what runs.

    python3 eval/truth/python/corpus_truth.py crates/languages/src/python/corpus/PROGRAM

Runs `main.py` of the program. Every call and every decorator of its files is rewritten so that the object which is called
is recorded first. Prints what ran and is not written, what is written and did not run, and lines of calls that never ran.
A method that overrides the written one counts as the written one, since a comment names what a call is bound to.
A decorated definition stays that definition, whatever the decorator gave.
"""

import ast
import functools
import importlib.abc
import importlib.util
import os
import sys
import types

ran = {}
registered = {}
keep = []
root = ""


def record(path, line, callee):
    target = resolve(callee)
    ran.setdefault((path, line), set())
    if target:
        ran[(path, line)].add(target)
    return callee


def resolve(callee):
    """The definition that a call of this object leads to, if it stands in the program."""
    if id(callee) in registered:
        found = registered[id(callee)]
        return constructor(callee) if isinstance(callee, type) else found
    if isinstance(callee, types.MethodType):
        return resolve(callee.__func__)
    if isinstance(callee, functools.partial):
        return resolve(callee.func)
    if isinstance(callee, types.FunctionType):
        return code_target(callee.__code__)
    if isinstance(callee, type):
        return constructor(callee)
    if isinstance(callee, (types.BuiltinFunctionType, types.ModuleType)) or callee is None:
        return None
    wrapped = getattr(callee, "__wrapped__", None)
    if isinstance(wrapped, types.FunctionType):
        return resolve(wrapped)
    call = getattr(type(callee), "__call__", None)
    return resolve(call) if isinstance(call, types.FunctionType) else None


def constructor(cls):
    for name in ("__init__", "__new__"):
        for base in cls.__mro__:
            own = base.__dict__.get(name)
            own = getattr(own, "__func__", own)
            if isinstance(own, types.FunctionType):
                found = resolve(own)
                if found:
                    return found
                break
            if own is not None and base is not object:
                break
    return registered.get(id(cls))


def code_target(code):
    path = code.co_filename
    if not path.startswith(root) or code.co_name in ("<lambda>", "<module>"):
        return None
    name = code.co_qualname if hasattr(code, "co_qualname") else code.co_name
    return (os.path.relpath(path, root), name.replace(".<locals>", ""), def_line(path, code.co_firstlineno, code.co_name))


@functools.cache
def def_lines(path):
    tree = ast.parse(open(path).read())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    lines = {}
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            first = min([d.lineno for d in node.decorator_list] + [node.lineno])
            lines[(first, node.name)] = node.lineno
    return lines


def def_line(path, first, name):
    return def_lines(path).get((first, name), first)


def register(path, name, line, value):
    registered[id(value)] = (path, name, line)
    keep.append(value)
    return value


class Rewrite(ast.NodeTransformer):
    def __init__(self, path):
        self.path = path
        self.names = []

    def watch(self, node, line):
        args = [ast.Constant(self.path), ast.Constant(line), node]
        return ast.copy_location(ast.Call(ast.Name("__record__", ast.Load()), args, []), node)

    def visit_Call(self, node):
        line = node.func.end_lineno
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in ("locals", "globals")):
            node.func = self.watch(node.func, line)
        return node

    def visit_definition(self, node):
        line = node.lineno
        self.names.append(node.name)
        name = ".".join(self.names)
        decorators = []
        for decorator in node.decorator_list:
            at = decorator.end_lineno if not isinstance(decorator, ast.Call) else decorator.func.end_lineno
            decorator = self.visit(decorator)
            if not isinstance(decorator, ast.Call) or is_record(decorator):
                decorator = self.watch(decorator, at)
            decorators.append(decorator)
        node.decorator_list = []
        self.generic_visit(node)
        node.decorator_list = decorators
        if decorators or isinstance(node, ast.ClassDef):
            head = [ast.Constant(self.path), ast.Constant(name), ast.Constant(line)]
            lead = ast.Call(ast.Name("__definition__", ast.Load()), head, [])
            node.decorator_list = [ast.copy_location(lead, node), *decorators]
        self.names.pop()
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_definition


def is_record(call):
    return isinstance(call.func, ast.Name) and call.func.id == "__record__"


class Loader(importlib.abc.Loader):
    def __init__(self, path):
        self.path = path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = self.path
        exec(load(self.path), module.__dict__)


def load(path):
    tree = Rewrite(os.path.relpath(path, root)).visit(ast.parse(open(path).read()))
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        folders = path if path is not None else [root]
        for folder in (f for f in folders if f.startswith(root)):
            base = os.path.join(folder, name.rpartition(".")[2])
            init = os.path.join(base, "__init__.py")
            if os.path.isfile(init):
                return importlib.util.spec_from_file_location(
                    name, init, loader=Loader(init), submodule_search_locations=[base]
                )
            if os.path.isfile(base + ".py"):
                return importlib.util.spec_from_file_location(name, base + ".py", loader=Loader(base + ".py"))
        return None


def written():
    """The targets that the comments name; what is marked as wrong is not true."""
    truth = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".py"):
                continue
            path = os.path.relpath(os.path.join(folder, name), root)
            for number, line in enumerate(open(os.path.join(root, path)), 1):
                if "# calls " not in line:
                    continue
                for target in line.split("# calls ")[1].split(","):
                    target = target.strip()
                    if target.endswith("(wrong)"):
                        continue
                    target = target.replace("(missed)", "").strip()
                    target = path + target if target.startswith(":") else target
                    truth.setdefault((path, number), set()).add(target)
    return truth


def names_of(target):
    path, name, line = target
    return {f"{path}:{name}", f"{path}:{name}@{line}"}


def overridden():
    """For each method the methods that it overrides, by name."""
    result = {}
    for value in keep:
        if not isinstance(value, type):
            continue
        for method in list(vars(value)):
            chain = []
            for base in value.__mro__:
                own = base.__dict__.get(method)
                own = getattr(own, "__func__", own)
                found = resolve(own) if callable(own) else None
                if found:
                    chain.append(found)
            for at, low in enumerate(chain):
                result.setdefault(low, set()).update(chain[at:])
    return result


def main():
    global root
    root = os.path.realpath(sys.argv[1])
    sys.meta_path.insert(0, Finder())
    sys.dont_write_bytecode = True
    sys.path.insert(0, root)
    import builtins

    builtins.__record__ = record
    builtins.__definition__ = lambda path, name, line: lambda value: register(path, name, line, value)
    entry = os.path.join(root, "main.py")
    scope = types.ModuleType("__main__")
    scope.__file__ = entry
    sys.modules["__main__"] = scope
    exec(load(entry), scope.__dict__)
    truth = written()
    above = overridden()
    complaints = 0
    checked = 0
    for site in sorted(set(ran) | set(truth)):
        here = truth.get(site, set())
        if site not in ran:
            print(f"{site[0]}:{site[1]}: not run: {', '.join(sorted(here))}")
            continue
        covered = set()
        for target in ran[site]:
            accepted = names_of(target)
            for base in above.get(target, ()):
                accepted |= names_of(base)
            if accepted & here:
                covered |= accepted & here
            else:
                complaints += 1
                print(f"{site[0]}:{site[1]}: ran and is not written: {target[0]}:{target[1]}@{target[2]}")
        checked += len(covered)
        for target in sorted(here - covered):
            complaints += 1
            print(f"{site[0]}:{site[1]}: written and did not run: {target}")
    print(f"{checked} targets of comments ran, {complaints} differ", file=sys.stderr)


if __name__ == "__main__":
    main()
