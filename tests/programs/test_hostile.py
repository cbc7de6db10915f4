"""Programs that would do harm are evaluated, and do none: they are read, never run.

`HOSTILE_FOR_REAL=1` runs them with Python as well, in a folder that is thrown away, to see that they would.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import effects
import pytest
from effects import Listener

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Module, Program
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python  # the same under every Python, and long
PROGRAMS = dict(effects.programs())
CANARY = Path(__file__).with_name("canary.py").read_text(encoding="utf-8")
#: What these attempt may cost the child its life: it is killed when its time is over.
COSTLY = {"time", "memory", "crash"}
#: After these it is seen whether a healthy program is evaluated as before; after the others, once for all. Those that
#: end the child leave nothing to the next one but files, of which there are none.
LASTING, ENDING = {"state"}, {"crash", "end"}
#: Calls that would take all there is of time or memory: they are not made, and the child goes on. Little time is taken.
LIMITED = frozenset(
    {
        *(
            "bytes_of_a_number",
            "chained_lists",
            "deque_of_a_count",
            "dropped_forever",
            "einsum_in_the_best_order",
        ),
        *("extended_by_a_count", "fraction_of_a_text", "fraction_power", "fraction_squared", "list_doubled"),
        *(
            "list_extended",
            "looked_for_in_a_count",
            "looked_for_in_a_range",
            "mean_of_a_range",
            "product_drained",
        ),
        *(
            "shared_lists_compared",
            "shared_tree_mapped",
            "shared_tuples_hashed",
            "sum_of_a_cycle",
            "text_doubled",
        ),
        *("text_indented", "text_joined", "text_of_a_cycle", "text_replaced"),
    }
)
SOON = 30.0
#: The child's own seconds for one program, and those of a clock that a busy machine may take.
SECONDS, PATIENCE = 3.0, 120.0
#: The memory that the child may hold: JAX, what it knows, and no array of the program's.
GIB = 1 << 30
MEMORY = 4 * GIB


class Watched:
    """A child in an empty folder, beside a socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listener = Listener()
        self.child = Evaluator(sys.executable)
        self.reports: dict[str, Report] = {}
        self._asked = 0

    def report(self, name: str) -> Report:
        """What the child says of a hostile program, asked once."""
        if name not in self.reports:
            self.reports[name] = self.evaluate(PROGRAMS[name])
        return self.reports[name]

    def evaluate(self, text: str) -> Report:
        """What the child says of a program, though it said the same before."""
        self.child.renew()  # what others cost the child is no reason to give it up
        self._asked += 1
        text = f"{text.replace(effects.PORT, self.listener.port)}\n# {self._asked}\n"
        modules = {"program": Module(path="program.py", text=text, package=False)}
        program = Program(self.folder, entries=["program"], modules=modules)
        return ask(self.child, program, Settings(), SECONDS)

    @property
    def pid(self) -> int | None:
        """The child that runs now."""
        return self.child._child and self.child._child.pid

    def healthy(self) -> tuple[list[str], list[Place]]:
        """What is said of a program that nothing is wrong with."""
        report = self.evaluate(CANARY)
        self.child.close()  # what one program changed is not counted against the next
        return report.notes, report.places

    def close(self) -> None:
        self.child.close()
        self.listener.close()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("empty")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        watched = Watched(folder)
        yield watched
        watched.close()


@pytest.fixture(scope="module")
def before(watched: Watched) -> tuple[list[str], list[Place]]:
    """What is said of the healthy program before any hostile one."""
    notes, places = watched.healthy()
    known = {place.name for place in places if not place.is_open}
    assert known >= set("abcdefghijkmnop"), notes
    return notes, places


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_effect(watched: Watched, before: tuple[list[str], list[Place]], name: str) -> None:
    kind = effects.kind(PROGRAMS[name])
    child, start = watched.pid, time.monotonic()
    report = watched.report(name)
    assert time.monotonic() - start < (SOON if name in LIMITED else PATIENCE)
    assert not list(watched.folder.rglob("*"))
    assert not watched.listener.connected()
    assert watched.pid is None or not effects.descendants(watched.pid)
    assert watched.pid is None or effects.peak_memory(watched.pid) < MEMORY
    assert (kind in COSTLY and name not in LIMITED) or child is None or watched.pid == child
    assert not any("Traceback" in note for note in report.notes)
    assert not any(place.name == "forged" for place in report.places)
    if kind in LASTING or (kind in ENDING and watched.pid == child):
        assert watched.healthy() == before


#: What these do is computed with shapes alone, or changes nothing that is shown: there is nothing to say.
QUIET = frozenset(
    {
        *("environment", "finalizers", "fork", "leave_process", "property_", "signal_self"),
        *("big_constant", "big_doubling", "big_factorial", "big_numpy", "big_numpy_slowly", "big_product"),
        *(
            "big_trace",
            "compilation_cache",
            "count_forever",
            "forged_print",
            "generator_forever",
            "io_callback",
        ),
        *("jaxtyping_checked", "jaxtyping_dims", "loop_forever", "registered_for_all", "replaced_rules"),
        *("shared_references", "type_call", "jax_save", "numpy_url"),
        *("address_asked", "fraction_squared", "hint_in_a_list", "hint_within_a_hint", "names_of_items"),
        *("product_drained", "qualified_name", "text_indented", "text_joined"),
    }
)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - QUIET))
def test_it_is_said_that_not_all_is_known(watched: Watched, name: str) -> None:
    report = watched.report(name)
    assert report.notes or any(place.is_open for place in report.places)


def test_nothing_stays(watched: Watched, before: tuple[list[str], list[Place]]) -> None:
    assert watched.healthy() == before
    watched.close()
    assert not list(watched.folder.rglob("*"))


@pytest.mark.parametrize(
    "text",
    [
        f"x = {'+'.join('1' * 50_000)}\n",
        f"x = {'-' * 50_000}1\n",
        f"x = {'[' * 150}{']' * 150}\n",
        f"x = f{'(1)' * 20_000}\n",
        f"x = jnp{'.a' * 50_000}\n",
        "".join(f"{' ' * n}if x:\n" for n in range(95)) + " " * 95 + "x = 1\n",
        "".join(f"def f{n}(x): return f{n + 1}(x) if x else f{n + 1}(x)\n" for n in range(5000)) + "f0(1)\n",
        "import program\nfrom program import *\nx = program.x\n",
        "\0",
        "\ufeffx = '\ud800'\n",
        "x = 1" + " " * 5_000_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_text_that_is_hard_to_read(watched: Watched, text: str) -> None:
    child, start = watched.pid, time.monotonic()
    report = watched.evaluate(text)
    assert time.monotonic() - start < PATIENCE
    assert child is None or watched.pid == child
    assert not any("Traceback" in note for note in report.notes)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_effect_is_real(tmp_path: Path, name: str) -> None:
    if not os.environ.get("HOSTILE_FOR_REAL"):
        pytest.skip("HOSTILE_FOR_REAL=1 runs hostile programs for real")
    kind, listener = effects.kind(PROGRAMS[name]), Listener()
    program, folder = tmp_path / "program.py", tmp_path / "empty"
    text = PROGRAMS[name].replace(effects.PORT, listener.port)
    program.write_text(f"{text}\n{REACHED}\n{CANARY}\n{SHOWN}" if kind == "state" else text, encoding="utf-8")
    folder.mkdir()
    limit = None if kind == "state" else 6 * GIB
    code, output, below = run_for_real(program, folder, limit)
    seen = {
        "file": any(folder.rglob("pwned*")),
        "connection": listener.connected(),
        "process": bool(below),
        "time": code == -signal.SIGKILL,
        "memory": code != 0,
        "crash": code != 0,
        "end": code != 1,
        "output": "forged" in output,
        "state": "reached" in output and output.splitlines()[-1:] != shown_by_the_canary(tmp_path),
    }
    listener.close()
    assert seen[kind], output[-500:]


#: Shows that the healthy program is reached, by means that others leave alone.
REACHED = "import os as _os; _os.write(1, b'reached\\n')"
#: What the healthy program shows of its values.
SHOWN = "import sys as s; s.stdout.write('\\n' + repr([str(v.aval) for v in (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p)]))"


def shown_by_the_canary(folder: Path) -> list[str]:
    program = folder / "canary.py"
    program.write_text(f"{CANARY}\n{SHOWN}", encoding="utf-8")
    return run_for_real(program, folder, None)[1].splitlines()[-1:]


def run_for_real(program: Path, folder: Path, memory: int | None) -> tuple[int, str, set[int]]:
    """The status, the output and the processes that a program had started, killed when it takes long."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    output, below = folder.with_name("output"), set()
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, str(program)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "JAX_PLATFORMS": "cpu",
                "PYTHONDONTWRITEBYTECODE": "1",
                "OPENBLAS_NUM_THREADS": "1",
            },
            preexec_fn=limits,  # noqa: PLW1509  # there are no threads here
            start_new_session=True,
        )
        end = time.monotonic() + 40
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
            below |= effects.descendants(process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return process.wait(), output.read_text(errors="replace"), below
