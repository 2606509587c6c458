"""Runs programs and servers, and measures what they cost: processor seconds, wall time, and the peak memory of all their processes."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def processes_below(root: int) -> list[int]:
    """The process, what it started, and what shares its session."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = pathlib.Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(name)] = (int(fields[1]), int(fields[3]))
    found = {root}
    grown = True
    while grown:
        more = {p for p, (parent, session) in parents.items() if p not in found and (parent in found or session == root)}
        grown = bool(more)
        found |= more
    return [p for p in found if p in parents]


def cost_now(pids: list[int]) -> tuple[float, int]:
    """Processor seconds and resident bytes; waited-for children count with their parents."""
    cpu, memory = 0.0, 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        cpu += sum(map(int, fields[11:15])) / TICK
        memory += int(fields[21]) * PAGE
    return cpu, memory


class Meter:
    """Watches a process and its children until it is stopped."""

    def __init__(self, pid: int):
        self.pid, self.cpu, self.peak, self.done = pid, 0.0, 0, threading.Event()
        self.started = time.monotonic()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def look(self) -> None:
        cpu, memory = cost_now(processes_below(self.pid))
        self.cpu, self.peak = max(self.cpu, cpu), max(self.peak, memory)

    def _watch(self) -> None:
        while not self.done.wait(0.2):
            self.look()

    def stop(self) -> dict:
        self.done.set()
        self.thread.join()
        return {"cpu": self.cpu, "peak": self.peak, "wall": time.monotonic() - self.started}


def run(command: list[str], cwd=None, env=None, limit=600, watch=False) -> dict:
    """Runs a program to its end. `cpu` is exact: it comes from the kernel's account of waited-for children. Memory takes watching."""
    child = subprocess.Popen(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )
    meter = Meter(child.pid) if watch else None
    started = time.monotonic()
    before = os.times()
    late = False
    try:
        out, err = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        late = True
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
    after = os.times()
    wall = time.monotonic() - started
    peak = meter.stop()["peak"] if meter else 0
    exact = after.children_user + after.children_system - before.children_user - before.children_system
    return {
        "rc": child.returncode, "late": late, "out": out.decode(errors="replace"), "err": err.decode(errors="replace"),
        "cpu": max(exact, 0.0), "peak": peak, "wall": wall,
    }


def disk(*paths) -> int:
    """Bytes of files in folders."""
    total = 0
    for path in map(pathlib.Path, paths):
        files = [path] if path.is_file() else path.rglob("*")
        total += sum(f.stat().st_size for f in files if f.is_file() and not f.is_symlink())
    return total


class Server:
    """A server on standard input and output that speaks JSON-RPC."""

    framed = False

    def __init__(self, command: list[str], cwd=None, env=None):
        self.child = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )
        self.meter = Meter(self.child.pid)
        self.last = 0

    def send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body if self.framed else body + b"\n")
        self.child.stdin.flush()

    def read(self) -> dict:
        if not self.framed:
            while True:
                line = self.child.stdout.readline()
                if not line:
                    raise EOFError("the server ended")
                if line.lstrip().startswith(b"{"):
                    return json.loads(line)
        length = 0
        while True:
            line = self.child.stdout.readline()
            if not line:
                raise EOFError("the server ended")
            if not line.strip():
                return json.loads(self.child.stdout.read(length))
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])

    def ask(self, method: str, params: dict, limit=600):
        self.last += 1
        number = self.last
        timer = threading.Timer(limit, self.child.kill)
        timer.start()
        try:
            self.send({"id": number, "method": method, "params": params})
            while True:
                message = self.read()
                if "method" in message:
                    if "id" in message:
                        self.send({"id": message["id"], "result": self.reply(message)})
                elif message.get("id") == number:
                    if "error" in message:
                        raise RuntimeError(f"{method}: {message['error']}")
                    return message.get("result")
        finally:
            timer.cancel()

    def reply(self, message: dict):
        if message["method"] == "workspace/configuration":
            return [None] * len(message["params"]["items"])
        return {"roots": []} if message["method"] == "roots/list" else None

    def tell(self, method: str, params: dict) -> None:
        self.send({"method": method, "params": params})

    def close(self) -> dict:
        self.meter.look()
        cost = self.meter.stop()
        for pid in processes_below(self.child.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.child.wait()
        return cost


class Mcp(Server):
    """A client of an MCP server."""

    def __init__(self, command, cwd=None, env=None):
        super().__init__(command, cwd, env)
        who = {"name": "compare", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who})
        self.tell("notifications/initialized", {})

    def call(self, tool: str, arguments: dict, limit=600) -> str:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments}, limit)
        return "".join(part.get("text", "") for part in result["content"])


class Lsp(Server):
    """A client of a language server."""

    framed = True

    def __init__(self, command, root: pathlib.Path, language: str, env=None):
        super().__init__(command, root, env)
        self.root, self.language, self.versions = root, language, {}
        capabilities = {"textDocument": {"callHierarchy": {}, "references": {}}, "workspace": {"configuration": True}}
        folder = {"uri": root.as_uri(), "name": root.name}
        answer = self.ask("initialize", {
            "processId": os.getpid(), "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": capabilities,
        })
        self.has_calls = bool(answer["capabilities"].get("callHierarchyProvider"))
        self.tell("initialized", {})

    def show(self, path: str) -> dict:
        """Opens a file, or sends its text again."""
        uri = (self.root / path).as_uri()
        text = (self.root / path).read_text(errors="replace")
        version = self.versions.get(path, 0) + 1
        self.versions[path] = version
        if version == 1:
            document = {"uri": uri, "languageId": self.language, "version": 1, "text": text}
            self.tell("textDocument/didOpen", {"textDocument": document})
        else:
            change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
            self.tell("textDocument/didChange", change)
        return {"uri": uri}
