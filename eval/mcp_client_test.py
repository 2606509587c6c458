"""The server as a foreign client meets it: the `mcp` package of PyPI (2.0 or later) starts the built binary over standard input
and output, then over streamable HTTP, each by the handshake of old and by discovery, and asks about a small repository.

Usage: mcp_client_test.py PATH/TO/knotwork [DRIVE]

DRIVE comes before the paths of this system in the program's own (`/Z:` under Wine).
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

FILES = {
    "shop/__init__.py": "",
    "shop/price.py": "def net(amount):\n    return amount\n\n\ndef gross(amount):\n    return net(amount) * 2\n",
    "shop/cart.py": "from shop.price import gross\n\n\nclass Cart:\n"
    "    def total(self):\n        return gross(1)\n",
}
TOOLS = {"ci_search", "ci_graph_rag", "ci_call_chain", "ci_impact"}


def write_repository(root: pathlib.Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)


async def ask(session: ClientSession, tool: str, arguments: dict) -> dict:
    answer = await session.call_tool(tool, arguments)
    text = "".join(part.text for part in answer.content if part.type == "text")
    failed = getattr(answer, "isError", None) or getattr(answer, "is_error", None)
    assert not failed, f"{tool}: {text}"
    return json.loads(text)


async def converse(session, heard: list) -> None:
    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, message))

    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert TOOLS <= tools.keys(), f"tools missing: {TOOLS - tools.keys()}"
    assert tools["ci_search"].title and tools["ci_search"].annotations, tools["ci_search"]
    await session.call_tool("ci_index_status", {"action": "build"}, progress_callback=progress)
    chain = await ask(session, "ci_call_chain", {"symbol": "net", "direction": "callers", "depth": 3})
    told = json.dumps(chain)
    assert "gross" in told and "total" in told, told
    impact = await ask(session, "ci_impact", {"symbol": "net"})
    assert "cart.py" in json.dumps(impact), impact
    found = await ask(session, "ci_search", {"query": "gross"})
    assert "shop/price.py" in json.dumps(found), found
    resources = (await session.list_resources()).resources
    for uri in [*(str(resource.uri) for resource in resources), "knotwork://outline/shop/cart.py"]:
        contents = (await session.read_resource(uri)).contents
        assert contents and contents[0].text, uri
    assert "total" in contents[0].text, contents
    prompts = (await session.list_prompts()).prompts
    assert {"explain", "review-change", "locate-bug"} <= {prompt.name for prompt in prompts}, prompts
    prompt = await session.get_prompt("locate-bug", {"report": "KeyError in gross"})
    assert "KeyError in gross" in prompt.messages[0].content.text, prompt


async def by_handshake(streams) -> None:
    """The revisions that begin with `initialize`."""
    heard = []
    async with streams as (reading, writing, *_), ClientSession(reading, writing) as session:
        await session.initialize()
        await converse(session, heard)
    assert heard, "no progress was told"


async def by_discovery(streams) -> None:
    """The revisions since 2026-07-28: each request stands for itself."""
    from mcp.client.client import Client

    async with Client(streams) as session:
        assert session.protocol_version >= "2026-07-28", session.protocol_version
        await converse(session, [])


async def with_roots(binary: str, uri: str, elsewhere: str) -> None:
    """A server that was not started in a project takes the folder that is open in the client."""
    from mcp import types

    async def roots(_context) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=uri)])

    server = StdioServerParameters(command=binary, args=["mcp"], cwd=elsewhere, env=dict(os.environ))
    async with stdio_client(server) as (reading, writing):
        async with ClientSession(reading, writing, list_roots_callback=roots) as session:
            await session.initialize()
            await ask(session, "ci_call_chain", {"symbol": "net"})


async def run(binary: str, root: pathlib.Path, elsewhere: str, drive: str) -> None:
    def over_stdio():
        server = StdioServerParameters(command=binary, args=["mcp"], cwd=str(root), env=dict(os.environ))
        return stdio_client(server)

    ways = [by_handshake, by_discovery]
    for way in ways:
        await way(over_stdio())
    await with_roots(binary, f"file://{drive}{root.as_posix()}" if drive else root.as_uri(), elsewhere)
    command = [binary, "mcp", "--http", "127.0.0.1:0"]
    served = subprocess.Popen(command, cwd=str(root), stderr=subprocess.PIPE, text=True)
    try:
        url = served.stderr.readline().removeprefix("Listening on ").strip()
        token = served.stderr.readline().removeprefix("Token: ").strip()
        for way in ways:
            await way(over_http(url, {"Authorization": f"Bearer {token}"}))
    finally:
        served.kill()
        served.wait()


def over_http(url: str, headers: dict):
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    return streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))


def main() -> None:
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    drive = sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        root = pathlib.Path(folder)
        write_repository(root)
        asyncio.run(asyncio.wait_for(run(binary, root, elsewhere, drive), 120))
    print("the mcp client of PyPI lists the tools and gets right answers")


if __name__ == "__main__":
    main()
