"""The solution memory as a foreign client meets it: the `mcp` package of PyPI starts the built binary and goes through
the interface of the design and its five key cases, with every set of tools, with vectors in the store and, where
a server's address is given, at Chroma. Last, two servers save 1,000 solutions at once.

Usage: mcp_solutions_test.py PATH/TO/knotwork [CHROMA_URL]
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

TOOLS = {"save_solution", "search_solutions", "get_solution", "list_tags"}
FIELDS = {
    "id", "title", "problem", "relevance", "semantic_score", "keyword_score", "project_name", "created_at", "tags",
}
WHOLE = {
    "id", "title", "problem", "root_cause", "solution", "error_messages", "tags", "project_name", "created_at", "updated_at",
}
SAVED = [
    ("Redis refused connection", "The app in Docker cannot reach the cache", ["connect ECONNREFUSED 127.0.0.1:6379"], ["redis", "docker"]),
    ("Deadlock in bulk update", "Two workers lock rows in another order", ["ERROR: deadlock detected"], ["postgresql"]),
    ("List renders too often", "Typing redraws the whole table and feels slow", [], ["react", "performance"]),
    ("数据库连接池耗尽", "高峰期获取连接超时，接口大量报错", [], ["java"]),
]


def server(binary: str, home: str, *args: str) -> StdioServerParameters:
    env = dict(os.environ, HOME=home, SOLUTION_MEMORY_PATH="~/.solution-memory")
    return StdioServerParameters(command=binary, args=["mcp", *args], cwd=home, env=env)


async def ask(session: ClientSession, tool: str, arguments: dict, fails: bool = False) -> dict:
    answer = await session.call_tool(tool, arguments)
    text = "".join(part.text for part in answer.content if part.type == "text")
    failed = bool(getattr(answer, "isError", None) or getattr(answer, "is_error", None))
    assert failed == fails, f"{tool} {arguments}: {text[:500]}"
    return json.loads(text)


async def interface(binary: str, home: str, *args: str) -> None:
    started = time.perf_counter()
    async with stdio_client(server(binary, home, *args)) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            await session.initialize()
            print(f"  {args}: initialize after {(time.perf_counter() - started) * 1000:.0f} ms, the client's start included")
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert TOOLS <= names, names
            if "--only" in args:
                assert names == TOOLS, names
            await cases(session)
            await wrong(session)


async def cases(session: ClientSession) -> None:
    # Case 4: nothing found is an empty list.
    empty = await ask(session, "search_solutions", {"query": "zqxv wvutq"})
    assert empty["results"] == [] and empty["total"] == 0, empty
    # Case 1: what was saved is found.
    ids = []
    for title, problem, errors, tags in SAVED:
        saved = await ask(session, "save_solution", {
            "title": title, "problem": problem, "solution": "Fixed by hand", "error_messages": errors, "tags": tags,
            "root_cause": None, "project_name": "shop",
        })
        assert saved["message"]
        ids.append(saved["id"])
    for query, at in [("ECONNREFUSED", 0), ("container cannot connect to cache", 0), ("rows locked by two jobs", 1),
                      ("page slow while typing", 2), ("连接池超时", 3), ("connection pool exhausted", 3)]:
        found = await ask(session, "search_solutions", {"query": query})
        assert found["results"][0]["id"] == ids[at], (query, found)
        assert found["mode"] == "hybrid" and "fallback" not in found, found
        assert FIELDS <= set(found["results"][0]), found
    # Case 2: sorted by relevance, scores between 0 and 1.
    for mode in ("hybrid", "semantic", "keyword"):
        found = await ask(session, "search_solutions", {"query": "slow database connection lock", "search_mode": mode, "limit": 20})
        scores = [one["relevance"] for one in found["results"]]
        assert scores and scores == sorted(scores, reverse=True), found
        assert all(0 <= one[k] <= 1 for one in found["results"] for k in ("relevance", "semantic_score", "keyword_score"))
    # Case 3: tags filter.
    found = await ask(session, "search_solutions", {"query": "connection", "tags": ["docker"]})
    assert [one["id"] for one in found["results"]] == [ids[0]], found
    tags = (await ask(session, "list_tags", {"category": "tech_stack"}))["tags"]
    assert {"name": "redis", "category": "tech_stack", "count": 1} in tags, tags
    whole = await ask(session, "get_solution", {"id": ids[0]})
    assert set(whole) == WHOLE, whole
    assert whole["root_cause"] is None and whole["error_messages"] == SAVED[0][2] and whole["project_name"] == "shop"
    # Case 5: concurrent writes.
    many = [ask(session, "save_solution", {"title": f"Problem {n}", "problem": f"Step {n} fails", "solution": "x"}) for n in range(40)]
    assert len({saved["id"] for saved in await asyncio.gather(*many)}) == 40
    # A near twin is kept, and the other one offered.
    twin = await ask(session, "save_solution", {
        "title": "Redis refused the connection", "problem": "Our app in Docker cannot reach the cache", "solution": "x",
        "error_messages": SAVED[0][2],
    })
    assert twin["id"] not in ids and twin["similar"][0]["id"] == ids[0], twin


async def wrong(session: ClientSession) -> None:
    for tool, arguments in [
        ("save_solution", {"title": "", "problem": "x", "solution": "y"}),
        ("save_solution", {"title": "x"}),
        ("save_solution", {"title": "x" * 501, "problem": "x", "solution": "y"}),
        ("search_solutions", {"query": "x", "limit": 0}),
        ("search_solutions", {"query": "x", "limit": 1000}),
        ("search_solutions", {"query": "x", "search_mode": "magic"}),
        ("get_solution", {"id": "nobody"}),
        ("list_tags", {"category": "colour"}),
    ]:
        answer = await ask(session, tool, arguments, fails=True)
        assert answer["error"]["message"], answer
    for query in ['"', "AND OR", "title:x*", "NEAR(a b)", "🚀", "a\u0000b"]:
        await ask(session, "search_solutions", {"query": query})


async def save_many(binary: str, home: str, name: str, count: int) -> list[str]:
    async with stdio_client(server(binary, home, "--only", "solutions")) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            await session.initialize()
            ids = []
            for n in range(count):
                arguments = {"title": f"{name} {n}", "problem": f"{name} fails at {n}", "solution": f"do {n}"}
                ids.append((await ask(session, "save_solution", arguments))["id"])
            return ids


async def two_servers(binary: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        both = await asyncio.gather(*(save_many(binary, home, name, 500) for name in ("one", "two")))
        ids = {one for part in both for one in part}
        out = subprocess.run([binary, "solution", "export"], env=dict(os.environ, HOME=home), capture_output=True, check=True)
        kept = [json.loads(line) for line in out.stdout.splitlines()]
        assert len(ids) == len(kept) == 1000 and {one["id"] for one in kept} == ids
        assert len({one["title"] for one in kept}) == 1000


def main() -> None:
    binary, chroma = os.path.abspath(sys.argv[1]), sys.argv[2:3]
    for args in [("--preset", "full"), ("--preset", "core"), ("--only", "solutions")]:
        with tempfile.TemporaryDirectory() as home:
            asyncio.run(interface(binary, home, *args))
        for url in chroma:
            with tempfile.TemporaryDirectory() as home:
                env = dict(os.environ, HOME=home)
                subprocess.run([binary, "solution", "backend", "chroma", "--url", url], env=env, check=True, capture_output=True)
                asyncio.run(interface(binary, home, *args))
                subprocess.run([binary, "solution", "backend", "embedded"], env=env, check=True, capture_output=True)
    asyncio.run(two_servers(binary))
    print("the solution memory answers as it should")


main()
