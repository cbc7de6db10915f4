"""time: an endless iterator is searched by C, with the lock of the interpreter."""

import itertools

x = -1 in itertools.count()
