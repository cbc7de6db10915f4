"""What recording a program costs: processor time with it and without it, in one run.

Each of the programs below runs a number of rounds of the same work in one process, in turns with recording and without,
after a first round in which functions are traced and compiled. Then the whole program, which does that work once, is run
with `jaxtyping-core record` and without, from the start of Python to its end. Only ratios mean something on another
machine.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from types import ModuleType

from jaxtyping_core.recording import PROCESS
from jaxtyping_core.recording.session import Session

PROGRAMS = {
    "a jitted training loop": """
import jax, jax.numpy as jnp

def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [{"w": jax.random.normal(k, (m, n)), "b": jnp.zeros(n)} for k, m, n in zip(keys, sizes, sizes[1:])]

def apply(params, x):
    for layer in params:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x

def loss(params, x, y):
    return jnp.mean((apply(params, x) - y) ** 2)

@jax.jit
def step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value

def report(epoch, value):
    return f"{epoch}: {value}"

params = init(jax.random.key(0), (64, 128, 128, 8))
x, y = jnp.ones((32, 64)), jnp.ones((32, 8))

def work():
    global params
    for epoch in range(20):
        for _ in range(20):
            params, value = step(params, x, y)
        report(epoch, float(value))
""",
    "an eager loop": """
import jax, jax.numpy as jnp

def layer(w, b, x):
    return jnp.tanh(x @ w + b)

def loss(params, x):
    for w, b in params:
        x = layer(w, b, x)
    return jnp.mean(x ** 2)

params = [(jnp.ones((16, 16)), jnp.zeros(16)) for _ in range(4)]
x = jnp.ones((8, 16))

def work():
    for _ in range(100):
        loss(params, x)
""",
    "an eager loop of tiny functions": """
import jax.numpy as jnp

def add(x, y):
    return x + y

def twice(x):
    return add(x, x)

x = jnp.ones(8)

def work():
    for _ in range(500):
        twice(x)
""",
    "Python without arrays": """
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def work():
    fibonacci(15)
""",
    "sizes that always change": """
import numpy as np

def total(rows, step):
    return rows.sum()

def work(data=np.ones(3000)):
    for step in range(2000):
        total(data[:step], step)
""",
}


def main() -> None:
    """Measure each program, in a process of its own."""
    parser = argparse.ArgumentParser("recording", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="of each kind, after the first")
    parser.add_argument("--only", help="measure this one, in this process")
    options = parser.parse_args()
    if options.only is not None:
        measure(options.only, options.rounds)
        return
    print(f"Python {sys.version.split()[0]}")
    print("| program | with / without | whole process | KiB kept by one more round |\n|---|--:|--:|--:|")
    for name in PROGRAMS:
        command = [sys.executable, __file__, "--only", name, "--rounds", str(options.rounds)]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="", flush=True)


def measure(name: str, rounds: int) -> None:
    """Print a line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        # Two of the same, so that each is traced and compiled in its first round.
        plain, recorded = (_module(Path(folder, f"program_{kind}.py"), PROGRAMS[name]) for kind in ("a", "b"))
        session = Session([Path(folder)], Path(folder, "facts.sqlite3"))

        def with_recording() -> float:
            session.watcher.start()
            seconds = _seconds(recorded)
            session.watcher.stop()
            return seconds

        _seconds(plain)
        with_recording()
        times = [(_seconds(plain), with_recording()) for _ in range(rounds)]
        tracemalloc.start()
        with_recording()
        kept = tracemalloc.get_traced_memory()[0]
        session.stop()
        ratio = statistics.median(after / before for before, after in times)
        whole = _whole(Path(folder, "whole.py"), PROGRAMS[name])
    print(f"| {name} | {ratio:.2f} | {whole:.2f} | {kept / 1024:,.0f} |")


def _whole(file: Path, text: str) -> float:
    """The processor time of a whole program that is recorded, for that of one which is not; the least of three runs each."""
    file.write_text(f"{text}\nwork()\n")
    record = [PROCESS, "--out", str(file.with_suffix(".sqlite3")), "--quiet", "--", str(file)]
    runs = [(_child([str(file)]), _child(record)) for _ in range(3)]
    return min(after for _, after in runs) / min(before for before, _ in runs)


def _child(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _module(file: Path, text: str) -> ModuleType:
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _seconds(module: ModuleType) -> float:
    start = time.process_time()
    module.work()
    return time.process_time() - start


if __name__ == "__main__":
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    main()
