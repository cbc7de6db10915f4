"""Where a promotion system is in force: never in another task, or in the caller of a generator."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import jax
import pytest

import jaxtyping_core.numpy as jnp

REFUSED = r"with promotion\('numpy'\):` in .* has an await or a yield inside"


async def awaits_inside() -> None:
    with jnp.promotion("numpy"):
        await asyncio.sleep(0)


async def awaits_in_a_nested_block() -> None:
    with jnp.promotion("numpy"):
        with contextlib.suppress(ValueError):
            pass
        for _ in range(2):
            try:
                jnp.current()
            finally:
                await asyncio.sleep(0)


async def awaits_in_a_stack() -> None:
    with contextlib.ExitStack() as stack:
        stack.enter_context(jnp.promotion("numpy"))
        await asyncio.sleep(0)


@contextlib.contextmanager
def with_numpy() -> Iterator[None]:
    with jnp.promotion("numpy"):
        yield


async def awaits_in_a_manager_of_ones_own() -> None:
    with with_numpy():
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def later_with_numpy() -> AsyncIterator[None]:
    with jnp.promotion("numpy"):
        yield


async def enters_an_asynchronous_manager() -> None:
    async with later_with_numpy():
        pass


@pytest.mark.parametrize(
    "task",
    [
        awaits_inside,
        awaits_in_a_nested_block,
        awaits_in_a_stack,
        awaits_in_a_manager_of_ones_own,
        enters_an_asynchronous_manager,
    ],
)
def test_a_task_is_not_suspended_with_a_system_in_force(task: Any) -> None:
    with pytest.raises(RuntimeError, match=REFUSED):
        asyncio.run(task())
    assert jnp.current() == "jax"


def test_a_generator_is_not_suspended_with_a_system_in_force() -> None:
    def rows() -> Iterator[int]:
        for i in range(3):
            with jnp.promotion("numpy"):
                yield i

    with pytest.raises(RuntimeError, match=REFUSED):
        next(rows())
    assert jnp.current() == "jax"


def test_tasks_take_turns_between_blocks() -> None:
    seen = []

    async def task(system: str) -> None:
        for _ in range(5):
            with jnp.promotion(system):
                seen.append(jnp.current() == system)
            await asyncio.sleep(0)
            with jnp.promotion("lax"):
                for _ in range(2):
                    with jnp.promotion(system), with_numpy():
                        if jnp.current() != "numpy":
                            return
            seen.append(jnp.current() == "jax")

    async def main() -> None:
        await asyncio.gather(task("numpy"), task("torch"), task("lax"))

    asyncio.run(main())
    assert seen == [True] * 30


def test_a_generator_may_use_blocks_without_yield() -> None:
    def rows() -> Iterator[Any]:
        for _ in range(2):
            with jnp.promotion("numpy"):
                row = jnp.current()
            yield row

    assert list(rows()) == ["numpy"] * 2


def test_managers_of_ones_own() -> None:
    with with_numpy():
        assert jnp.current() == "numpy"
        with contextlib.ExitStack() as stack:
            stack.enter_context(jnp.promotion("torch"))
            assert jnp.current() == "torch"
        assert jnp.current() == "numpy"
    assert jnp.current() == "jax"


@pytest.fixture
def under_numpy() -> Iterator[None]:
    with jnp.promotion("numpy"):
        yield


@pytest.mark.usefixtures("under_numpy")
def test_a_fixture() -> None:
    assert jnp.current() == "numpy"


def test_what_runs_later_is_not_decorated() -> None:
    async def later() -> None: ...

    def rows() -> Iterator[int]:
        yield 1

    for function in (later, rows):
        with pytest.raises(TypeError, match=r"ends when .* returns, before a coroutine or generator runs"):
            jnp.promotion("numpy")(function)


def test_one_object_for_several_blocks() -> None:
    numpy, seen = jnp.promotion("numpy"), []

    def thread() -> None:
        with numpy:
            barrier.wait()
            seen.append(jnp.current())

    for _ in range(2):
        with numpy:
            with jnp.promotion("torch"), numpy:
                assert jnp.current() == "numpy"
            assert jnp.current() == "numpy"
        assert jnp.current() == "jax"
    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=thread) for _ in range(2)]
    for started in threads:
        started.start()
    for started in threads:
        started.join()
    assert seen == ["numpy"] * 2


def test_blocks_end_in_their_order() -> None:
    outer, inner = jnp.promotion("numpy"), jnp.promotion("torch")
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(RuntimeError, match="in another order"):
        outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    outer.__exit__(None, None, None)
    assert jnp.current() == "jax"


def test_a_compiled_function_is_that_of_the_system() -> None:
    add = jax.jit(lambda x, y: x + y)
    x, y = jnp.ones(3, "float16"), jnp.ones(3, "int32")

    async def task(system: str, dtype: str) -> None:
        for _ in range(3):
            with jnp.promotion(system):
                assert add(x, y).dtype == dtype
            await asyncio.sleep(0)
            assert add(x, y).dtype == "float16"

    async def main() -> None:
        await asyncio.gather(task("numpy", "float32"), task("torch", "float16"))

    asyncio.run(main())
