import asyncio
from contextlib import asynccontextmanager
from typing import AsyncIterator, Awaitable


class Response:
    async def text(self):
        return "text"

    def status(self):
        return 200


class Client:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *args):
        await self.close()  # calls :Client.close

    async def close(self):
        return None

    async def get(self, url) -> Response:
        await asyncio.sleep(0)
        return Response()  # calls :Response

    async def pages(self):
        for _ in range(2):
            yield await self.get("x")  # calls :Client.get


class Feed:
    def __aiter__(self):
        return self

    def __init__(self):
        self.left = 1

    async def __anext__(self):
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return Response()  # calls :Response


@asynccontextmanager
async def opened() -> AsyncIterator[Client]:
    client = Client()  # calls :Client
    yield client
    await client.close()  # calls :Client.close


async def fetch(client: Client):
    response = await client.get("a")  # calls :Client.get
    response.status()  # calls :Response.status
    return response


async def wait_for(answer: Awaitable[Response]):
    (await answer).status()  # calls :Response.status


async def main():
    async with Client() as client:  # calls :Client
        (await fetch(client)).status()  # calls :fetch, :Response.status
        await (await client.get("b")).text()  # calls :Client.get, :Response.text
        async for page in client.pages():  # calls :Client.pages
            page.status()  # calls :Response.status
        async for item in Feed():  # calls :Feed.__init__
            item.status()  # calls :Response.status (missed)
        task = asyncio.create_task(fetch(client))  # calls :fetch
        (await task).status()  # calls :Response.status
        first, second = await asyncio.gather(fetch(client), fetch(client))  # calls :fetch
        first.status()  # calls :Response.status (missed)
        [page.status() async for page in client.pages()]  # calls :Response.status, :Client.pages
        await wait_for(client.get("c"))  # calls :wait_for, :Client.get
        (await asyncio.wait_for(fetch(client), 3)).status()  # calls :fetch, :Response.status (missed)
    async with opened() as client:  # calls :opened
        await client.close()  # calls :Client.close


asyncio.run(main())  # calls :main
