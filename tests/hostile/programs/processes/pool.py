"""file: a pool of processes calls a function."""

import concurrent.futures
import multiprocessing
import os

with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
    pool.submit(os.mkdir, "pwned_pool").result()
