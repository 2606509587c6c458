"""The server as a foreign client meets it: the `mcp` package of PyPI starts the built binary over standard input
and output, then over streamable HTTP, lists the tools and asks about a small repository.

Usage: mcp_client_test.py PATH/TO/knotwork
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
TOOLS = {"ci_index_status", "ci_graph_store", "ci_search", "ci_call_chain", "ci_impact"}


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


async def converse(reading, writing) -> None:
    heard = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, message))

    async with ClientSession(reading, writing) as session:
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        assert TOOLS <= names, f"tools missing: {TOOLS - names}"
        await session.call_tool("ci_index_status", {"action": "build"}, progress_callback=progress)
        chain = await ask(session, "ci_call_chain", {"symbol": "net", "direction": "callers", "depth": 3})
        told = json.dumps(chain)
        assert "gross" in told and "total" in told, told
        impact = await ask(session, "ci_impact", {"symbol": "net"})
        assert "cart.py" in json.dumps(impact), impact
        found = await ask(session, "ci_search", {"query": "gross"})
        assert "shop/price.py" in json.dumps(found), found
    assert heard, "no progress was told"


async def run(binary: str, root: pathlib.Path) -> None:
    server = StdioServerParameters(command=binary, args=["mcp"], cwd=str(root), env=dict(os.environ))
    async with stdio_client(server) as (reading, writing):
        await converse(reading, writing)
    command = [binary, "mcp", "--http", "127.0.0.1:0"]
    served = subprocess.Popen(command, cwd=str(root), stderr=subprocess.PIPE, text=True)
    try:
        url = served.stderr.readline().removeprefix("Listening on ").strip()
        token = served.stderr.readline().removeprefix("Token: ").strip()
        headers = {"Authorization": f"Bearer {token}"}
        async with over_http(url, headers) as streams:
            await converse(streams[0], streams[1])
    finally:
        served.kill()
        served.wait()


def over_http(url: str, headers: dict):
    """The client's transport, by whichever name the installed version has it."""
    try:
        from mcp.client.streamable_http import streamablehttp_client

        return streamablehttp_client(url, headers=headers)
    except ImportError:
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        return streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))


def main() -> None:
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write_repository(root)
        asyncio.run(asyncio.wait_for(run(binary, root), 120))
    print("the mcp client of PyPI lists the tools and gets right answers")


if __name__ == "__main__":
    main()
