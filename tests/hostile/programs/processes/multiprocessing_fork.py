"""file: multiprocessing, by all its ways to start."""

import multiprocessing
import os

context = multiprocessing.get_context("fork")
process = context.Process(target=os.mkdir, args=("pwned_multiprocessing_fork",))
process.start()
process.join()
