"""connection: a thread, a pool and a task of asyncio."""

import asyncio
import concurrent.futures
import socket
import threading


def connect():
    socket.create_connection(("127.0.0.1", 49151), timeout=5)


async def later():
    connect()


thread = threading.Thread(target=connect)
thread.start()
thread.join()
asyncio.run(later())
with concurrent.futures.ThreadPoolExecutor() as pool:
    x = pool.submit(connect).result()
