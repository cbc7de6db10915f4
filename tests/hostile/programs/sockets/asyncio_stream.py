"""connection: an event loop of its own opens a stream."""

import asyncio


async def connect():
    reader, writer = await asyncio.open_connection("127.0.0.1", 49151)
    writer.close()


loop = asyncio.SelectorEventLoop()
loop.run_until_complete(connect())
loop.close()
