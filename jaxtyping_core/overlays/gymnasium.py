"""Gymnasium: the spaces of its own environments, by their names. Nothing of it is called.

A name has a version, and what it observes and takes does not change within one. The table has what `gymnasium.make` gives, see
https://gymnasium.farama.org/environments. An environment that is made with other arguments, or wrapped, is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.values.callables import Namespace
from ..engine.values.unknowns import NumpyArray, is_many
from . import UNKNOWN, Object, Overlay, in_place_of, numpy_array
from ._items import settled

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: The number of actions, or the size of an array of float32.
Action = int | tuple[int]
#: The dtype and shape of what is observed, and the action; an observed number has the number of its values in place of a shape.
_ROWS: dict[str, tuple[str, Any, Action]] = {
    "Acrobot-v1": ("float32", (6,), 3),
    "CartPole-v0": ("float32", (4,), 2),
    "CartPole-v1": ("float32", (4,), 2),
    "MountainCar-v0": ("float32", (2,), 3),
    "MountainCarContinuous-v0": ("float32", (2,), (1,)),
    "Pendulum-v1": ("float32", (3,), (1,)),
    "BipedalWalker-v3": ("float32", (24,), (4,)),
    "BipedalWalkerHardcore-v3": ("float32", (24,), (4,)),
    "CarRacing-v2": ("uint8", (96, 96, 3), (3,)),
    "CarRacing-v3": ("uint8", (96, 96, 3), (3,)),
    "LunarLander-v2": ("float32", (8,), 4),
    "LunarLander-v3": ("float32", (8,), 4),
    "LunarLanderContinuous-v2": ("float32", (8,), (2,)),
    "LunarLanderContinuous-v3": ("float32", (8,), (2,)),
    "CliffWalking-v1": ("int64", 48, 4),
    "FrozenLake-v1": ("int64", 16, 4),
    "FrozenLake8x8-v1": ("int64", 64, 4),
    "Taxi-v3": ("int64", 500, 6),
    "Taxi-v4": ("int64", 500, 6),
}
#: Environments of MuJoCo: what is observed in version 4 and in version 5, and the action.
_MUJOCO = {
    "Ant": (27, 105, 8),
    "HalfCheetah": (17, 17, 6),
    "Hopper": (11, 11, 3),
    "Humanoid": (376, 348, 17),
    "HumanoidStandup": (376, 348, 17),
    "InvertedDoublePendulum": (11, 9, 1),
    "InvertedPendulum": (4, 4, 1),
    "Pusher": (23, 23, 7),
    "Reacher": (11, 10, 2),
    "Swimmer": (8, 8, 2),
    "Walker2d": (17, 17, 6),
}
ENVIRONMENTS: Mapping[str, tuple[str, Any, Action]] = {
    **_ROWS,
    **{
        f"{name}-v{4 + index}": ("float64", (sizes[index],), (sizes[2],))
        for name, sizes in _MUJOCO.items()
        for index in (0, 1)
    },
}
#: Wrappers that change no space.
_SAME = ("NormalizeReward", "RecordEpisodeStatistics", "RecordVideo", "TimeLimit", "TransformReward")
#: Arguments of `make` that change no space.
_NO_MATTER = frozenset({"autoreset", "disable_env_checker", "max_episode_steps", "render_mode"})


def _discrete(count: int) -> Object:
    return Object(n=count, shape=(), sample=lambda *_: numpy_array("int64", ()), seed=lambda *_: UNKNOWN)


def _box(dtype: str, shape: tuple[Any, ...]) -> Object:
    def sample(*_: Any) -> Any:
        return numpy_array(dtype, shape)

    return Object(
        shape=shape,
        low=sample(),
        high=sample(),
        sample=sample,
        seed=lambda *_: UNKNOWN,
        contains=lambda x: UNKNOWN,
    )


def _space(dtype: str, shape: Any) -> Object:
    return _discrete(shape) if type(shape) is int else _box(dtype, shape)


def _action_space(action: Action) -> Object:
    return _discrete(action) if isinstance(action, int) else _box("float32", action)


def _environment(name: str) -> Object:
    dtype, shape, action = ENVIRONMENTS[name]

    def observed() -> Any:
        return UNKNOWN if type(shape) is int else numpy_array(dtype, shape)

    def reset(**_: Any) -> Any:
        return observed(), UNKNOWN

    def step(_: Any) -> Any:
        return observed(), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN  # rewards and flags are of Python or of NumPy

    return Object(
        observation_space=_space(dtype, shape),
        action_space=_action_space(action),
        reset=reset,
        step=step,
        spec=Object(id=name),
        close=lambda: None,
        render=lambda: UNKNOWN,
    )


def _make(id: Any = UNKNOWN, /, **options: Any) -> Any:
    name = id if type(id) is str else options.pop("id", None)
    is_known = type(name) is str and name in ENVIRONMENTS and _NO_MATTER.issuperset(options)
    return _environment(name) if is_known else UNKNOWN


def _make_vector(id: Any = UNKNOWN, num_envs: Any = 1, vectorization_mode: Any = None, **options: Any) -> Any:
    if type(id) is not str or id not in ENVIRONMENTS or not _NO_MATTER.issuperset(options):
        return UNKNOWN
    return _vector(id, num_envs, NumpyArray(None, (num_envs if type(num_envs) is int else None,)))


def _wrapped(env: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
    """An environment within one that changes neither what is observed nor what is done."""
    return env


def _vector_of(natives: Natives) -> Callable[..., Any]:
    """``SyncVectorEnv`` and ``AsyncVectorEnv``: functions of the program make the environments, which are alike."""

    def make(env_fns: Any = UNKNOWN, *others: Any, **options: Any) -> Any:
        listed: Sequence[Any] = env_fns if type(env_fns) in (list, tuple) else ()
        maker = env_fns.item if is_many(env_fns) else listed[0] if listed else UNKNOWN
        made: list[Any] = []  # each call gives another object
        settled(natives, lambda: made.append(natives.interpreter.call(maker, [], {})))
        env = made[-1] if made else UNKNOWN
        if others or options or not isinstance(env, Namespace) or "spec" not in env.names:
            return UNKNOWN
        count = len(listed) or None
        return _vector(env.names["spec"].names["id"], count, numpy_array("float64", (count,)))

    return make


def _vector(name: str, count: Any, rewards: Any) -> Any:
    dtype, shape, action = ENVIRONMENTS[name]
    sizes: tuple[Any, ...] = () if isinstance(shape, int) else shape
    actions: tuple[Any, ...] = () if isinstance(action, int) else action

    def observed() -> Any:
        return numpy_array(dtype, (count, *sizes))

    def flags() -> Any:
        return numpy_array("bool", (count,))

    return Object(
        num_envs=count,
        single_observation_space=_space(dtype, shape),
        single_action_space=_action_space(action),
        observation_space=Object(shape=(count, *sizes)),
        action_space=Object(
            shape=(count, *actions),
            sample=lambda: numpy_array("int64" if type(action) is int else "float32", (count, *actions)),
        ),
        reset=lambda **_: (observed(), UNKNOWN),
        step=lambda _: (observed(), rewards, flags(), flags(), UNKNOWN),
        close=lambda: None,
    )


def _namespaces(natives: Natives) -> Mapping[str, Any]:
    return in_place_of(
        {
            "gymnasium.make": _make,
            "gymnasium.make_vec": _make_vector,
            "gymnasium.vector.SyncVectorEnv": _vector_of(natives),
            "gymnasium.vector.AsyncVectorEnv": _vector_of(natives),
            **{f"gymnasium.wrappers.{name}": _wrapped for name in _SAME},
        }
    )(natives)


OVERLAY = Overlay(library="gymnasium", is_onlooker=True, may_fail=True, instead=_namespaces)
