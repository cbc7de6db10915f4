"""A program that is recorded does what it does without: its output, its exceptions and tracebacks, its exit status."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .running import RECORDING, calls, facts, plain, recorded, write

#: Scripts, each with the functions that are recorded of it, and how often they were called.
SCRIPTS: dict[str, tuple[str, dict[str, int]]] = {
    "what a script sees": (
        """
import __main__, os, pickle, sys

def names():
    return sorted(vars(__main__))

print(__name__, __file__, __package__, __spec__, __doc__, __builtins__, type(__loader__), sys.argv, sys.path[0])
print(names(), pickle.loads(pickle.dumps(names)) is names, sys.modules["__main__"].names is names)
print(os.getcwd(), sys.flags, sys.gettrace())
os.chdir("/")
""",
        {"names": 1},
    ),
    "an exception": (
        """
def inner(x):
    raise ValueError("wrong")

def outer(x):
    try:
        inner(x)
    except ValueError as error:
        raise RuntimeError("no") from error

print("begun", flush=True)
outer(3)
""",
        {"inner": 1, "outer": 1},
    ),
    "a hook for exceptions": (
        """
import atexit, sys, traceback

def hook(kind, error, trace):
    print(kind, error, len(traceback.extract_tb(trace)), len(traceback.extract_tb(error.__traceback__)))

sys.excepthook = hook
atexit.register(print, "ended")
raise KeyError("x")
""",
        {"hook": 1},
    ),
    "a status": ("import sys\ndef f(): sys.exit(3)\nf()", {"f": 1}),
    "a message": ("import sys\nsys.exit('no reason')", {}),
    "an end without cleaning up": ("import os\ndef f(x): return x\nf(1)\nos._exit(5)", {"f": 1}),
    "a syntax error": ("def f(:\n    pass\n", {}),
    "a module with a syntax error": ("def f(): import broken\nf()", {"f": 1}),
    "an interrupt": (
        """
import os, signal

def wait(seconds):
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10**9):
        pass

wait(3)
""",
        {"wait": 1},
    ),
    "a kill": (
        "import os, signal\ndef g(n): return n\ndef f(n): g(n); os.kill(os.getpid(), signal.SIGKILL)\nf(2)",
        {"f": 1, "g": 1},
    ),
    "standard streams that are closed": ("import sys\ndef f(): pass\nf(); sys.stderr.close()", {"f": 1}),
    "threads": (
        """
import threading, time

def work(n):
    time.sleep(0.01)
    return n

threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
threading.Thread(target=lambda: [time.sleep(0.2), print("late")]).start()
print(threading.active_count() >= 1)
""",
        {"work": 8, "<lambda>": 1},
    ),
    "forks": (
        """
import os, warnings

def work(n):
    return n

work(1)
if child := os.fork():
    print(os.waitpid(child, 0)[1])
    work(2)
else:
    work(3)
    os._exit(7)
""",
        {"work": 3},
    ),
    "processes": (
        """
import multiprocessing

def work(n):
    return n * n

if __name__ == "__main__":
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(work, range(3)))
""",
        {},
    ),
    "code without a file": (
        """
import collections, dataclasses, functools, operator

exec(compile("def made(x): return x", "<cell 1>", "exec"))
exec(compile("def other(x): return x", __file__, "exec"))
exec(compile("def odd(x): return x", "/no/such/file.py", "exec"))
made(1), other(2), odd(3)

def wrapped(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner

@wrapped
@functools.lru_cache
def real(x):
    return x

real(1), real(1)
functools.partial(max, 1)(2), operator.itemgetter(0)([1]), collections.namedtuple("P", "a")(1)
print(sorted([3, 1], key=lambda n: -n))
""",
        {"wrapped": 1, "wrapped.<locals>.inner": 2, "real": 1, "<lambda>": 2},
    ),
    "code that is generated": (
        """
import os

with open("made.py", "w") as file:
    file.write("def made(x): return x\\n")
import made

os.remove("made.py")

def use(x):
    return made.made(x)

exec(compile("def cell(x): return use(x)", "<stdin>", "exec"))
print(use(1), cell(2))
""",
        {"use": 2},
    ),
    "generators and coroutines": (
        """
import asyncio, contextlib

def count(n):
    for i in range(n):
        yield i

async def wait(x):
    await asyncio.sleep(0)
    return x

@contextlib.contextmanager
def managed():
    yield 1

print(list(count(3)), asyncio.run(wait(2)))
with contextlib.suppress(KeyError), managed():
    raise KeyError
never = count(2)
""",
        {"count": 1, "wait": 1, "managed": 1},
    ),
    "hostile objects": (
        """
class Meta(type):
    def __hash__(cls): raise SystemExit("hashed")
    def __eq__(cls, other): raise SystemExit("compared")
    def __getattribute__(cls, name): raise SystemExit("read")
    def __instancecheck__(cls, other): raise SystemExit("checked")

class Hostile(metaclass=Meta):
    def refuse(self, *args): raise SystemExit("called")
    __getattr__ = __getattribute__ = __len__ = __iter__ = __eq__ = __hash__ = __bool__ = __repr__ = refuse
    __class__ = property(refuse)

class HostileDict(dict):
    items = keys = __iter__ = __len__ = __getitem__ = __eq__ = Hostile

def take(a, *args, **kwargs):
    return a

take(Hostile(), [Hostile()], x={"a": Hostile(), 3: Hostile(), "d": HostileDict(a=1)})
print("unharmed")
""",
        {"take": 1},
    ),
    "all local variables": (
        """
class Kept:
    def __init__(self, a, b):
        known = locals()
        del a
        self.b = b
        print(sorted(known), sorted(locals()))

def given(a, *rest, **more):
    seen = locals()
    def inner():
        return a
    return seen, inner()

Kept(1, 2)
print(given(1, 2, c=3))
""",
        {"Kept.__init__": 1, "given": 1},
    ),
    "a freed argument": (
        """
import weakref

class Big:
    pass

def free(x):
    x = weakref.ref(x)
    return x() is None

print(free(Big()))
""",
        {"free": 1},
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_program_does_what_it_does_without(tmp_path: Path, name: str) -> None:
    script, expected = SCRIPTS[name]
    write(tmp_path, main=script, broken="x = = 1\n")
    alone = plain(tmp_path, "main.py", "--out", "x")
    # Python 3.11 has but one dict of a function's variables, and looking at them fills it.
    is_looked_into = sys.version_info >= (3, 12) or name != "all local variables"
    options = ("--places",) if is_looked_into else ()
    ended = recorded(tmp_path, "main.py", "--out", "x", options=options)
    assert ended[:3] == alone[:3]
    files = facts(tmp_path).files
    seen = calls(tmp_path, "main.py") if files else {}
    counts = {name: sum(calls.values()) for name, calls in seen.items()}
    assert {name: counts.get(name) for name in expected} == expected


def test_an_endless_recursion_ends_as_without(tmp_path: Path) -> None:
    script = """
def down(n):
    return down(n + 1)

try:
    down(0)
except RecursionError:
    print("too deep")
down(0)
"""
    write(tmp_path, main=script)
    alone, ended = plain(tmp_path, "main.py"), recorded(tmp_path, "main.py")
    assert ended[:2] == alone[:2]
    # Watching takes a frame of its own, so that the last one may miss.
    assert ended.stderr.splitlines()[-1] == alone.stderr.splitlines()[-1]
    assert RECORDING not in ended.stderr


def test_a_module_runs_as_with_python(tmp_path: Path) -> None:
    write(
        tmp_path,
        space__inner__main="""
import sys
from . import near
print(__name__, __package__, __spec__.name, sys.argv, sys.path[0], near.f(len(sys.argv)))
""",
        space__inner__near="def f(n): return n\n",
    )
    command = ("-m", "space.inner.main", "-m", "--quiet")
    ended = recorded(tmp_path, *command)
    assert ended[:3] == plain(tmp_path, *command)[:3]
    assert ended.status == 0
    assert list(calls(tmp_path, "space/inner/near.py")) == ["f"]
    missing = recorded(tmp_path, "-m", "space.nowhere")
    assert missing[:3] == plain(tmp_path, "-m", "space.nowhere")[:3]
